/// Rows in columns under a header. Columns are as wide as their content up to a limit; the last one takes the rest.
package struct TableView: Sendable {
  package struct Column: Sendable {
    package var title: String
    package var isRightAligned: Bool
    package var length: LayoutLength

    package init(_ title: String, _ length: LayoutLength, isRightAligned: Bool = false) {
      self.title = title
      self.length = length
      self.isRightAligned = isRightAligned
    }
  }

  package var columns: [Column]
  package var window: ListWindow
  package var isFocused: Bool

  package init(_ columns: [Column], _ window: ListWindow, isFocused: Bool) {
    self.columns = columns
    self.window = window
    self.isFocused = isFocused
  }

  /// Draws the header and the rows; `cell` gives the content of a row and column.
  package func draw(
    in area: Rect, of frame: inout Frame, look: Appearance, cell: (_ row: Int, _ column: Int) -> [Span]
  ) {
    guard area.height > 0, area.width > 0 else { return }
    let body = Rect(column: area.column, row: area.row + 1, width: area.width, height: area.height - 1)
    let window = window.fitted(to: body.height)
    let hasBar = window.count > body.height && area.width > 3
    let width = area.width - (hasBar ? 1 : 0)
    let line = Rect(column: area.column, row: area.row, width: width, height: 1)
    let places = line.splitColumns(columns.map(\.length), spacing: 1)
    for (column, place) in zip(columns, places) {
      put([Span(column.title, look[.muted].with(.bold))], column: column, in: place, of: &frame, look: look)
    }
    let chosen = look[isFocused ? .selection : .unfocusedSelection]
    for visible in 0..<min(body.height, max(0, window.count - window.offset)) {
      let index = window.offset + visible
      let row = body.line(visible)
      for (number, place) in places.enumerated() {
        let spot = Rect(column: place.column, row: row.row, width: place.width, height: 1)
        put(cell(index, number), column: columns[number], in: spot, of: &frame, look: look)
      }
      if index == window.selected {
        let covered = Rect(column: row.column, row: row.row, width: width, height: 1)
        frame.restyle(covered) { chosen.over($0) }
      }
    }
    if hasBar {
      Scrollbar(total: window.count, offset: window.offset, visible: body.height).draw(
        in: Rect(column: area.endColumn - 1, row: body.row, width: 1, height: body.height), of: &frame, look: look)
    }
  }

  private func put(_ spans: [Span], column: Column, in place: Rect, of frame: inout Frame, look: Appearance) {
    let space = column.isRightAligned ? max(0, place.width - spans.width) : 0
    let spot = Rect(column: place.column + space, row: place.row, width: place.width - space, height: 1)
    frame.putLine(spans, in: spot, look: look)
  }
}
