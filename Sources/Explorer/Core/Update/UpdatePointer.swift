/// What pointers do in panes and popups.
extension ExplorerState {
  mutating func handlePointer(_ action: Action) -> [Effect] {
    switch action {
    case .paneClicked(let pane):
      return focus(on: pane)
    case .textClicked(let pane, let position, let extending):
      let effects = focus(on: pane)
      changeEditor { $0.place(position, selecting: extending) }
      return effects
    case .wordClicked(let pane, let position):
      let effects = focus(on: pane)
      changeEditor { $0.selectWord(at: position) }
      return effects
    case .rowClicked(let pane, let row, let onFold):
      return clickRow(row, in: pane, onFold: onFold)
    case .popupRowClicked(let row):
      return popups.last?.state.click(row: row, on: &self) ?? []
    case .scrolled(let pane, let lines):
      scroll(pane, by: lines)
      return []
    case .popupScrolled(let lines):
      return invoke(lines > 0 ? .popupDown : .popupUp)
    default: return []
    }
  }

  private mutating func clickRow(_ row: Int, in pane: PaneID, onFold: Bool) -> [Effect] {
    let wasFocused = focus == pane
    let effects = focus(on: pane)
    switch pane {
    case .response:
      let isAgain = wasFocused && responseList.selected == row
      responseList.select(row, count: responseRowCount)
      switch responseView {
      case .events: if isAgain { return effects + openEvent() }
      case .tree: if onFold { shownTree.toggleFold(row) }
      case .text, .table: break
      }
    case .deferred:
      let isAgain = wasFocused && rail.selected == row
      rail.select(row, count: run?.fragments.count ?? 0)
      if isAgain { return openRow() }
    case .cache:
      let isAgain = wasFocused && cache.shownList.selected == row
      cache.shownList.select(row, count: cache.shownRowCount)
      if isAgain { return openRow() }
    case .query, .variables, .headers: break
    }
    return effects
  }

  private mutating func scroll(_ pane: PaneID, by lines: Int) {
    let rows = viewportRows(pane)
    switch pane {
    case .query:
      query.scroll.line = min(max(0, query.scroll.line + lines), max(0, query.buffer.lineCount - 1))
      query.keepCursorInView(rows: rows)
    case .variables:
      variables.scroll.line = min(max(0, variables.scroll.line + lines), max(0, variables.buffer.lineCount - 1))
      variables.keepCursorInView(rows: rows)
    case .response:
      responseList.scroll(by: lines, count: responseRowCount, height: rows - responseView.headerLines)
    case .headers:
      headers.scroll.line = min(max(0, headers.scroll.line + lines), max(0, headers.buffer.lineCount - 1))
      headers.keepCursorInView(rows: rows)
    case .deferred: rail.scroll(by: lines, count: run?.fragments.count ?? 0, height: rows)
    case .cache: cache.shownList.scroll(by: lines, count: cache.shownRowCount, height: rows)
    }
  }
}

extension String {
  /// How far apart the letters of `wanted` stand in this text, in their order; `nil` when they do not all occur.
  package func subsequenceScore(of wanted: String) -> Int? {
    if let range = firstRange(of: wanted) { return distance(from: startIndex, to: range.lowerBound) - 1000 }
    var score = 0
    var rest = wanted[...]
    var gap = 0
    for character in self {
      guard let next = rest.first else { break }
      if character == next {
        rest = rest.dropFirst()
        score += gap
        gap = 0
      } else {
        gap += 1
      }
    }
    return rest.isEmpty ? score : nil
  }
}
