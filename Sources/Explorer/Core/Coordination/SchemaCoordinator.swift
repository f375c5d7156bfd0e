import ApusExplorerText

/// Coordinates the schema and the query: the initial example, and queries generated in the schema popup.
extension ExplorerState {
  mutating func receive(_ answer: SchemaAction, of id: EndpointID) -> [Effect] {
    guard endpoints.contains(id) else { return [] }
    let followUps = endpoints[id].connection.receive(answer)
    let effects = follow(followUps, at: id)
    guard case .loaded(_, let example) = answer, id == tabs.shown.endpoint else { return effects }
    if let example, tabs.awaitsExample, tab.editors.query.version == 0 {
      tab.editors.query = Editor(example, language: .graphQL)
      tabs.shown.numberVersions()
    }
    tabs.awaitsExample = false
    // The analysis is repeated because the schema allows fields to be validated now.
    return effects + tab.editors.analysisEffects(for: .query)
  }

  /// Loads the schema of the open endpoint, or presents the endpoints to choose from.
  mutating func begin() -> [Effect] {
    apply(connection.isOpen ? connection.loadSchema(.server(headers)) : pickEndpoint())
  }

  mutating func reloadSchema() -> [Effect] {
    openBeforeUse() ?? askAboutWithheldHeaders(before: .schema)
      ?? apply(connection.loadSchema(.server(headers)))
  }

  /// Requests a refused schema again with the headers of this tab, once the user has typed or sent them.
  mutating func askForRefusedSchema() -> [Effect] {
    guard case .unavailable = connection.schema else { return [] }
    if tab.response.isBusy { connection.sent(with: headers) }
    return apply(connection.askAgain(with: headers))
  }

  /// Requests a refused schema again after the credentials were renewed.
  mutating func credentialsRenewed(at id: EndpointID) -> [Effect] {
    showNotice("Renewed the credentials: F5 runs the operation with them")
    guard case .unavailable = endpoints[id].connection.schema else { return [] }
    let loading = endpoints[id].connection.loadSchema(.server(headers(for: id)))
    return follow(loading, at: id)
  }

  /// Inserts a query generated from the schema after the existing text.
  mutating func insertQuery(_ text: String) -> [Effect] {
    guard popups.last?.state is SchemaPopup else { return [] }
    // The variables of such a query are its required arguments.
    if text.contains("$") { showNotice("The query needs variables: Alt-v fills them in") }
    return focus(on: .query) + tab.editors.insertQuery(text)
  }

  // MARK: Forms

  mutating func openForm(_ purpose: FormRequest.Purpose) -> [Effect] {
    let effects = focus(on: purpose == .selections ? .query : .variables)
    return effects + present(FormPopup(purpose))
  }

  mutating func change(_ change: FormEdit) -> [Effect] {
    EditorSnapshot(self).map { [.text(.queryLanguageService(.form(change, $0)))] } ?? []
  }

  /// Presents the input line again after invalid input, with the text that was typed.
  mutating func askAgain(_ path: FormRow.Path, _ text: String, _ reason: String) {
    screen.notice = Notice(reason, .warning)
    guard let form = popups.last?.state as? FormPopup, let row = form.rows.first(where: { $0.path == path }) else {
      return
    }
    popups.present(Popup(LinePopup(row, text: text)))
  }
}
