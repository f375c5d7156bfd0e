import ApusExplorerText

/// Coordinates the keys for lists and trees, which act on the focused pane.
extension ExplorerState {
  mutating func moveInList(_ step: ListMovement) -> [Effect] {
    guard var list = list(in: screen.focus) else { return [] }
    list.cursor.move(step, count: list.count, rows: screen.viewportRows(screen.focus) - list.headerLines)
    setCursor(list.cursor, in: screen.focus)
    return []
  }

  mutating func toggleFold() -> [Effect] {
    guard screen.focus == .response else { return [] }
    if tab.response.view == .tree, tab.response.reading.filter.result == nil,
      case .problem(let error)? = tab.response.tree.selectedRow?.content
    {
      return present(ErrorsPopup(at: error))
    }
    if let value = tab.response.openedValue { return apply([.present(Popup(value))]) }
    tab.response.toggleFold()
    return []
  }

  mutating func unfoldRow() -> [Effect] {
    screen.focus == .response ? apply(tab.response.unfoldRow()) : openRow()
  }

  mutating func clearFilter() -> [Effect] {
    apply(screen.focus == .deferred ? tab.response.clearDeferredFilter() : cache.clearFilter())
  }

  /// Focuses the response, opens the selected event if it shows an event list, and performs an action on it.
  mutating func inResponse(_ read: (inout ResponseFeature) -> [FollowUp]) -> [Effect] {
    var effects = goToResponse()
    if tab.response.view == .events {
      effects += apply(tab.response.openEvent())
      guard tab.response.reading.isEventOpen else { return effects }
    }
    return effects + apply(read(&tab.response))
  }

  /// Focuses the response. If it has the focus already, popups stay open.
  mutating func goToResponse() -> [Effect] { screen.focus == .response ? [] : focus(on: .response) }

  mutating func searchResponse() -> [Effect] {
    let effects = goToResponse()
    tab.response.beginSearch()
    return effects
  }

  mutating func showErrors() -> [Effect] { goToResponse() + present(ErrorsPopup()) }
  mutating func exportTable() -> [Effect] { goToResponse() + present(ExportPopup(.table)) }

  // MARK: Mouse

  mutating func clickText(in pane: PaneID, _ click: (inout Editor) -> Void) -> [Effect] {
    let effects = focus(on: pane)
    tab.editors.change(pane, click)
    return effects
  }

  mutating func clickRow(_ row: Int, in pane: PaneID, onFold: Bool) -> [Effect] {
    let wasFocused = screen.focus == pane
    let effects = focus(on: pane)
    if pane == .response {
      return effects + apply(tab.response.click(row: row, onFold: onFold, wasFocused: wasFocused))
    }
    guard var list = list(in: pane) else { return effects }
    let isAgain = wasFocused && list.cursor.selected == row
    list.cursor.select(row, count: list.count)
    setCursor(list.cursor, in: pane)
    return effects + (isAgain ? openRow() : [])
  }

  mutating func scroll(_ pane: PaneID, by lines: Int) {
    let rows = screen.viewportRows(pane)
    tab.editors.scroll(pane, by: lines, rows: rows)
    guard var list = list(in: pane) else { return }
    list.cursor.scroll(by: lines, count: list.count, height: rows - list.headerLines)
    if pane == .response, tab.response.view == .tree {
      // Keeps the selected row in view and not covered by the parent rows at the top.
      let covered = tab.response.shownTree.parents(above: list.cursor.scroll, height: rows).count
      list.cursor.selected = min(max(list.cursor.selected, list.cursor.scroll + covered), max(0, list.count - 1))
    }
    setCursor(list.cursor, in: pane)
  }
}
