import ApusSecrets

/// Coordinates the pinned response and running an operation on two endpoints. A pinned response outlives its tab, run
/// and connection.
extension ExplorerState {
  /// Pins the response, or unpins the pinned one.
  mutating func pinResponse() -> [Effect] {
    guard pinned == nil else {
      unpin()
      showNotice("Unpinned the response")
      return []
    }
    guard let response = PinnedResponse(tab.response, endpoint: connection.profile ?? connection.endpoint) else {
      return []
    }
    pinned = response
    showNotice("Pinned: later responses appear next to it (K unpins; d in another tab compares)")
    return []
  }

  private mutating func unpin() {
    pinned = nil
    for index in tabs.all.indices where tabs.all[index].content.response.reading.comparison?.isWithPinned == true {
      _ = tabs.all[index].content.response.leaveComparison()
    }
  }

  mutating func compareResponse() -> [Effect] {
    let pinned = pinned
    return inResponse { $0.compare(with: pinned) }
  }

  var reasonAgainstPinning: String? {
    if pinned != nil { return nil }
    if tab.response.isBusy { return "The operation is still running" }
    return tab.response.reasonAgainstReading
  }

  /// Aligns the pinned response with the response shown next to it.
  mutating func alignPinned() {
    guard pinned != nil, tab.response.isBesidePinned else { return }
    let shown = tab.response.tree
    pinned?.align(with: shown)
  }

  // MARK: Two endpoints

  var reasonAgainstRunningElsewhereToo: String? {
    if tab.editors.query.buffer.isEmpty { return "The query is empty" }
    if !connection.isOpen { return "No endpoint is open" }
    if tab.response.isBusy { return "The operation is still running" }
    if connection.isProduction, tab.editors.mayMutate, !hasResponseOfTexts {
      return "Run the mutation on this endpoint first: production needs a separate confirmation"
    }
    return nil
  }

  /// Whether the shown response belongs to the current text and headers.
  private var hasResponseOfTexts: Bool {
    guard let run = tab.response.run, run.phase == .complete, let request = run.request else { return false }
    return request.draft.query == tab.editors.query.draft && request.draft.variables == tab.editors.variables.draft
      && request.draft.options.references == tab.runOptions.references && request.headers == headers
      && tab.response.content != .nothing
  }

  func pickOtherEndpoint() -> [FollowUp] { pickEndpoint(.otherEndpoint) }

  /// Runs the operation here if it has no response yet, then pins the response, opens the other endpoint in a new tab
  /// and runs there. This tab stays at its endpoint.
  mutating func runOnOtherEndpoint(_ endpoint: String) -> [Effect] {
    let question = openBeforeUse() ?? askForSecret() ?? askAboutWithheldHeaders(before: .runOnOtherEndpoint(endpoint))
    if let question { return question }
    otherEndpointRun = OtherEndpointRun(word: endpoint, tab: tabs.shown.id)
    if hasResponseOfTexts { return goElsewhere() }
    let effects = runOperation()
    otherEndpointRun?.awaitedRun = tabs.lastRun
    return effects
  }

  /// Continues on the other endpoint when the run on this one has completed.
  mutating func endedHere(_ run: Int, _ answer: RunAction) -> [Effect] {
    guard otherEndpointRun?.awaitedRun == run else { return [] }
    if answer == .completed { return goElsewhere() }
    if tabs.index(ofRun: run).map({ tabs.all[$0].content.response.isBusy }) != true { otherEndpointRun = nil }
    return []
  }

  private mutating func goElsewhere() -> [Effect] {
    guard let word = otherEndpointRun?.word, let index = otherEndpointRun.flatMap({ tabs.index(ofTab: $0.tab) }) else {
      otherEndpointRun = nil
      return []
    }
    unpin()
    let here = endpoints[tabs.all[index].endpoint].connection
    pinned = PinnedResponse(tabs.all[index].content.response, endpoint: here.profile ?? here.endpoint)
    let open = endpoints.id(openedBy: word)
    let endpoint = open ?? endpoints.newID()
    otherEndpointRun?.awaitedRun = nil
    otherEndpointRun?.endpoint = endpoint
    if open != nil { return runHereToo(at: endpoint) }
    showNotice("Pinned; opening \(word)")
    return [.at(endpoint, .endpoint(.connect(word)))]
  }

  /// Runs the operation in a new tab at the other endpoint, which is open now. Headers typed for the first endpoint stay in
  /// its tab.
  mutating func runHereToo(at endpoint: EndpointID) -> [Effect] {
    guard let requested = otherEndpointRun, requested.endpoint == endpoint else { return [] }
    otherEndpointRun = nil
    guard let index = tabs.index(ofTab: requested.tab) else { return [] }
    let source = tabs.all[index].content
    var draft = source.draft
    draft.extensions = DraftText()
    draft.options.endpointURL = ""
    var content = TabContent(draft)
    content.editors.query.moveCursor(source.editors.query.cursor)
    content.editors.queryAnalysis = source.editors.queryAnalysis
    popups.closeAll()
    tabs.shownIndex = index
    let effects = openTab(content, at: endpoint)
    return effects + focus(on: .response) + runOperation()
  }
}
