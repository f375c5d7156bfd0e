import ApusExplorerCore
import ApusExplorerTerminal

/// What stands where in the frame that was drawn last: a click is about what was seen.
package struct DrawnPlaces {
  let layout: ScreenLayout
  /// The columns of the tabs' names in the tab bar.
  var tabs: [(index: Int, columns: Range<Int>)] = []
  /// The panes' names in the titles; the cells before a name are its too.
  var names: [(pane: PaneID, place: Rect)] = []
  /// The line that is typed into.
  var input: InputLine?

  init(_ layout: ScreenLayout) { self.layout = layout }

  /// The tab whose name stands at a place.
  func tab(at point: Point) -> Int? {
    guard layout.tabBar.contains(point) else { return nil }
    return tabs.first { $0.columns.contains(point.column) }?.index
  }

  /// The pane whose name stands at a place of a title; beside the names, the one that is shown.
  func pane(at point: Point) -> PaneID? {
    guard let slot = layout.slots.first(where: { $0.title.contains(point) }) else { return nil }
    let name = names.first { slot.tabs.contains($0.pane) && point.column < $0.place.endColumn }
    return name?.pane ?? slot.pane
  }
}
