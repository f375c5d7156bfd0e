/// Coordinates the pinned response and running an operation on two endpoints. A pinned response outlives its tab, run
/// and connection.
extension ExplorerState {
  /// Pins the response, or unpins the pinned one.
  mutating func pinResponse() -> [Effect] {
    guard pinned == nil else {
      unpin()
      tell("Unpinned the response")
      return []
    }
    guard let response = PinnedResponse(tab.response, endpoint: connection.profile ?? connection.endpoint) else {
      return []
    }
    pinned = response
    tell("Pinned: later responses appear next to it (K unpins; d in another tab compares)")
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
    return tab.response.run == nil || tab.response.tree.data == nil ? "There is no response" : nil
  }

  /// Aligns the pinned response with the response shown next to it.
  mutating func alignPinned() {
    guard pinned != nil, tab.response.isBesidePinned else { return }
    let shown = tab.response.tree
    pinned?.align(with: shown)
  }

  // MARK: Two endpoints

  var reasonAgainstRunningElsewhereToo: String? {
    if tab.texts.query.buffer.isEmpty { return "The query is empty" }
    if !connection.isOpen { return "No endpoint is open" }
    if tab.response.isBusy { return "The operation is still running" }
    if connection.isProduction, tab.texts.mayMutate, !hasResponseOfTexts {
      return "Run the mutation on this endpoint first: production needs a separate confirmation"
    }
    return nil
  }

  /// Whether the shown response belongs to the current text and headers.
  private var hasResponseOfTexts: Bool {
    guard let run = tab.response.run, run.phase == .complete, let request = run.request else { return false }
    return request.text == tab.texts.query.text && request.variables == tab.texts.variables.text
      && request.headers == headers && tab.response.tree.data != nil
  }

  func pickOtherEndpoint() -> [FollowUp] { pickEndpoint(.otherEndpoint) }

  /// Runs the operation here if it has no response yet, then pins the response, opens the other endpoint in a new tab
  /// and runs there. This tab stays at its endpoint.
  mutating func runOnOtherEndpoint(_ endpoint: String) -> [Effect] {
    if let effects = openBeforeUse() ?? askAboutWithheldHeaders(before: .runOnOtherEndpoint(endpoint)) {
      return effects
    }
    elsewhere = RunElsewhere(word: endpoint, tab: tabs.shown.id)
    if hasResponseOfTexts { return goElsewhere() }
    let effects = runOperation()
    elsewhere?.awaitedRun = tabs.lastRun
    return effects
  }

  /// Continues on the other endpoint when the run on this one has completed.
  mutating func endedHere(_ run: Int, _ answer: RunAnswer) -> [Effect] {
    guard elsewhere?.awaitedRun == run else { return [] }
    if answer == .completed { return goElsewhere() }
    if tabs.index(ofRun: run).map({ tabs.all[$0].content.response.isBusy }) != true { elsewhere = nil }
    return []
  }

  private mutating func goElsewhere() -> [Effect] {
    guard let word = elsewhere?.word, let index = elsewhere.flatMap({ tabs.index(ofTab: $0.tab) }) else {
      elsewhere = nil
      return []
    }
    unpin()
    let here = endpoints[tabs.all[index].endpoint].connection
    pinned = PinnedResponse(tabs.all[index].content.response, endpoint: here.profile ?? here.endpoint)
    let open = endpoints.id(openedBy: word)
    let endpoint = open ?? endpoints.newID()
    elsewhere?.awaitedRun = nil
    elsewhere?.endpoint = endpoint
    if open != nil { return runHereToo(at: endpoint) }
    tell("Pinned; opening \(word)")
    return [.at(endpoint, .connect(word))]
  }

  /// Runs the operation in a new tab at the other endpoint, which is open now. Headers typed for the first endpoint stay in
  /// its tab.
  mutating func runHereToo(at endpoint: EndpointID) -> [Effect] {
    guard let wanted = elsewhere, wanted.endpoint == endpoint else { return [] }
    elsewhere = nil
    guard let index = tabs.index(ofTab: wanted.tab) else { return [] }
    let source = tabs.all[index].content
    var content = TabContent(
      query: source.texts.query.text, variables: source.texts.variables.text, cachePolicy: source.cachePolicy)
    content.runOptions = source.runOptions
    content.texts.query.place(source.texts.query.cursor)
    content.texts.queryAnalysis = source.texts.queryAnalysis
    popups.closeAll()
    tabs.shownIndex = index
    let effects = openTab(content, at: endpoint)
    return effects + focus(on: .response) + runOperation()
  }
}
