/// A way to move in a list.
package enum ListStep: Equatable, Sendable {
  case up, down, pageUp, pageDown, first, last
}

/// A selected row of a list and the rows that are in view.
package struct ListCursor: Equatable, Sendable {
  package var selected = 0
  package var scroll = 0

  package init() {}

  package mutating func move(by distance: Int, count: Int) {
    selected = min(max(0, selected + distance), max(0, count - 1))
  }

  /// Moves as a key asks, where so many rows are in view.
  mutating func move(_ step: ListStep, count: Int, rows: Int) {
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

  /// The first row in view of a list that begins at its top until the selected row would be out of view.
  package func firstRow(count: Int, height: Int) -> Int { max(0, min(selected - height + 1, count - height)) }

  /// Scrolls as little as keeps the selected row in view, and never past the end.
  package mutating func reveal(count: Int, height: Int) {
    selected = min(max(0, selected), max(0, count - 1))
    guard height > 0 else { return }
    if selected < scroll { scroll = selected }
    if selected >= scroll + height { scroll = selected - height + 1 }
    scroll = min(max(0, scroll), max(0, count - height))
  }

  /// Scrolls the view; the selection follows only as far as it must to stay in it.
  package mutating func scroll(by lines: Int, count: Int, height: Int) {
    scroll = min(max(0, scroll + lines), max(0, count - height))
    selected = min(max(scroll, selected), max(scroll, min(count, scroll + height) - 1))
  }
}
