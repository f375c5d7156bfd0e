import ApusExplorerCore
import ApusExplorerTerminal

/// The positions of clickable elements in the last drawn frame. A click refers to what the user saw.
package struct HitRegions {
  let layout: ScreenLayout
  /// The columns of the tabs' names in the tab bar.
  var tabs: [(index: Int, columns: Range<Int>)] = []
  /// The positions of the panes' names in the titles, each including the cells before the name.
  var names: [(pane: PaneID, area: Rect)] = []
  /// The input line.
  var input: InputField?

  init(_ layout: ScreenLayout) { self.layout = layout }

  /// Returns the tab whose name is at a point.
  func tab(at point: Point) -> Int? {
    guard layout.tabBar.contains(point) else { return nil }
    return tabs.first { $0.columns.contains(point.column) }?.index
  }

  /// Returns the pane whose name is at a point of a title; beside the names, the displayed pane.
  func pane(at point: Point) -> PaneID? {
    guard let slot = layout.slots.first(where: { $0.title.contains(point) }) else { return nil }
    let name = names.first { slot.tabs.contains($0.pane) && point.column < $0.area.endColumn }
    return name?.pane ?? slot.pane
  }
}
