/// Coordinates the focus, and the closing of popups, searches and selections.
extension ExplorerState {
  /// Focuses a pane, closes the popups, and returns the vim keys to normal mode.
  mutating func focus(on pane: PaneID) -> [Effect] {
    var effects: [Effect] = []
    if pane != screen.focus {
      leaveVimModes()
      if screen.focus == .headers { effects = convertHeadersFromJSON() }
      if screen.focus == .headers { connection.leftHeaders(headers) }
      if pane == .headers { connection.wentToHeaders(headers) }
    }
    screen.focus(on: pane)
    popups.closeAll()
    return effects
  }

  /// Closes the first of these that exists: a popup, an additional cursor, a search, a filter, a table, a selection,
  /// the zoom. A running request continues.
  mutating func leave() -> [Effect] {
    if !popups.isEmpty {
      popups.closeLast()
      return []
    }
    if editor?.otherSelections.isEmpty == false {
      changeText { $0.leaveOneCursor() }
      return []
    }
    let isCacheFiltered = cache.inputLine != nil || !cache.filter.isEmpty && cache.openedKey == nil
    if screen.focus == .cache, isCacheFiltered { return apply(cache.clearFilter()) }
    if screen.focus == .deferred, tab.response.hasDeferredFilter { return apply(tab.response.clearDeferredFilter()) }
    if screen.focus == .response, tab.response.isBeyondTree { return apply(tab.response.closePresentation()) }
    if let editor, editor.hasSelection {
      changeText { $0.moveCursor(editor.cursor) }
      return []
    }
    if screen.arrangement.isZoomed { return apply(screen.changeArrangement { $0.isZoomed = false }) }
    if tab.response.isBusy { showNotice("Ctrl-C cancels the request") }
    return []
  }
}
