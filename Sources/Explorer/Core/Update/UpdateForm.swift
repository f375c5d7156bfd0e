import ApusExplorerText

/// The field tree and the variables' form: rows to tick and to fill in beside the text.
extension ExplorerState {
  mutating func openForm(_ purpose: FormQuestion.Purpose) -> [Effect] {
    let effects = focus(on: purpose == .selections ? .query : .variables)
    popups.append(.form(FormState(purpose)))
    return effects
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
