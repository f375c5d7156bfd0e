import ExplorerText

/// The field tree and the variables' form: rows to tick and to fill in beside the text.
extension ExplorerState {
  mutating func openForm(_ purpose: FormQuestion.Purpose) -> [Effect] {
    let effects = focus(on: purpose == .selections ? .query : .variables)
    popups.append(.form(FormState(purpose)))
    return effects
  }

  mutating func invokeInForm(_ command: Command, _ given: FormState) -> [Effect]? {
    var form = given
    var effects: [Effect] = []
    if command != .deleteBackward {
      form.search = ""
      form.isFinding = false
      popups[popups.count - 1] = .form(form)
    }
    if let step = popupStep(of: command) {
      form.list.move(by: step, count: form.rows.count)
    } else {
      switch command {
      case .deleteBackward: form.find(String(form.search.dropLast()))
      case .findText: form.isFinding = form.purpose == .variables
      // What is found is left before the form is.
      case .popupClose where given.isFinding: break
      case .popupClose, .openFields, .openVariablesForm:
        popups.removeLast()
        return []
      case .unfoldRow: return unfold(form)
      case .foldRow: fold(&form)
      case .toggleFold: return form.selected.map { tick($0) } ?? []
      case .popupAccept: return form.selected.map { enter($0, &form) } ?? []
      case .popupDelete:
        guard let row = form.selected, row.value != nil || row.isTicked == true else { return [] }
        effects = row.isTicked == true ? change(.toggled(row.path)) : change(.filledIn(row.path, ""))
      default: return nil
      }
    }
    popups[popups.count - 1] = .form(form)
    return effects
  }

  mutating func typeInForm(_ text: String, _ given: FormState) -> [Effect] {
    var form = given
    guard form.isFoundByTyping else { return typeValue(text, form) }
    form.find(given.search + text)
    popups[popups.count - 1] = .form(form)
    return []
  }

  /// What is typed on a row begins its value anew; where the values can be counted it narrows them.
  private mutating func typeValue(_ text: String, _ form: FormState) -> [Effect] {
    guard let row = form.selected else { return [] }
    if !row.choices.isEmpty {
      var picker = choices(for: row)
      picker.input = LineEditor(text)
      picker.list = ListCursor()
      popups.append(.picker(picker))
    } else if row.isWritable {
      popups.append(.line(LineState(row, text: text)))
    } else {
      notice = Notice("\(row.name) has fields of its own: these are filled in")
    }
    return []
  }

  private func choices(for row: FormRow) -> PickerState {
    let current = row.value.map { $0.hasPrefix("= ") ? String($0.dropFirst(2)) : $0 }
    var picker = PickerState(
      .values(row.name), items: row.choices.map { PickerItem(title: $0, choice: .value(row.path, $0)) })
    picker.list.selected = row.choices.firstIndex { $0 == current } ?? 0
    return picker
  }

  private mutating func unfold(_ given: FormState) -> [Effect] {
    var form = given
    guard let row = form.selected, let isOpen = row.isOpen else { return [] }
    if isOpen { form.list.move(by: 1, count: form.rows.count) } else { form.opened[row.path] = true }
    popups[popups.count - 1] = .form(form)
    return []
  }

  private func fold(_ form: inout FormState) {
    guard let row = form.selected else { return }
    if row.isOpen == true {
      form.opened[row.path] = false
    } else if let parent = form.rows[..<form.list.selected].lastIndex(where: { $0.depth < row.depth }) {
      form.list.selected = parent
    }
  }

  private mutating func tick(_ row: FormRow) -> [Effect] {
    if row.isTicked != nil { return change(.toggled(row.path)) }
    guard case .form(var form)? = popups.last else { return [] }
    return enter(row, &form)
  }

  /// Asks for a value, or opens and closes what has something in it, or ticks.
  private mutating func enter(_ row: FormRow, _ form: inout FormState) -> [Effect] {
    if !row.choices.isEmpty {
      popups.append(.picker(choices(for: row)))
    } else if row.isWritable {
      popups.append(.line(LineState(row, text: row.writtenValue)))
    } else if let isOpen = row.isOpen {
      form.opened[row.path] = !isOpen
      popups[popups.count - 1] = .form(form)
    } else if row.isTicked != nil {
      return change(.toggled(row.path))
    }
    return []
  }

  mutating func change(_ change: FormChange) -> [Effect] {
    TextSnapshot(self).map { [.ask(.form(change, $0))] } ?? []
  }

  /// What was typed is none: the line stays, with it in it.
  mutating func askAgain(_ path: FormRow.Path, _ text: String, _ reason: String) {
    notice = Notice(reason, .warning)
    guard case .form(let form)? = popups.last, let row = form.rows.first(where: { $0.path == path }) else { return }
    popups.append(.line(LineState(row, text: text)))
  }

  mutating func receiveForm(_ rows: [FormRow], _ question: FormQuestion) {
    guard let place = popups.lastIndex(where: { if case .form = $0 { true } else { false } }),
      case .form(var form) = popups[place]
    else { return }
    form.filled(rows, for: question)
    popups[place] = .form(form)
  }
}
