/// Coordinates the pinned response and running an operation on two endpoints. A pinned response outlives its tab, run
/// and connection.
extension ExplorerState {
  /// Pins the response, or unpins the pinned one.
  mutating func pinResponse() -> [Effect] {
    guard pinned == nil else {
      unpin()
      tell("No response is kept beside any more")
      return []
    }
    guard let response = PinnedResponse(tab.response, endpoint: connection.profile ?? connection.endpoint) else {
      return []
    }
    pinned = response
    tell("Kept: what comes next stands beside it (K lets it go; d in another tab compares)")
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
    if tab.response.isBusy { return "The operation still runs" }
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
    if tab.response.isBusy { return "The operation still runs" }
    if connection.isProduction, tab.texts.mayMutate, !hasResponseOfTexts {
      return "Run it here first: what changes production is asked about by itself"
    }
    return nil
  }

  /// Whether the shown response belongs to the current text and headers.
  private var hasResponseOfTexts: Bool {
    guard let run = tab.response.run, run.phase == .complete, let request = run.request else { return false }
    return request.text == tab.texts.query.text && request.variables == tab.texts.variables.text
      && request.headers == headers && tab.response.tree.data != nil
  }

  func pickOtherEndpoint() -> [FollowUp] { connection.pickEndpoint(.otherEndpoint) }

  /// Runs the operation here if it has no response yet, then pins the response, switches to the other endpoint
  /// and runs there.
  mutating func runElsewhereToo(_ endpoint: String) -> [Effect] {
    if let effects = askAboutWithheldHeaders(before: .runElsewhereToo(endpoint)) { return effects }
    elsewhere = RunElsewhere(endpoint: endpoint)
    if hasResponseOfTexts { return goElsewhere() }
    let effects = runOperation()
    elsewhere?.awaitedRun = tabs.lastRun
    return effects
  }

  /// Continues on the other endpoint when the run on this one has completed.
  mutating func endedHere(_ run: Int, _ answer: RunAnswer) -> [Effect] {
    guard elsewhere?.awaitedRun == run else { return [] }
    if answer == .completed, tab.response.run?.id == run { return goElsewhere() }
    if tabs.index(ofRun: run).map({ tabs.all[$0].content.response.isBusy }) != true { elsewhere = nil }
    return []
  }

  private mutating func goElsewhere() -> [Effect] {
    guard let endpoint = elsewhere?.endpoint else { return [] }
    elsewhere?.awaitedRun = nil
    unpin()
    pinned = PinnedResponse(tab.response, endpoint: connection.profile ?? connection.endpoint)
    tell("Kept; going to \(endpoint)")
    return [.connect(endpoint)]
  }

  /// Runs the operation in a new tab after the switch to the other endpoint. Headers typed for the previous endpoint
  /// stay in its tab.
  mutating func runHereToo(_ choice: EndpointChoice) -> [Effect] {
    guard let wanted = elsewhere, wanted.awaitedRun == nil else { return [] }
    elsewhere = nil
    var content = TabContent(
      query: tab.texts.query.text, variables: tab.texts.variables.text, cachePolicy: tab.cachePolicy)
    content.texts.query.place(tab.texts.query.cursor)
    content.texts.queryAnalysis = tab.texts.queryAnalysis
    let effects = openTab(content)
    return effects + focus(on: .response) + runOperation()
  }
}
