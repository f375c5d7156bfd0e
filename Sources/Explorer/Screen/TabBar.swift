import ApusExplorerCore
import ApusExplorerTerminal

extension Painter {
  /// The tabs in a line, the shown one marked; where they do not all fit, those around the shown one.
  mutating func paintTabBar(_ rect: Rect) {
    frame.fill(rect, style: theme[.tab])
    for (index, columns) in tabPlaces() {
      let isShown = index == state.shownTab
      let style = isShown ? theme[.selectedTab] : theme[.tab]
      put(tabText(index), at: columns.lowerBound, in: rect, style)
    }
    if let first = tabPlaces().first?.index, first > 0 {
      put(String(glyphs.cutLeft), at: rect.column, in: rect, theme[.tab])
    }
    if let last = tabPlaces().last?.index, last + 1 < state.tabs.count {
      put(String(glyphs.cutRight), at: rect.endColumn - 1, in: rect, theme[.tab])
    }
  }

  /// The tab whose name stands at a place.
  func tabIndex(at point: Point) -> Int? {
    guard layout.tabBar.contains(point) else { return nil }
    return tabPlaces().first { $0.columns.contains(point.column) }?.index
  }

  private func tabText(_ index: Int) -> String {
    let title = TextWidth.truncated(state.title(ofTab: index), to: 24, ellipsis: glyphs.ellipsis)
    let mark =
      switch state.run(ofTab: index) {
      case let run? where run.isActive: " \(spinner)"
      case let run? where run.failure != nil || !run.errors.isEmpty: " \(glyphs.error)"
      default: ""
      }
    return " \(index + 1) \(title)\(state.isUnsaved(tab: index) ? " +" : "")\(mark) "
  }

  func tabPlaces() -> [(index: Int, columns: Range<Int>)] {
    let widths = state.tabs.indices.map { TextWidth.width(of: tabText($0)) }
    let room = layout.tabBar.width - 2
    var first = 0
    while first < state.shownTab, widths[first...state.shownTab].reduce(0, +) > room { first += 1 }
    var places: [(index: Int, columns: Range<Int>)] = []
    var column = layout.tabBar.column + 1
    for index in first..<state.tabs.count {
      guard column + widths[index] <= layout.tabBar.endColumn else { break }
      places.append((index, column..<(column + widths[index])))
      column += widths[index]
    }
    return places
  }
}
