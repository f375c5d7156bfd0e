/// The length of a pane in a row or column of panes.
package enum LayoutLength: Equatable, Sendable {
  /// A fixed number of cells, if available.
  case fixed(Int)
  /// A share of the cells that fixed panes leave. The minimum is guaranteed while all minimums fit.
  case weight(Int, minimum: Int = 0)
}

extension Rect {
  /// Splits the rectangle into rows from top to bottom.
  package func splitRows(_ lengths: [LayoutLength], spacing: Int = 0) -> [Rect] {
    var top = row
    return divide(height, among: lengths, spacing: spacing).map { length in
      let part = Rect(column: column, row: min(top, endRow), width: width, height: length)
      top += length + spacing
      return part
    }
  }

  /// Splits the rectangle into columns from left to right.
  package func splitColumns(_ lengths: [LayoutLength], spacing: Int = 0) -> [Rect] {
    var left = column
    return divide(width, among: lengths, spacing: spacing).map { length in
      let part = Rect(column: min(left, endColumn), row: row, width: length, height: height)
      left += length + spacing
      return part
    }
  }
}

/// Divides a length: fixed parts first, then minimums, then the rest by weight. If there are not enough cells, the last
/// parts are reduced, so that the first ones stay usable on a small screen.
func divide(_ total: Int, among lengths: [LayoutLength], spacing: Int) -> [Int] {
  var left = max(0, total - spacing * max(0, lengths.count - 1))
  var sizes = [Int](repeating: 0, count: lengths.count)
  for (index, length) in lengths.enumerated() {
    guard case .fixed(let size) = length else { continue }
    sizes[index] = min(max(0, size), left)
    left -= sizes[index]
  }
  // Parts whose share is below their minimum get the minimum, and the others share the rest.
  var open: [(index: Int, weight: Int, minimum: Int)] = lengths.enumerated().compactMap { index, length in
    guard case .weight(let weight, let minimum) = length else { return nil }
    return (index, max(0, weight), max(0, minimum))
  }
  var settled = false
  while !settled {
    settled = true
    let weights = open.reduce(0) { $0 + $1.weight }
    for (openIndex, part) in open.enumerated() {
      let share = weights == 0 ? 0 : left * part.weight / weights
      guard share < part.minimum else { continue }
      sizes[part.index] = min(part.minimum, left)
      left -= sizes[part.index]
      open.remove(at: openIndex)
      settled = false
      break
    }
  }
  var weights = open.reduce(0) { $0 + $1.weight }
  for part in open where weights > 0 {
    let share = (left * part.weight + weights / 2) / weights
    sizes[part.index] = share
    left -= share
    weights -= part.weight
  }
  return sizes
}
