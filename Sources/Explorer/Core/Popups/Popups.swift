/// What lies over the panes; the innermost, which takes the keys, last.
package struct Popups: Hashable, Sendable, ExpressibleByArrayLiteral {
  package private(set) var all: [Popup] = []

  package init(arrayLiteral popups: Popup...) { all = popups }

  package var last: Popup? { all.last }
  package var isEmpty: Bool { all.isEmpty }

  package mutating func present(_ popup: Popup) { all.append(popup) }
  mutating func closeLast() { _ = all.popLast() }
  mutating func closeAll() { all = [] }
  /// The innermost again, changed.
  mutating func replaceLast(with popup: Popup) { all[all.count - 1] = popup }

  // MARK: Completion

  var isCompleting: Bool { if case .completion = last { true } else { false } }
  mutating func closeCompletion() { if isCompleting { closeLast() } }
  mutating func removeCompletions() { all.removeAll { if case .completion = $0 { true } else { false } } }

  // MARK: What was asked for them

  package mutating func changeForm(_ change: (inout FormState) -> Void) {
    changeEach { popup in
      guard case .form(var form) = popup else { return }
      change(&form)
      popup = .form(form)
    }
  }

  package mutating func changeSchema(_ change: (inout SchemaExplorerState) -> Void) {
    changeEach { popup in
      guard case .schema(var schema) = popup else { return }
      change(&schema)
      popup = .schema(schema)
    }
  }

  private mutating func changePicker(_ change: (inout PickerState) -> Void) {
    changeEach { popup in
      guard case .picker(var picker) = popup else { return }
      change(&picker)
      popup = .picker(picker)
    }
  }

  private mutating func changeEach(_ change: (inout Popup) -> Void) {
    for index in all.indices { change(&all[index]) }
  }

  /// What a change of the cache would touch, which is asked about.
  mutating func previewed(_ edit: CacheEdit, _ detail: String) {
    changeEach { popup in
      guard case .confirmation(var confirmation) = popup, confirmation.effect == .editCache(edit) else { return }
      confirmation.detail = detail
      popup = .confirmation(confirmation)
    }
  }

  mutating func filesListed(_ items: [PickerItem]) {
    changePicker { if $0.purpose == .files { $0.items = items } }
  }

  /// What was open lately, behind what has a name; the demo API stays last.
  mutating func endpointsFound(_ recent: [PickerItem]) {
    changePicker { picker in
      guard picker.purpose == .endpoints else { return }
      let named = Set(picker.items.map(\.id) + picker.items.map(\.detail))
      let isDemoLast = picker.items.last?.id == EndpointChoice.demo.name
      picker.items.insert(
        contentsOf: recent.filter { !named.contains($0.id) }, at: picker.items.count - (isDemoLast ? 1 : 0))
    }
  }

  mutating func cacheUseFound(_ use: CacheUse) {
    changePicker { picker in
      guard case .cacheUse = picker.purpose else { return }
      picker.purpose = .cacheUse(use.summary)
      picker.items = use.items
    }
  }

  // MARK: The history

  func historyRecorded() -> [FollowUp] {
    guard case .picker(let picker)? = last, picker.purpose == .history else { return [] }
    return [.effect(.searchHistory(picker.filter))]
  }

  mutating func historyFound(_ entries: [PickerItem], filter: String) {
    changePicker { picker in
      guard picker.purpose == .history, picker.filter == filter else { return }
      // At the top one stays with what is newest; elsewhere with the run that was selected.
      let held = picker.list.selected > 0 ? picker.selected?.id : nil
      let place = held.flatMap { id in entries.firstIndex { $0.id == id } }
      picker.items = entries
      picker.list.select(place ?? picker.list.selected, count: entries.count)
    }
  }

  // MARK: The schema

  mutating func openSchema(at place: SchemaPlace) -> [FollowUp] {
    all = [.schema(SchemaExplorerState())]
    return [.effect(.ask(.schemaPage(place)))]
  }

  mutating func schemaFound(_ rows: [SchemaRow], for search: String) {
    changeSchema { schema in
      guard schema.search == search, schema.isSearching else { return }
      schema.found(rows)
    }
  }
}
