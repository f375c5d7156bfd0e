import ApusFormatting

/// Opens the tabs of earlier sessions of the session's endpoint.
extension ExplorerState {
  mutating func receive(_ answer: SessionAction) -> [Effect] {
    switch answer {
    case .listed(let items):
      popups.sessionsListed(items)
      return []
    case .opened(let session): return add(session)
    }
  }

  /// Adds the tabs of an earlier session after the open ones.
  private mutating func add(_ session: SavedSession) -> [Effect] {
    let ids = addEndpoints(of: session)
    let first = tabs.count
    for saved in session.tabs {
      var saved = saved
      tabs.lastID += 1
      saved.id = tabs.lastID
      if saved.response != nil { tabs.lastRun += 1 }
      saved.response?.run = tabs.lastRun
      tabs.all.append(Self.tab(saved, at: saved.endpoint.flatMap { ids[$0] } ?? endpoints.ofSession))
    }
    if endpoints[endpoints.ofSession].connection.isOpen { bindHeadersToOpenEndpoints() }
    let effects = showTab(first)
    showNotice("Opened \(DisplayFormat.plural(session.tabs.count, "tab")) of the session")
    return effects
  }
}
