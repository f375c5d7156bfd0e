/// The position of a cell. Columns and rows start at zero in the upper left corner.
package struct Point: Equatable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

package struct Size: Equatable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of cells. Its width and height are never negative.
package struct Rect: Equatable, Sendable {
  package var column: Int
  package var row: Int
  package var width: Int
  package var height: Int

  package static let zero = Rect(column: 0, row: 0, width: 0, height: 0)

  package init(column: Int, row: Int, width: Int, height: Int) {
    self.column = column
    self.row = row
    self.width = max(0, width)
    self.height = max(0, height)
  }

  package init(_ size: Size) {
    self.init(column: 0, row: 0, width: size.width, height: size.height)
  }

  /// The first column to the right of the rectangle.
  package var endColumn: Int { column + width }
  /// The first row below the rectangle.
  package var endRow: Int { row + height }
  package var origin: Point { Point(column: column, row: row) }
  package var isEmpty: Bool { width == 0 || height == 0 }
  package var columns: Range<Int> { column..<endColumn }
  package var rows: Range<Int> { row..<endRow }

  package func contains(_ point: Point) -> Bool {
    columns.contains(point.column) && rows.contains(point.row)
  }

  package func intersection(_ other: Rect) -> Rect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return Rect(
      column: left, row: top, width: min(endColumn, other.endColumn) - left, height: min(endRow, other.endRow) - top)
  }

  /// Returns the rectangle without a margin on each side, such as the inside of a border.
  package func inset(horizontal: Int, vertical: Int) -> Rect {
    Rect(
      column: column + horizontal, row: row + vertical, width: width - 2 * horizontal, height: height - 2 * vertical)
  }

  /// Returns a row of the rectangle, counted from its top; empty if it does not exist.
  package func line(_ index: Int) -> Rect {
    guard index >= 0, index < height else { return Rect(column: column, row: row, width: 0, height: 0) }
    return Rect(column: column, row: row + index, width: width, height: 1)
  }

  /// Returns a centered rectangle of the given size, reduced to fit.
  package func centered(_ size: Size) -> Rect {
    let width = min(size.width, self.width)
    let height = min(size.height, self.height)
    return Rect(
      column: column + (self.width - width) / 2, row: row + (self.height - height) / 2, width: width, height: height)
  }

  /// Returns a rectangle of the given size directly below `anchor`, or above it if there is more space, for popups at a
  /// text position.
  package func popup(_ size: Size, at anchor: Point) -> Rect {
    let width = min(size.width, self.width)
    let below = endRow - (anchor.row + 1)
    let above = anchor.row - row
    let goesBelow = below >= size.height || below >= above
    let height = min(size.height, max(0, goesBelow ? below : above))
    let left = max(column, min(anchor.column, endColumn - width))
    return Rect(column: left, row: goesBelow ? anchor.row + 1 : anchor.row - height, width: width, height: height)
  }
}
