package enum ListMovement: Equatable, Sendable {
  case up, down, pageUp, pageDown, first, last
}

/// The selected row of a list and the scroll position.
package struct ListCursor: Equatable, Sendable {
  package var selected = 0
  package var scroll = 0

  package init() {}

  package mutating func move(by distance: Int, count: Int) {
    selected = min(max(0, selected + distance), max(0, count - 1))
  }

  /// Moves the selection in a list of which `rows` rows are visible.
  mutating func move(_ step: ListMovement, count: Int, rows: Int) {
    switch step {
    case .up: move(by: -1, count: count)
    case .down: move(by: 1, count: count)
    case .pageUp: move(by: -max(1, rows - 1), count: count)
    case .pageDown: move(by: max(1, rows - 1), count: count)
    case .first: select(0, count: count)
    case .last: select(count - 1, count: count)
    }
  }

  package mutating func select(_ row: Int, count: Int) {
    selected = min(max(0, row), max(0, count - 1))
  }

  /// Returns the first visible row if the list scrolls only as far as the selected row requires.
  package func firstRow(count: Int, height: Int) -> Int { max(0, min(selected - height + 1, count - height)) }

  /// Scrolls by the smallest distance that shows the selected row, and never past the end.
  package mutating func reveal(count: Int, height: Int) {
    selected = min(max(0, selected), max(0, count - 1))
    guard height > 0 else { return }
    if selected < scroll { scroll = selected }
    if selected >= scroll + height { scroll = selected - height + 1 }
    scroll = min(max(0, scroll), max(0, count - height))
  }

  /// Scrolls the view and moves the selection only as far as necessary to keep it visible.
  package mutating func scroll(by lines: Int, count: Int, height: Int) {
    scroll = min(max(0, scroll + lines), max(0, count - height))
    selected = min(max(scroll, selected), max(scroll, min(count, scroll + height) - 1))
  }
}
