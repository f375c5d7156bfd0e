import ApusExplorerText

/// Between the schema and the query: an example to begin with, and what the schema explorer makes. This crosses rooms.
extension ExplorerState {
  mutating func receive(_ answer: SchemaAnswer) -> [Effect] {
    let effects = follow(connection.receive(answer))
    guard case .loaded(_, let example) = answer else { return effects }
    if let example, tabs.awaitsExample, tab.texts.query.version == 0 {
      tab.texts.query = Editor(example, language: .graphQL)
      tabs.shown.numberVersions()
    }
    tabs.awaitsExample = false
    // The text is judged anew: fields can be checked now.
    return effects + tab.texts.analysisEffects(for: .query)
  }

  /// Asks for the schema of the endpoint that is open, or what is to be opened.
  mutating func begin() -> [Effect] {
    follow(connection.isOpen ? connection.loadSchema(.server(headers)) : connection.pickEndpoint())
  }

  mutating func reloadSchema() -> [Effect] {
    askAboutWithheldHeaders(before: .schema) ?? follow(connection.loadSchema(.server(headers)))
  }

  /// A schema that was refused may be given to who has the headers of this tab, once the person has written or sent them.
  mutating func askForRefusedSchema() -> [Effect] {
    guard case .unavailable = connection.schema else { return [] }
    if tab.response.isBusy { connection.sent(with: headers) }
    return follow(connection.askAgain(with: headers))
  }

  /// New credentials are at hand: a schema that was refused to the old ones is asked for again.
  mutating func credentialsRenewed() -> [Effect] {
    tell("The credentials are new: F5 runs the operation with them")
    guard case .unavailable = connection.schema else { return [] }
    return follow(connection.loadSchema(.server(headers)))
  }

  /// Puts a query that was made from the schema behind the ones that are there.
  mutating func insertQuery(_ text: String) -> [Effect] {
    guard popups.last?.state is SchemaExplorerState else { return [] }
    return focus(on: .query) + tab.texts.insertQuery(text)
  }

  // MARK: Forms

  mutating func openForm(_ purpose: FormQuestion.Purpose) -> [Effect] {
    let effects = focus(on: purpose == .selections ? .query : .variables)
    return effects + present(FormState(purpose))
  }

  mutating func change(_ change: FormChange) -> [Effect] {
    TextSnapshot(self).map { [.ask(.form(change, $0))] } ?? []
  }

  /// What was typed is none: the line stays, with it in it.
  mutating func askAgain(_ path: FormRow.Path, _ text: String, _ reason: String) {
    screen.notice = Notice(reason, .warning)
    guard let form = popups.last?.state as? FormState, let row = form.rows.first(where: { $0.path == path }) else {
      return
    }
    popups.present(Popup(LineState(row, text: text)))
  }
}
