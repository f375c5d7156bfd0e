import ApusExplorerText

/// The list in a pane: its selection, its number of rows, and the number of header lines above them.
package struct PaneList {
  package var cursor: ListCursor
  package var count: Int
  package var headerLines = 0
}

/// Coordinates what depends on the pane: its list, its input line, and the keys that act on its selected row.
extension ExplorerState {
  /// Returns the list in a pane; nil if the pane has an editor.
  package func list(in pane: PaneID) -> PaneList? {
    switch pane {
    case .query, .variables, .headers: nil
    case .response:
      PaneList(
        cursor: tab.response.list, count: tab.response.rowCount, headerLines: tab.response.view.headerLines)
    case .deferred:
      PaneList(
        cursor: tab.response.deferredList, count: tab.response.deferredRowCount,
        headerLines: tab.response.deferredRowCount > 0 ? 1 : 0)
    case .cache: PaneList(cursor: cache.shownList, count: cache.shownRowCount)
    }
  }

  mutating func setCursor(_ cursor: ListCursor, in pane: PaneID) {
    switch pane {
    case .query, .variables, .headers: break
    case .response: tab.response.list = cursor
    case .deferred: tab.response.deferredList = cursor
    case .cache: cache.shownList = cursor
    }
  }

  // MARK: Rows

  mutating func openRow() -> [Effect] {
    switch screen.focus {
    case .query, .variables, .headers: []
    case .response: apply(tab.response.openRow())
    case .deferred: apply(tab.response.openDeferredRow())
    case .cache: apply(cache.openRow())
    }
  }

  mutating func foldRow() -> [Effect] {
    switch screen.focus {
    case .cache: return apply(cache.goBack())
    case .response: tab.response.foldRow()
    case .deferred: tab.response.foldResolvers(true)
    case .query, .variables, .headers: break
    }
    return []
  }

  mutating func copyValue() -> [Effect] {
    switch screen.focus {
    case .query, .variables, .headers: []
    case .response: apply(tab.response.copySelected())
    case .deferred: tab.response.selectedDeferredPath.map { copy($0.description) } ?? []
    case .cache: apply(cache.copySelected())
    }
  }

  var reasonAgainstCopyingValue: String? {
    switch screen.focus {
    case .response: tab.response.tree.rows.isEmpty ? "There is no response" : nil
    case .cache: cache.reasonForNoRecords
    case .deferred: tab.response.selectedDeferredPath == nil ? "There are no deferred fragments" : nil
    case .query, .variables, .headers: "Only in the response and the cache"
    }
  }

  // MARK: Input lines

  /// The input line in the focused pane; nil if there is none.
  var paneInput: LineEditor? {
    switch screen.focus {
    case .query, .variables, .headers: nil
    case .response: tab.response.inputLine
    case .deferred: tab.response.deferredInput
    case .cache: cache.inputLine
    }
  }

  mutating func setPaneInput(_ line: LineEditor) {
    switch screen.focus {
    case .query, .variables, .headers: break
    case .response: tab.response.inputLine = line
    case .deferred: tab.response.deferredInput = line
    case .cache: cache.inputLine = line
    }
  }

  /// Passes the changed text to the pane.
  mutating func paneInputChanged() -> [Effect] {
    switch screen.focus {
    case .query, .variables, .headers: break
    case .response: return apply(tab.response.inputChanged())
    case .deferred: tab.response.arrangeDeferred()
    case .cache: return apply(cache.inputChanged())
    }
    return []
  }

  /// Closes the pane's empty input line, if Backspace closes it.
  mutating func leaveEmptyPaneInput() {
    switch screen.focus {
    case .query, .variables, .headers, .response: break
    case .deferred: tab.response.deferredListing.isFiltering = false
    case .cache: cache.leaveEmptyInput()
    }
  }
}
