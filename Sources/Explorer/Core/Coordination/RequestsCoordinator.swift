import ApusClientRequests

/// Coordinates the Requests view with the tabs that show requests of an application.
extension ExplorerState {
  /// Shows the requests of the application, and starts to watch them when the explorer opens.
  mutating func beginTap() -> [Effect] {
    guard requests != nil else { return [] }
    return present(RequestsPopup()) + [.requests(.watch)]
  }

  mutating func receive(_ action: RequestsAction) -> [Effect] {
    switch action {
    case .changed, .conflictFound, .noted, .failed, .moved, .rowClicked, .filterTyped:
      return apply(requests?.receive(action) ?? [])
    case .rulesUsed:
      if popups.last?.state is RulesPopup { popups.closeLast() }
      return apply(requests?.receive(action) ?? [])
    case .rulesRefused(let line, let reason):
      if var popup = popups.last?.state as? RulesPopup {
        popup.refuse(line, reason)
        popups.replaceLast(with: Popup(popup))
      }
    case .chosen(let number):
      if let index = tabs.index(ofObserved: number) { return showTab(index) }
      return [.requests(.open(number))]
    case .opened(let number, let draft): return open(draft, observed: number)
    }
    return []
  }

  /// Opens a request of the application in a tab that follows its response.
  private mutating func open(_ draft: RequestDraft, observed number: Int) -> [Effect] {
    if let index = tabs.index(ofObserved: number) { return showTab(index) }
    popups.closeAll()
    leaveVimModes()
    let opening = openTab(TabContent(draft), at: .first)
    tabs.shown.content.editors.headerOrigins.note(sentTo: connection.origin)
    tabs.lastRun += 1
    var request = RunRequest(id: tabs.lastRun, draft: tab.draft)
    request.observed = number
    let begun = apply(tab.response.begin(request, endpoint: connection.endpoint, profile: connection.profile))
    return opening + begun + focus(on: .response)
  }

  // MARK: Held payloads

  /// The request whose payloads are released: the selected one of the view, or the one of the tab.
  private var releasedRequest: ObservedRequest? {
    if popups.last?.state is RequestsPopup { return requests?.selected }
    return tab.response.observedRequest.flatMap { number in
      requests?.index(of: number).flatMap { requests?.rows[$0] }
    }
  }

  func release(all isAll: Bool) -> [Effect] {
    releasedRequest.map { [.requests(.release($0.number, all: isAll))] } ?? []
  }

  var reasonAgainstReleasing: String? {
    if let reason = reasonAgainstRequests { return reason }
    guard let request = releasedRequest else { return "The tab shows no request of the application" }
    if request.heldCount > 0 { return nil }
    return requests?.holds == true
      ? "No payload of request \(request.number) waits" : "Payloads do not wait: h in the list of requests holds them"
  }

  // MARK: Reasons

  var reasonAgainstRequests: String? {
    requests == nil ? "'apus tap URL' shows the requests of an application" : nil
  }
}

extension Tabs {
  /// Returns the index of the tab that shows a request of the application.
  fileprivate func index(ofObserved number: Int) -> Int? {
    all.firstIndex { $0.content.response.observedRequest == number }
  }
}

extension ResponseFeature {
  /// The number of the application's request whose response is shown; `nil` for a run of the user.
  package var observedRequest: Int? { run?.request?.observed }
}
