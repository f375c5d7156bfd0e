import ApusExplorerCore
import ApusExplorerTerminal

/// The layout of the response pane.
enum ResponseGeometry {
  /// Returns the area of the rows. Below it are the failure of an incomplete response and the search line.
  static func area(in area: Rect, _ state: ExplorerState) -> Rect {
    var height = area.height
    if let failure = state.tab.response.failure,
      !state.tab.response.shownTree.rows.isEmpty || state.tab.response.view == .events
    {
      height -= failureLines(failure, in: area).count
    }
    height -= state.tab.response.readingLines
    let rows = Rect(column: area.column, row: area.row, width: area.width, height: height)
    return beside(rows, state)?.shown ?? rows
  }

  /// Returns the areas of the response and the pinned one: side by side if the screen is wide enough, otherwise one
  /// above the other; nil if there is space for one only or none is pinned.
  static func beside(_ rows: Rect, _ state: ExplorerState) -> (shown: Rect, pinned: Rect)? {
    guard state.pinned != nil, state.tab.response.isBesidePinned else { return nil }
    if rows.width >= 76 {
      let width = (rows.width - 1) / 2
      return (
        Rect(column: rows.column, row: rows.row, width: width, height: rows.height),
        Rect(column: rows.column + width + 1, row: rows.row, width: rows.width - width - 1, height: rows.height)
      )
    }
    guard rows.height >= 10 else { return nil }
    let height = rows.height / 2
    return (
      Rect(column: rows.column, row: rows.row, width: rows.width, height: height),
      Rect(column: rows.column, row: rows.row + height, width: rows.width, height: rows.height - height)
    )
  }

  /// Returns the column of a row's fold sign. On narrow screens, deep indentation is cut before values are. Comparison
  /// signs precede the fold sign.
  static func start(of row: ResponseRow, in rect: Rect, _ tree: ResponseTree) -> Int {
    let indentation = min(max(0, row.depth) * 2, max(0, rect.width / 2))
    return rect.column + 1 + indentation + (tree.isComparing ? 2 : 0) - tree.firstColumn
  }

  /// Returns the horizontal scroll offset that shows the current match; nil if it need not be shown.
  static func matchColumn(_ response: ResponseFeature, width: Int) -> Int? {
    guard response.reading.search.isToBeShown, response.reading.search.isActive else { return nil }
    let sought = SearchPattern(response.reading.search.text)
    let text: String
    let first: Int
    switch response.view {
    case .table, .events: return nil
    case .text(let raw):
      guard let laidOut = raw.text else { return nil }
      text = laidOut.line(raw.list.selected)
      first = raw.firstColumn
    case .tree:
      guard let row = response.shownTree.selectedRow else { return nil }
      first = response.shownTree.firstColumn
      let start = start(of: row, in: Rect(column: 0, row: 0, width: width, height: 1), response.shownTree) + first - 1
      text = String(repeating: " ", count: start + 2) + row.text
    }
    guard let match = sought.ranges(in: text).first else { return 0 }
    let column = TextWidth.width(of: text[..<match.lowerBound])
    let end = column + TextWidth.width(of: text[match])
    // Leave space for an ellipsis at both ends.
    if end <= width - 3 { return 0 }
    return column > first + 1 && end < first + width - 3 ? first : max(0, column - width / 3)
  }

  /// Returns the lines of a failure that fit below the rows.
  static func failureLines(_ failure: RunError, in area: Rect) -> [String] {
    Array(TextWrapping.lines(of: failure.message, width: area.width - 4).prefix(max(1, min(3, area.height / 4))))
  }
}
