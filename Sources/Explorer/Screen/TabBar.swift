import ApusExplorerCore
import ApusExplorerTerminal
import ApusFormatting

extension Painter {
  /// Draws the tab bar with the selected tab marked. If not all tabs fit, those around the selected one are shown.
  mutating func paintTabBar(_ rect: Rect) {
    frame.fill(rect, style: theme[.tab])
    for (index, columns) in tabColumns() {
      let isShown = index == state.tabs.shownIndex
      let style = isShown ? theme[.selectedTab] : theme[.tab]
      put(tabText(index), at: columns.lowerBound, in: rect, style)
    }
    if let first = tabColumns().first?.index, first > 0 {
      put(String(glyphs.cutLeft), at: rect.column, in: rect, theme[.tab])
    }
    if let last = tabColumns().last?.index, last + 1 < state.tabs.all.count {
      put(String(glyphs.cutRight), at: rect.endColumn - 1, in: rect, theme[.tab])
    }
  }

  private func tabText(_ index: Int) -> String {
    let title = TextWidth.truncated(state.tabs.title(of: index), to: 24, ellipsis: glyphs.ellipsis)
    let label = state.endpointLabel(ofTab: index).map { label in
      let name = TextWidth.truncated(label.name, to: 16, ellipsis: glyphs.ellipsis)
      return " \(label.isProduction ? glyphs.warning : glyphs.separator) \(name)"
    }
    let run = state.tabs.run(of: index)
    let hasFailed = state.tabs.all[index].content.response.hasFailed
    let unseen = index == state.tabs.shownIndex ? 0 : state.tabs.all[index].content.response.unseenEvents
    let news = unseen > 0 ? " \(glyphs.bullet)\(DisplayFormat.count(unseen))" : ""
    let mark = news + (run?.isActive == true ? " \(spinner)" : hasFailed ? " \(glyphs.error)" : "")
    return " \(index + 1) \(title)\(label ?? "")\(state.tabs.isUnsaved(index) ? " +" : "")\(mark) "
  }

  func tabColumns() -> [(index: Int, columns: Range<Int>)] {
    let widths = state.tabs.all.indices.map { TextWidth.width(of: tabText($0)) }
    let room = layout.tabBar.width - 2
    var first = 0
    while first < state.tabs.shownIndex, widths[first...state.tabs.shownIndex].reduce(0, +) > room { first += 1 }
    var tabs: [(index: Int, columns: Range<Int>)] = []
    var column = layout.tabBar.column + 1
    for index in first..<state.tabs.all.count {
      guard column + widths[index] <= layout.tabBar.endColumn else { break }
      tabs.append((index, column..<(column + widths[index])))
      column += widths[index]
    }
    return tabs
  }
}
