import ApusSecrets

/// The open popups, topmost last. The topmost one receives the keys.
package struct PopupStack: Equatable, Sendable, ExpressibleByArrayLiteral {
  package private(set) var all: [Popup] = []

  package init(arrayLiteral popups: Popup...) { all = popups }

  package var last: Popup? { all.last }
  package var isEmpty: Bool { all.isEmpty }

  package mutating func present(_ popup: Popup) { all.append(popup) }
  mutating func closeLast() { _ = all.popLast() }
  mutating func closeAll() { all = [] }
  mutating func removeAll(where isRemoved: (Popup) -> Bool) { all.removeAll(where: isRemoved) }
  mutating func replaceLast(with popup: Popup) { all[all.count - 1] = popup }

  // MARK: Completion

  var isCompleting: Bool { last?.state is CompletionPopup }
  mutating func closeCompletion() { if isCompleting { closeLast() } }
  mutating func removeCompletions() { all.removeAll { $0.state is CompletionPopup } }

  // MARK: Answers

  /// Changes the popups of a kind.
  package mutating func change<State: PopupContent>(_ kind: State.Type, _ change: (inout State) -> Void) {
    for index in all.indices {
      guard var state = all[index].state as? State else { continue }
      change(&state)
      all[index] = Popup(state)
    }
  }

  /// Shows the preview of a cache edit in its confirmation.
  mutating func previewed(_ edit: CacheEdit, _ detail: String) {
    change(ConfirmationPopup.self) { if $0.confirmation == .effect(.cache(.edit(edit))) { $0.change(detail: detail) } }
  }

  /// Records the visible part of the topmost popup if it is a question.
  mutating func viewed(_ view: VisibleArea.Question) {
    guard var question = last?.state as? ConfirmationPopup else { return }
    question.viewed(view)
    replaceLast(with: Popup(question))
  }

  mutating func filesListed(_ items: [PickerItem]) {
    change(PickerPopup.self) { if $0.purpose == .files { $0.items = items } }
  }

  mutating func sessionsListed(_ items: [PickerItem]) {
    change(PickerPopup.self) { if $0.purpose == .sessions { $0.items = items } }
  }

  /// Adds recent endpoints after the named ones; the demo API stays last.
  mutating func endpointsFound(_ recent: [PickerItem]) {
    change(PickerPopup.self) { picker in
      guard picker.picksEndpoint else { return }
      var listed = Set((picker.items.map(\.id) + picker.items.map(\.detail)).map(NormalizedURL.of))
      let isDemoLast = picker.items.last?.id == EndpointChoice.demo.name
      picker.items.insert(
        contentsOf: recent.filter { listed.insert(NormalizedURL.of($0.id)).inserted },
        at: picker.items.count - (isDemoLast ? 1 : 0))
    }
  }

  mutating func cacheUseFound(_ use: CacheUsage) {
    change(PickerPopup.self) { picker in
      guard case .cacheUse = picker.purpose else { return }
      picker.purpose = .cacheUse(use.summary)
      picker.items = use.items
    }
  }

  // MARK: The history

  func historyRecorded() -> [FollowUp] {
    guard let picker = last?.state as? PickerPopup, picker.purpose == .history else { return [] }
    return [.effect(.history(.search(picker.filter)))]
  }

  mutating func historyFound(_ entries: [PickerItem], filter: String) {
    change(PickerPopup.self) { picker in
      guard picker.purpose == .history, picker.filter == filter else { return }
      // At the top, the newest entry stays selected; elsewhere the same run stays selected.
      let held = picker.list.selected > 0 ? picker.selected?.id : nil
      let index = held.flatMap { id in entries.firstIndex { $0.id == id } }
      picker.items = entries
      picker.list.select(index ?? picker.list.selected, count: entries.count)
    }
  }

  // MARK: The schema

  mutating func openSchema(at link: SchemaPageLink) -> [FollowUp] {
    all = [Popup(SchemaPopup())]
    return [.effect(.text(.queryLanguageService(.schemaPage(link))))]
  }

  mutating func schemaFound(_ rows: [SchemaRow], for search: String) {
    change(SchemaPopup.self) { schema in
      guard schema.search == search, schema.isSearching else { return }
      schema.found(rows)
    }
  }
}
