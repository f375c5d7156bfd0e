import ApusExplorerText

/// A form next to the editor: a tree of schema fields to tick, or variables to fill in.
package struct FormPopup: PopupContent {
  package let purpose: FormRequest.Purpose
  package var rows: [FormRow] = []
  package var list = ListCursor()
  /// The text typed to find a row.
  package var search = ""
  /// Whether typing finds a row of the variables form instead of changing the selected value.
  package var isFinding = false
  var opened: [FormRow.Path: Bool] = [:]
  /// The request for the rows shown or awaited.
  private var question: FormRequest?
  package private(set) var isFilled = false
  /// The new item of a list, whose first field is selected when its rows arrive.
  private var awaited: FormRow.Path?

  package init(_ purpose: FormRequest.Purpose) { self.purpose = purpose }

  /// Whether typing finds a row. A schema has many fields, so typing finds one; an operation has few variables, so
  /// typing sets a value.
  var isFoundByTyping: Bool { purpose == .selections || isFinding }

  package var selected: FormRow? { rows.indices.contains(list.selected) ? rows[list.selected] : nil }

  package var title: String { purpose == .selections ? "Fields" : "Variables" }

  mutating func fill(from query: Editor, _ variables: Editor) -> Effect? {
    let wanted = FormRequest(
      purpose: purpose, query: query.buffer, offset: query.cursorOffset, variables: variables.buffer, opened: opened)
    guard wanted != question else { return nil }
    question = wanted
    return .text(.fillForm(wanted))
  }

  /// Replaces the rows. The selection stays on the same path; at first it is the row at the editor's cursor.
  mutating func filled(_ rows: [FormRow], for answered: FormRequest) {
    guard answered == question else { return }
    let path = isFilled ? selected?.path : rows.first(where: \.isAtCursor)?.path
    self.rows = rows
    isFilled = true
    let index = path.flatMap { path in rows.firstIndex { $0.path == path } }
    list.select(index ?? list.selected, count: rows.count)
    guard let item = awaited.flatMap({ path in rows.firstIndex { $0.path == path } }) else { return }
    awaited = nil
    list.select(item + 1, count: rows.count)
  }

  /// Selects the next row whose name contains the text, preferring names that start with it.
  mutating func find(_ text: String) {
    search = text
    let wanted = text.lowercased()
    guard !wanted.isEmpty else { return }
    let order = (list.selected..<rows.count).map { $0 } + (0..<list.selected).map { $0 }
    let matches = order.filter { rows[$0].name.lowercased().contains(wanted) }
    if let match = matches.first(where: { rows[$0].name.lowercased().hasPrefix(wanted) }) ?? matches.first {
      list.selected = match
    }
  }
}

extension FormPopup {
  package func contexts(in state: ExplorerState) -> [KeyContext] { [.form, .everywhere] }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let row = list.scroll + line
    return row < rows.count ? row : nil
  }

  package mutating func click(row: Int, in state: ExplorerState) -> PopupResult {
    list.select(row, count: rows.count)
    return .stay(.invoke(.toggleFold))
  }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if command == .deleteBackward {
      find(String(search.dropLast()))
      return .stay()
    }
    let wasFinding = isFinding
    search = ""
    isFinding = false
    if let step = command.popupStep {
      list.move(by: step, count: rows.count)
      return .stay()
    }
    switch command {
    case .findText:
      isFinding = purpose == .variables
      return .stay()
    // Esc ends the search before it closes the form.
    case .popupClose where wasFinding: return .stay()
    case .popupClose, .openFields, .openVariablesForm: return .close()
    case .runOperation: return .closeAndPassOn
    case .unfoldRow: return unfold()
    case .foldRow: return fold()
    case .toggleFold: return selected.map { $0.isTicked != nil ? change(.toggled($0.path)) : enter($0) } ?? .stay()
    case .popupAccept: return selected.map { enter($0) } ?? .stay()
    case .popupDelete:
      guard let row = selected, row.value != nil || row.isTicked == true else { return .stay() }
      return change(row.isTicked == true ? .toggled(row.path) : .filledIn(row.path, ""))
    default: return .passOn
    }
  }

  package mutating func type(_ text: String, in state: ExplorerState) -> PopupResult {
    guard isFoundByTyping else { return typeValue(text) }
    find(search + text)
    return .stay()
  }

  private func change(_ change: FormEdit) -> PopupResult { .stay(.choose(.form(change))) }

  /// Starts a new value for the selected row with the typed text, or filters its choices.
  private func typeValue(_ text: String) -> PopupResult {
    guard let row = selected else { return .stay() }
    if !row.choices.isEmpty {
      var picker = choices(for: row)
      picker.input = LineEditor(text)
      picker.list = ListCursor()
      return .stay(.present(Popup(picker)))
    }
    if row.isWritable { return .stay(.present(Popup(LinePopup(row, text: text)))) }
    let advice = row.addsObject ? "Enter adds an item" : "\(row.name) is an input object: fill in its fields"
    return .stay(.notice(row.type.contains("[") ? "\(row.name) is a list: choose \"add item\"" : advice))
  }

  private func choices(for row: FormRow) -> PickerPopup {
    let current = row.value.map { $0.hasPrefix("= ") ? String($0.dropFirst(2)) : $0 }
    var picker = PickerPopup(
      .values(row.name), items: row.choices.map { PickerItem(title: $0, choice: .form(.filledIn(row.path, $0))) })
    picker.list.selected = row.choices.firstIndex { $0 == current } ?? 0
    return picker
  }

  /// The path that the item gets which a row adds.
  private func newItem(of row: FormRow) -> FormRow.Path? {
    guard case .variable(let path) = row.path else { return nil }
    let list = path.dropLast()
    let count = rows.count { other in
      guard case .variable(let item) = other.path else { return false }
      return item.count == path.count && item.dropLast() == list && item.last != FormRow.newItem
    }
    return .variable(list + ["\(count)"])
  }

  private mutating func unfold() -> PopupResult {
    guard let row = selected, let isOpen = row.isOpen else { return .stay() }
    if isOpen { list.move(by: 1, count: rows.count) } else { opened[row.path] = true }
    return .stay()
  }

  private mutating func fold() -> PopupResult {
    guard let row = selected else { return .stay() }
    if row.isOpen == true {
      opened[row.path] = false
    } else if let parent = rows[..<list.selected].lastIndex(where: { $0.depth < row.depth }) {
      list.selected = parent
    }
    return .stay()
  }

  /// Edits the value, expands or collapses the row, or ticks it.
  private mutating func enter(_ row: FormRow) -> PopupResult {
    if !row.choices.isEmpty { return .stay(.present(Popup(choices(for: row)))) }
    if row.isWritable { return .stay(.present(Popup(LinePopup(row, text: row.writtenValue)))) }
    if row.addsObject {
      awaited = newItem(of: row)
      return change(.filledIn(row.path, "{}"))
    }
    if let isOpen = row.isOpen {
      opened[row.path] = !isOpen
      return .stay()
    }
    return row.isTicked != nil ? change(.toggled(row.path)) : .stay()
  }
}
