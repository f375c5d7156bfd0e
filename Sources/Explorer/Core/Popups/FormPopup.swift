import ApusExplorerText

/// The schema as a tree to tick, or the variables as fields to fill in, beside the text that it writes.
package struct FormState: PopupState {
  package let purpose: FormQuestion.Purpose
  package var rows: [FormRow] = []
  package var list = ListCursor()
  /// Letters that were typed to find a row.
  package var search = ""
  /// Whether what is typed finds a row of the variables; else it is the value of the selected one.
  package var isFinding = false
  var opened: [FormRow.Path: Bool] = [:]
  /// What the rows are of, or will be.
  private var question: FormQuestion?
  package private(set) var isFilled = false

  package init(_ purpose: FormQuestion.Purpose) { self.purpose = purpose }

  /// The fields of a schema are many and are ticked, so that they are found by typing. The variables of an operation are
  /// few and are filled in.
  var isFoundByTyping: Bool { purpose == .selections || isFinding }

  package var selected: FormRow? { rows.indices.contains(list.selected) ? rows[list.selected] : nil }

  package var title: String { purpose == .selections ? "Fields" : "Variables" }

  mutating func fill(from query: Editor, _ variables: Editor) -> Effect? {
    let wanted = FormQuestion(
      purpose: purpose, query: query.buffer, offset: query.cursorOffset, variables: variables.buffer, opened: opened)
    guard wanted != question else { return nil }
    question = wanted
    return .fillForm(wanted)
  }

  /// Takes rows; the selected one is found again by what it is, at first the one that the text's cursor is in.
  mutating func filled(_ rows: [FormRow], for answered: FormQuestion) {
    guard answered == question else { return }
    let path = isFilled ? selected?.path : rows.first(where: \.isAtCursor)?.path
    self.rows = rows
    isFilled = true
    let place = path.flatMap { path in rows.firstIndex { $0.path == path } }
    list.select(place ?? list.selected, count: rows.count)
  }

  /// Goes to the next row whose name has the letters.
  mutating func find(_ text: String) {
    search = text
    let wanted = text.lowercased()
    guard !wanted.isEmpty else { return }
    let order = (list.selected..<rows.count).map { $0 } + (0..<list.selected).map { $0 }
    let places = order.filter { rows[$0].name.lowercased().contains(wanted) }
    if let place = places.first(where: { rows[$0].name.lowercased().hasPrefix(wanted) }) ?? places.first {
      list.selected = place
    }
  }
}

extension FormState {
  package var popup: Popup { .form(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.form, .everywhere] }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let row = list.scroll + line
    return row < rows.count ? row : nil
  }

  package func click(row: Int, on state: inout ExplorerState) -> [Effect] {
    var clicked = self
    clicked.list.select(row, count: rows.count)
    return clicked.show(on: &state) + state.invoke(.toggleFold)
  }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    var form = self
    if command == .deleteBackward {
      form.find(String(search.dropLast()))
      return form.show(on: &state)
    }
    form.search = ""
    form.isFinding = false
    _ = form.show(on: &state)
    if let step = command.popupStep {
      form.list.move(by: step, count: rows.count)
      return form.show(on: &state)
    }
    switch command {
    case .findText:
      form.isFinding = purpose == .variables
      return form.show(on: &state)
    // What is found is left before the form is.
    case .popupClose where isFinding: return []
    case .popupClose, .openFields, .openVariablesForm: return close(on: &state)
    case .unfoldRow: return form.unfold(on: &state)
    case .foldRow: return form.fold(on: &state)
    case .toggleFold: return selected.map { form.tick($0, on: &state) } ?? []
    case .popupAccept: return selected.map { form.enter($0, on: &state) } ?? []
    case .popupDelete:
      guard let row = selected, row.value != nil || row.isTicked == true else { return [] }
      return state.change(row.isTicked == true ? .toggled(row.path) : .filledIn(row.path, ""))
    default: return nil
    }
  }

  package func type(_ text: String, on state: inout ExplorerState) -> [Effect]? {
    guard isFoundByTyping else { return typeValue(text, on: &state) }
    var form = self
    form.find(search + text)
    return form.show(on: &state)
  }

  /// What is typed on a row begins its value anew; where the values can be counted it narrows them.
  private func typeValue(_ text: String, on state: inout ExplorerState) -> [Effect] {
    guard let row = selected else { return [] }
    if !row.choices.isEmpty {
      var picker = choices(for: row)
      picker.input = LineEditor(text)
      picker.list = ListCursor()
      return state.present(.picker(picker))
    }
    if row.isWritable { return state.present(.line(LineState(row, text: text))) }
    state.screen.notice = Notice("\(row.name) has fields of its own: these are filled in")
    return []
  }

  private func choices(for row: FormRow) -> PickerState {
    let current = row.value.map { $0.hasPrefix("= ") ? String($0.dropFirst(2)) : $0 }
    var picker = PickerState(
      .values(row.name), items: row.choices.map { PickerItem(title: $0, choice: .value(row.path, $0)) })
    picker.list.selected = row.choices.firstIndex { $0 == current } ?? 0
    return picker
  }

  private func unfold(on state: inout ExplorerState) -> [Effect] {
    var form = self
    guard let row = selected, let isOpen = row.isOpen else { return [] }
    if isOpen { form.list.move(by: 1, count: rows.count) } else { form.opened[row.path] = true }
    return form.show(on: &state)
  }

  private func fold(on state: inout ExplorerState) -> [Effect] {
    var form = self
    guard let row = selected else { return [] }
    if row.isOpen == true {
      form.opened[row.path] = false
    } else if let parent = rows[..<list.selected].lastIndex(where: { $0.depth < row.depth }) {
      form.list.selected = parent
    }
    return form.show(on: &state)
  }

  private func tick(_ row: FormRow, on state: inout ExplorerState) -> [Effect] {
    row.isTicked != nil ? state.change(.toggled(row.path)) : enter(row, on: &state)
  }

  /// Asks for a value, or opens and closes what has something in it, or ticks.
  private func enter(_ row: FormRow, on state: inout ExplorerState) -> [Effect] {
    if !row.choices.isEmpty { return state.present(.picker(choices(for: row))) }
    if row.isWritable { return state.present(.line(LineState(row, text: row.writtenValue))) }
    if let isOpen = row.isOpen {
      var form = self
      form.opened[row.path] = !isOpen
      return form.show(on: &state)
    }
    return row.isTicked != nil ? state.change(.toggled(row.path)) : []
  }
}
