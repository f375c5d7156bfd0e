import ExplorerCore
import ExplorerTerminal

/// Where everything stands on a screen of one size: pure, so that drawing and the mouse agree.
package struct ScreenLayout: Hashable, Sendable {
  /// A place for one pane; where several share it, the one last looked at is shown and the others are tabs.
  package struct Slot: Hashable, Sendable {
    package var tabs: [PaneID]
    package var pane: PaneID
    package var title: Rect
    package var content: Rect
  }

  package static let smallest = Size(width: 60, height: 16)

  package let size: Size
  package private(set) var slots: [Slot] = []
  package private(set) var dividers: [Rect] = []
  package let status: Rect
  package let footer: Rect

  package var isTooSmall: Bool {
    size.width < ScreenLayout.smallest.width || size.height < ScreenLayout.smallest.height
  }

  package init(_ state: ExplorerState, size: Size) {
    self.size = size
    status = Rect(column: 0, row: size.height - 2, width: size.width, height: 1)
    footer = Rect(column: 0, row: size.height - 1, width: size.width, height: 1)
    guard !isTooSmall else { return }
    let panes = Rect(column: 0, row: 0, width: size.width, height: size.height - 2)
    let hasVariables = !state.variables.buffer.isEmpty || state.focus == .variables
    let fragmentCount = state.run?.fragments.count ?? 0
    switch (size.width, size.height) {
    case (80..., 22...):
      let columns = panes.splitColumns(
        size.width >= 170 ? [.weight(5), .weight(6), .weight(5)] : [.weight(9), .weight(11)], spacing: 1)
      for column in columns.dropLast() {
        dividers.append(Rect(column: column.endColumn, row: 0, width: 1, height: panes.height))
      }
      let variableRows = hasVariables ? min(panes.height / 3, max(5, state.variables.buffer.lineCount + 2)) : 4
      add([[.query], [.variables]], columns[0].splitRows([.weight(1), .fixed(variableRows)]), state)
      // The rail is as high as it needs to be, and never takes more than a third.
      let railRows = min(panes.height / 3, max(4, fragmentCount + 1))
      if columns.count == 3 {
        add([[.response]], [columns[1]], state)
        add([[.deferred], [.cache]], columns[2].splitRows([.fixed(max(railRows, 8)), .weight(1)]), state)
      } else if size.height >= 32 {
        add(
          [[.response], [.deferred], [.cache]],
          columns[1].splitRows([.weight(3), .fixed(railRows), .weight(2, minimum: 7)]), state)
      } else {
        let isCache = state.recentPanes.first { $0 == .deferred || $0 == .cache } == .cache
        let lower = isCache ? max(8, panes.height * 2 / 5) : min(max(5, fragmentCount + 1), panes.height * 2 / 5)
        add([[.response], [.deferred, .cache]], columns[1].splitRows([.weight(1), .fixed(lower)]), state)
      }
    case (100..., _):
      let columns = panes.splitColumns([.weight(9), .weight(11)], spacing: 1)
      dividers = [Rect(column: columns[0].endColumn, row: 0, width: 1, height: panes.height)]
      add([[.query, .variables]], [columns[0]], state)
      add([[.response, .deferred, .cache]], [columns[1]], state)
    default:
      // The half that is worked in gets the larger part.
      let isUpper = state.focus.isEditor
      let rows = panes.splitRows([.weight(isUpper ? 11 : 6), .weight(isUpper ? 9 : 14)])
      add([[.query, .variables], [.response, .deferred, .cache]], rows, state)
    }
  }

  private mutating func add(_ groups: [[PaneID]], _ rects: [Rect], _ state: ExplorerState) {
    for (tabs, rect) in zip(groups, rects) {
      let pane = state.recentPanes.first { tabs.contains($0) } ?? tabs[0]
      let content = Rect(column: rect.column, row: rect.row + 1, width: rect.width, height: rect.height - 1)
      slots.append(Slot(tabs: tabs, pane: pane, title: rect.line(0), content: content))
    }
  }

  package func slot(of pane: PaneID) -> Slot? { slots.first { $0.pane == pane } }
}
