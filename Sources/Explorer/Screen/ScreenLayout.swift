import ApusExplorerCore
import ApusExplorerTerminal

/// The layout of a screen of one size, shared by drawing and the mouse.
package struct ScreenLayout: Equatable, Sendable {
  /// A place for one pane. If several panes share it, the last used one is shown and the others are tabs.
  package struct Slot: Equatable, Sendable {
    package var tabs: [PaneID]
    package var pane: PaneID
    package var title: Rect
    package var content: Rect
  }

  /// A draggable line between panes, with the first pane's default share in hundredths of a range of cells.
  package struct Division: Equatable, Sendable {
    var line: Rect
    var usual: Int
    var columns: Range<Int>?
    var rows: Range<Int>?

    func action(for point: Point) -> Action? {
      if let columns { return .widthDivided((point.column - columns.lowerBound) * 100 / columns.count - usual) }
      return rows.map { .heightDivided((point.row - $0.lowerBound) * 100 / $0.count - usual) }
    }
  }

  package static let smallest = Size(width: 40, height: 10)

  package let size: Size
  package private(set) var slots: [Slot] = []
  package private(set) var dividers: [Rect] = []
  package private(set) var divisions: [Division] = []
  /// The area of the tab bar, if there are several tabs.
  package let tabBar: Rect
  package let status: Rect
  package let footer: Rect

  package var isTooSmall: Bool {
    size.width < ScreenLayout.smallest.width || size.height < ScreenLayout.smallest.height
  }

  package init(_ state: ExplorerState, size: Size) {
    self.size = size
    tabBar = Rect(column: 0, row: 0, width: size.width, height: state.tabs.all.count > 1 ? 1 : 0)
    status = Rect(column: 0, row: size.height - 2, width: size.width, height: 1)
    footer = Rect(column: 0, row: size.height - 1, width: size.width, height: 1)
    guard !isTooSmall else { return }
    let top = tabBar.height
    let panes = Rect(column: 0, row: top, width: size.width, height: size.height - 2 - top)
    let lower =
      state.screen.recentPanes.first { $0 == .variables || $0 == .headers } == .headers
      ? state.tab.editors.headers : state.tab.editors.variables
    let hasVariables = !lower.buffer.isEmpty || state.screen.focus == .variables || state.screen.focus == .headers
    // Includes the axis.
    let railCount = max(state.tab.response.railCount, state.tab.response.deliveryCount) + 1
    let arrangement = state.screen.arrangement
    // The editors' share of the width or the upper panes' share of the height, in hundredths.
    let share = { (usual: Int, change: Int) -> [LayoutLength] in
      let first = min(85, max(15, usual + change))
      return [.weight(first), .weight(100 - first)]
    }
    if arrangement.isZoomed || size.width < 60 || size.height < 16 {
      add([PaneID.Region.allCases], [panes], state)
      slots[0].pane = state.screen.focus
      return
    }
    switch (arrangement.layout, size.width, size.height) {
    case (.rows, 80..., 22...):
      let rows = panes.splitRows(share(45, arrangement.heightChange))
      let upper = rows[0].splitColumns(share(65, arrangement.widthChange), spacing: 1)
      let lower = rows[1].splitColumns([.weight(65), .weight(35)], spacing: 1)
      dividers = [upper[0], lower[0]].map { Rect(column: $0.endColumn, row: $0.row, width: 1, height: $0.height) }
      add([[.query], [.inputs]], upper, state)
      add([[.response], [.fragments, .cache]], lower, state)
      divideColumns(dividers[0], 65, panes)
      divideRows(panes.line(rows[1].row - top), 45, panes)
    case (.reading, 80..., 22...):
      let columns = panes.splitColumns(share(30, arrangement.widthChange), spacing: 1)
      dividers = [Rect(column: columns[0].endColumn, row: top, width: 1, height: panes.height)]
      add(
        [[.query, .inputs], [.fragments, .cache]],
        columns[0].splitRows(share(65, arrangement.heightChange)), state)
      add([[.response]], [columns[1]], state)
      divideColumns(dividers[0], 30, panes)
      divideRows(slots[1].title, 65, columns[0])
    case (_, 80..., 22...):
      let columns = panes.splitColumns(
        size.width >= 170 ? [.weight(5), .weight(6), .weight(5)] : share(45, arrangement.widthChange), spacing: 1)
      for column in columns.dropLast() {
        dividers.append(Rect(column: column.endColumn, row: top, width: 1, height: panes.height))
      }
      if columns.count == 2 { divideColumns(dividers[0], 45, panes) }
      let variableRows = hasVariables ? min(panes.height / 3, max(5, lower.buffer.lineCount + 2)) : 4
      add([[.query], [.inputs]], columns[0].splitRows([.weight(1), .fixed(variableRows)]), state)
      // The deferred pane is as high as its contents, and at most a third of the height.
      let railRows = min(panes.height / 3, max(4, railCount + 1))
      if columns.count == 3 {
        add([[.response]], [columns[1]], state)
        add([[.fragments], [.cache]], columns[2].splitRows([.fixed(max(railRows, 8)), .weight(1)]), state)
      } else if size.height >= 32 {
        add(
          [[.response], [.fragments], [.cache]],
          columns[1].splitRows([
            .weight(60 + arrangement.heightChange), .fixed(railRows),
            .weight(40 - min(39, arrangement.heightChange), minimum: 7),
          ]), state)
        var room = columns[1]
        room.height -= railRows
        divideRows(slots[3].title, 60, room)
      } else {
        let isCache = state.screen.recentPanes.first { $0 == .deferred || $0 == .cache } == .cache
        let lower = isCache ? max(8, panes.height * 2 / 5) : min(max(5, railCount + 1), panes.height * 2 / 5)
        add([[.response], [.fragments, .cache]], columns[1].splitRows([.weight(1), .fixed(lower)]), state)
      }
    case (_, 100..., _):
      let columns = panes.splitColumns(share(45, arrangement.widthChange), spacing: 1)
      dividers = [Rect(column: columns[0].endColumn, row: top, width: 1, height: panes.height)]
      add([[.query, .inputs]], [columns[0]], state)
      add([[.response, .fragments, .cache]], [columns[1]], state)
      divideColumns(dividers[0], 45, panes)
    default:
      // The focused half gets the larger part.
      let isUpper = state.screen.focus.isEditor
      let rows = panes.splitRows([.weight(isUpper ? 11 : 6), .weight(isUpper ? 9 : 14)])
      add([[.query, .inputs], [.response, .fragments, .cache]], rows, state)
    }
  }

  private mutating func add(_ groups: [[PaneID.Region]], _ rects: [Rect], _ state: ExplorerState) {
    for (regions, rect) in zip(groups, rects) {
      let tabs = regions.flatMap(\.panes)
      let pane = state.screen.recentPanes.first { tabs.contains($0) } ?? tabs[0]
      let content = Rect(column: rect.column, row: rect.row + 1, width: rect.width, height: rect.height - 1)
      slots.append(Slot(tabs: tabs, pane: pane, title: rect.line(0), content: content))
    }
  }

  private mutating func divideColumns(_ line: Rect, _ usual: Int, _ whole: Rect) {
    divisions.append(Division(line: line, usual: usual, columns: whole.column..<whole.endColumn))
  }

  private mutating func divideRows(_ line: Rect, _ usual: Int, _ whole: Rect) {
    divisions.append(Division(line: line, usual: usual, rows: whole.row..<whole.endRow))
  }

  package func slot(of pane: PaneID) -> Slot? { slots.first { $0.pane == pane } }
}
