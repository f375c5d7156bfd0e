import ApusSecrets

/// Coordinates endpoints and tabs: going to an endpoint, opening the endpoints of restored and imported tabs, and closing
/// the endpoints without a tab.
extension ExplorerState {
  /// The connection of the shown tab.
  package var connection: ConnectionFeature {
    get { endpoints[tabs.shown.endpoint].connection }
    _modify { yield &endpoints[tabs.shown.endpoint].connection }
  }

  /// The cache inspector of the shown tab's endpoint.
  package var cache: CacheFeature {
    get { endpoints[tabs.shown.endpoint].cache }
    _modify { yield &endpoints[tabs.shown.endpoint].cache }
  }

  /// The audits of the shown tab's endpoint; nil before the first.
  package var audit: AuditProgress? {
    get { endpoints[tabs.shown.endpoint].audit }
    _modify { yield &endpoints[tabs.shown.endpoint].audit }
  }

  // MARK: Going to an endpoint

  /// Presents the endpoints to choose from. The recent ones are added when the history has returned them.
  func pickEndpoint(_ purpose: PickerPopup.Purpose = .endpoints) -> [FollowUp] {
    let profile = connection.profile
    let offered = endpoints.profiles.filter { purpose == .endpoints || $0.name != profile }
    let items = offered.map { choice in
      PickerItem(
        id: choice.name, title: choice.name, detail: choice.url,
        note: choice.isProduction ? "production" : choice.origin,
        tone: choice.isProduction ? .production : choice.name == profile ? .current : .plain)
    }
    var picker = PickerPopup(purpose, items: items)
    picker.list.selected = offered.firstIndex { $0.name == profile } ?? 0
    return [.present(Popup(picker)), .effect(.history(.listEndpoints))]
  }

  /// Goes to an endpoint in one tab. If another tab has the endpoint open, both share it.
  mutating func go(to word: String, inTab id: Int) -> [Effect] {
    guard let index = tabs.index(ofTab: id) else { return [] }
    if let open = endpoints.id(openedBy: word), open != tabs.all[index].endpoint {
      let effects = move(tab: index, to: open)
      showNotice(connection.words, connection.isProduction ? .warning : .information)
      return effects + tab.editors.analysisEffects(for: .query)
    }
    let endpoint = endpoints.newID()
    tabs.all[index].awaitedEndpoint = endpoint
    showNotice("Going to \(word)")
    return [.at(endpoint, .endpoint(.connect(word)))]
  }

  /// Moves a tab to another endpoint. The run in the tab belongs to the previous endpoint, so it is canceled.
  private mutating func move(tab index: Int, to endpoint: EndpointID) -> [Effect] {
    tabs.all[index].awaitedEndpoint = nil
    guard tabs.all[index].endpoint != endpoint else { return [] }
    if index == tabs.shownIndex { popups.closeAll() }
    let effects = endRun(ofTab: index)
    tabs.all[index].content.runOptions.importedURL = ""
    tabs.all[index].content.runOptions.endpointURL = ""
    tabs.all[index].endpoint = endpoint
    return effects + (tabs.run(of: index).map { [.run($0.id, .forget)] } ?? [])
  }

  /// Handles an opened endpoint: the tabs that wait for it start to use it. For the first endpoint, the saved session is
  /// restored unless the user has already typed something.
  mutating func connected(to choice: EndpointChoice, _ workspace: SavedSession?, at id: EndpointID) -> [Effect] {
    if let same = endpoints.id(sameAs: choice, except: id), !isChosenAgain(choice, at: id, same) {
      return join(id, to: same, choice)
    }
    let isFirst = endpoints.areNoneOpen
    let waiting = tabs.all.indices.filter { index in
      let isWithoutEndpoint = !endpoints[tabs.all[index].endpoint].connection.isOpen
      return tabs.all[index].awaitedEndpoint == id || (isFirst && isWithoutEndpoint)
    }
    guard !waiting.isEmpty || endpoints.contains(id) || otherEndpointRun?.endpoint == id else {
      // The tab that requested it was closed or has another endpoint by now.
      return [.at(id, .endpoint(.close))]
    }
    let shown = tabs.shown.endpoint
    var effects = waiting.flatMap { move(tab: $0, to: id) }
    if id == tabs.shown.endpoint { popups.closeAll() }
    if isFirst { endpoints.ofSession = id }
    let notices = endpoints[id].connection.connected(to: choice)
    if isFirst {
      bindHeadersToOpenEndpoints()
      if let workspace, tabs.areUntouched { open(workspace, query: "") }
    }
    endpoints[id].cache = CacheFeature()
    endpoints[id].audit = nil
    let loading = endpoints[id].connection.loadSchema(.server(headers(for: id)))
    effects += follow(loading, at: id)
    if id == tabs.shown.endpoint {
      effects += apply(notices)
      showFileNotice()
      if id == shown { effects += showEndpoint() }
    }
    return effects + runHereToo(at: id)
  }

  /// Whether a profile is chosen again in a tab that has it. It is opened once more, because its settings may have changed.
  private func isChosenAgain(_ choice: EndpointChoice, at id: EndpointID, _ same: EndpointID) -> Bool {
    endpoints[same].connection.profile == choice.name
      && tabs.all.contains { $0.awaitedEndpoint == id && $0.endpoint == same }
  }

  /// Moves the tabs of an opened endpoint to an open one that sends the same requests, so that they share its cache.
  private mutating func join(_ id: EndpointID, to same: EndpointID, _ choice: EndpointChoice) -> [Effect] {
    endpoints[same].connection.setName(from: choice)
    let moved = tabs.all.indices.filter { tabs.all[$0].awaitedEndpoint == id || tabs.all[$0].endpoint == id }
    var effects = moved.flatMap { move(tab: $0, to: same) }
    for index in tabs.closed.indices where tabs.closed[index].endpoint == id { tabs.closed[index].endpoint = same }
    if !endpoints.contains(id) { effects.append(.at(id, .endpoint(.close))) }
    if otherEndpointRun?.endpoint == id { otherEndpointRun?.endpoint = same }
    if moved.contains(tabs.shownIndex) {
      screen.showTheme(named: connection.theme)
      showNotice(connection.words, connection.isProduction ? .warning : .information)
      if !connection.hasSchema, connection.schema != .loading { effects += reloadSchema() }
      effects += tab.editors.analysisEffects(for: .query)
    }
    return effects + runHereToo(at: same)
  }

  /// Applies the theme of the shown endpoint and lists its cache.
  mutating func showEndpoint() -> [Effect] {
    screen.showTheme(named: connection.theme)
    return apply(cache.readAgain())
  }

  /// Handles an endpoint that cannot be opened. A tab that waits for it keeps the previous one.
  mutating func connectingFailed(_ reason: String, at id: EndpointID) {
    stopAwaiting(id)
    if otherEndpointRun?.endpoint == id { otherEndpointRun = nil }
    if endpoints.contains(id) { endpoints[id].connection.failed(reason) }
    showNotice(reason, .warning)
  }

  /// Presents a question that must be answered before an endpoint is opened, if a tab that needs the endpoint is shown.
  mutating func ask(_ question: ConfirmationPopup, before id: EndpointID) -> [Effect] {
    let isShown = tabs.shown.endpoint == id || tabs.shown.awaitedEndpoint == id || otherEndpointRun?.endpoint == id
    guard isShown else {
      stopAwaiting(id)
      if endpoints.contains(id) { endpoints[id].connection.wait() }
      return []
    }
    if endpoints.contains(id) { endpoints[id].connection.phase = .asking }
    var question = question
    if case .effect(let effect) = question.confirmation { question.confirmation = .effect(.at(id, effect)) }
    return present(question)
  }

  private mutating func stopAwaiting(_ id: EndpointID) {
    for index in tabs.all.indices where tabs.all[index].awaitedEndpoint == id { tabs.all[index].awaitedEndpoint = nil }
  }

  // MARK: Restored and imported tabs

  /// Opens the endpoint of the shown tab if no tab has shown it before.
  mutating func openWaitingEndpoint() -> [Effect] {
    guard connection.phase == .waiting, popups.isEmpty, let word = connection.word else { return [] }
    let id = tabs.shown.endpoint
    switch connection.source {
    case .user: return []
    case .session:
      connection.phase = .opening
      return [.at(id, .endpoint(.connect(word, restoring: connection.endpoint)))]
    case .imported(let fallback):
      connection.phase = .asking
      let before = endpoints[fallback].connection
      return present(
        ConfirmationPopup(
          question: "Open \(connection.endpoint)?",
          detail: "The request is for this endpoint; \(before.isOpen ? "\(before.endpoint)" : "no endpoint") is open.",
          lines: connection.endpoint == word ? [] : ["Full URL:", Redactor().text(word)],
          confirmation: .effect(.at(id, .endpoint(.connect(word)))), refusal: .send(.importedEndpointDeclined(id))))
    }
  }

  /// Moves the tabs of an import to the endpoint of the tab where they were imported.
  mutating func decline(_ id: EndpointID) -> [Effect] {
    guard endpoints.contains(id), case .imported(let fallback) = endpoints[id].connection.source else { return [] }
    let effects = tabs.all.indices.filter { tabs.all[$0].endpoint == id }.flatMap { move(tab: $0, to: fallback) }
    return effects + tab.editors.analysisEffects(for: .query)
  }

  /// Returns the endpoint of an imported request, which is opened when its tab is shown. It is the endpoint of the tab where
  /// the request was imported if the request is for it, or if its URL contains a variable.
  mutating func endpoint(ofImported url: String, importedAt current: EndpointID) -> EndpointID {
    let connection = endpoints[current].connection
    if url.isEmpty || url.contains("{{") || connection.isAt(url) || connection.isOpened(by: url) { return current }
    if let open = endpoints.id(openedBy: url) { return open }
    var imported = ConnectionFeature(endpoint: RedactedURL.withoutSecrets(url))
    imported.word = url
    var fallback = current
    if case .imported(let before) = connection.source { fallback = before }
    imported.source = .imported(fallback: fallback)
    imported.wait()
    return endpoints.add(imported)
  }

  /// Moves the shown tab to the endpoint of its imported URL if all references of the URL have values.
  mutating func goToImportedURL() -> [Effect] {
    guard let url = tab.runOptions.filledURL else { return [] }
    let (imported, isFirst) = (tab.runOptions.importedURL, tab.runOptions.endpointURL.isEmpty)
    tab.runOptions.importedURL = ""
    // With another value, the tab's headers and extensions stay those of the first server.
    let headers = isFirst ? tab.editors.headers.text : ""
    if !headers.isEmpty { tab.editors.headerOrigins = HeaderOrigins(importing: headers, for: Origin(url: url)) }
    if isFirst, !tab.extensions.draft.isEmpty {
      tab.extensions = RequestExtensions(tab.extensions.draft, for: .init(imported: url))
    }
    if isFirst, !tab.runOptions.subscriptionURL.isEmpty { tab.runOptions.subscriptionOrigin = Origin(url: url) }
    let effects = move(tab: tabs.shownIndex, to: endpoint(ofImported: url, importedAt: tabs.shown.endpoint))
    tab.runOptions.endpointURL = imported
    return effects + tab.editors.analysisEffects(for: .query)
  }

  /// Opens the endpoint of the shown tab again if it is not open; nil if it is.
  mutating func openBeforeUse() -> [Effect]? {
    guard connection.isOpen, connection.phase != .open else { return nil }
    if connection.phase == .opening {
      showNotice("\(connection.endpoint) is being opened: try again when it is open", .warning)
      return []
    }
    if connection.word == nil, case .unavailable(let reason) = connection.schema { showNotice(reason, .warning) }
    connection.wait()
    return openWaitingEndpoint()
  }

  // MARK: Effects

  /// Applies the follow-ups of a feature of an endpoint. For an endpoint that is not shown, only the effects count.
  mutating func follow(_ followUps: [FollowUp], at id: EndpointID) -> [Effect] {
    if id == tabs.shown.endpoint { return apply(followUps) }
    return followUps.compactMap { if case .effect(let effect) = $0 { .at(id, effect) } else { nil } }
  }

  /// Closes the endpoints that are not used by a tab or by a closed tab that can be reopened.
  mutating func closeUnusedEndpoints() -> [Effect] {
    var used = Set((tabs.all + tabs.closed).map(\.endpoint))
    // The application's requests are opened there.
    if requests != nil { used.insert(.first) }
    for case .imported(let fallback) in used.map({ endpoints[$0].connection.source }) { used.insert(fallback) }
    return endpoints.removeAll(except: used).map { .at($0, .endpoint(.close)) }
  }

  /// Returns the headers of the shown tab, or of the first tab at an endpoint that is not shown.
  func headers(for id: EndpointID) -> TabHeaders {
    guard id != tabs.shown.endpoint, let tab = tabs.all.first(where: { $0.endpoint == id }) else {
      return id == tabs.shown.endpoint ? headers : []
    }
    return tab.content.editors.completeHeaders(for: endpoints[id].connection.origin)
  }

  // MARK: Names on the screen

  /// The title of the terminal's window: the endpoint of the shown tab.
  package var windowTitle: String {
    guard connection.isOpen else { return "apus" }
    return "apus \(connection.profile.map { "\($0) " } ?? "")\(connection.endpoint)"
  }

  /// The number of a tab, with its title, and its endpoint if the tabs have several: `Tab 2 (Birds, staging)`.
  func name(ofTab index: Int) -> String {
    let details = [tabs.all[index].title, endpointLabel(ofTab: index)?.name].compactMap(\.self)
    return "Tab \(index + 1)" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")
  }

  /// The short name of a tab's endpoint; nil if all tabs have the same one. Endpoints at one host are named by their paths.
  package func endpointLabel(ofTab index: Int) -> (name: String, isProduction: Bool)? {
    guard Set(tabs.all.map(\.endpoint)).count > 1, tabs.all.indices.contains(index) else { return nil }
    let connection = endpoints[tabs.all[index].endpoint].connection
    guard connection.isOpen else { return nil }
    let others = Set(tabs.all.map(\.endpoint)).subtracting([tabs.all[index].endpoint])
    let isAlone = !others.contains { endpoints[$0].connection.label == connection.label }
    return (isAlone ? connection.label : connection.profile ?? connection.address, connection.isProduction)
  }
}
