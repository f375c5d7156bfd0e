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
    let panes = Rect(
      column: 0, row: tabBar.height, width: size.width, height: size.height - 2 - tabBar.height)
    let arrangement = state.screen.arrangement
    if arrangement.isZoomed || size.width < 60 || size.height < 16 {
      add([PaneID.Region.allCases], [panes], state)
      slots[0].pane = state.screen.focus
      return
    }
    if size.width >= 80, size.height >= 22 {
      switch arrangement.layout {
      case .rows: arrangeInRows(panes, state)
      case .reading: arrangeForReading(panes, state)
      case .columns: arrangeInColumns(panes, state)
      }
    } else if size.width >= 100 {
      arrangeInHalves(panes, state)
    } else {
      // The focused half gets the larger part.
      let isUpper = state.screen.focus.isEditor
      let rows = panes.splitRows([.weight(isUpper ? 11 : 6), .weight(isUpper ? 9 : 14)])
      add([[.query, .inputs], [.response, .fragments, .cache]], rows, state)
    }
  }

  // MARK: Arrangements

  /// Returns the editors' share of the width or the upper panes' share of the height, in hundredths, and the rest.
  private static func share(_ usual: Int, changedBy change: Int) -> [LayoutLength] {
    let first = min(85, max(15, usual + change))
    return [.weight(first), .weight(100 - first)]
  }

  /// The editors above, the response below.
  private mutating func arrangeInRows(_ panes: Rect, _ state: ExplorerState) {
    let arrangement = state.screen.arrangement
    let rows = panes.splitRows(Self.share(45, changedBy: arrangement.heightChange))
    let upper = rows[0].splitColumns(Self.share(65, changedBy: arrangement.widthChange), spacing: 1)
    let lower = rows[1].splitColumns([.weight(65), .weight(35)], spacing: 1)
    dividers = [upper[0], lower[0]].map { Rect(column: $0.endColumn, row: $0.row, width: 1, height: $0.height) }
    add([[.query], [.inputs]], upper, state)
    add([[.response], [.fragments, .cache]], lower, state)
    divideColumns(dividers[0], 65, panes)
    divideRows(panes.line(rows[1].row - panes.row), 45, panes)
  }

  /// A wide response, and everything else beside it.
  private mutating func arrangeForReading(_ panes: Rect, _ state: ExplorerState) {
    let arrangement = state.screen.arrangement
    let columns = panes.splitColumns(Self.share(30, changedBy: arrangement.widthChange), spacing: 1)
    dividers = [Rect(column: columns[0].endColumn, row: panes.row, width: 1, height: panes.height)]
    add(
      [[.query, .inputs], [.fragments, .cache]],
      columns[0].splitRows(Self.share(65, changedBy: arrangement.heightChange)), state)
    add([[.response]], [columns[1]], state)
    divideColumns(dividers[0], 30, panes)
    divideRows(slots[1].title, 65, columns[0])
  }

  /// The editors in one column, the response in another, and on wide screens the other panes in a third.
  private mutating func arrangeInColumns(_ panes: Rect, _ state: ExplorerState) {
    let columns = panes.splitColumns(
      size.width >= 170
        ? [.weight(5), .weight(6), .weight(5)] : Self.share(45, changedBy: state.screen.arrangement.widthChange),
      spacing: 1)
    for column in columns.dropLast() {
      dividers.append(Rect(column: column.endColumn, row: panes.row, width: 1, height: panes.height))
    }
    if columns.count == 2 { divideColumns(dividers[0], 45, panes) }
    add([[.query], [.inputs]], columns[0].splitRows([.weight(1), .fixed(Self.inputRows(panes, state))]), state)
    // Includes the axis.
    let deferredRowCount = max(state.tab.response.deferredRowCount, state.tab.response.deliveryCount) + 1
    // The deferred pane is as high as its contents, and at most a third of the height.
    let deferredHeight = min(panes.height / 3, max(4, deferredRowCount + 1))
    if columns.count == 3 {
      add([[.response]], [columns[1]], state)
      add([[.fragments], [.cache]], columns[2].splitRows([.fixed(max(deferredHeight, 8)), .weight(1)]), state)
    } else if size.height >= 32 {
      let change = state.screen.arrangement.heightChange
      add(
        [[.response], [.fragments], [.cache]],
        columns[1].splitRows([.weight(60 + change), .fixed(deferredHeight), .weight(40 - min(39, change), minimum: 7)]),
        state
      )
      var room = columns[1]
      room.height -= deferredHeight
      divideRows(slots[3].title, 60, room)
    } else {
      let isCache = state.screen.recentPanes.first { $0 == .deferred || $0 == .cache } == .cache
      let lower = isCache ? max(8, panes.height * 2 / 5) : min(max(5, deferredRowCount + 1), panes.height * 2 / 5)
      add([[.response], [.fragments, .cache]], columns[1].splitRows([.weight(1), .fixed(lower)]), state)
    }
  }

  /// The height of the variables and headers: more if they have content or the focus.
  private static func inputRows(_ panes: Rect, _ state: ExplorerState) -> Int {
    let showsHeaders = state.screen.recentPanes.first { $0 == .variables || $0 == .headers } == .headers
    let editor = showsHeaders ? state.tab.editors.headers : state.tab.editors.variables
    let isUsed = !editor.buffer.isEmpty || state.screen.focus == .variables || state.screen.focus == .headers
    return isUsed ? min(panes.height / 3, max(5, editor.buffer.lineCount + 2)) : 4
  }

  /// The editors in one half, everything else in the other.
  private mutating func arrangeInHalves(_ panes: Rect, _ state: ExplorerState) {
    let columns = panes.splitColumns(Self.share(45, changedBy: state.screen.arrangement.widthChange), spacing: 1)
    dividers = [Rect(column: columns[0].endColumn, row: panes.row, width: 1, height: panes.height)]
    add([[.query, .inputs]], [columns[0]], state)
    add([[.response, .fragments, .cache]], [columns[1]], state)
    divideColumns(dividers[0], 45, panes)
  }

  private mutating func add(_ groups: [[PaneID.Region]], _ rects: [Rect], _ state: ExplorerState) {
    for (regions, rect) in zip(groups, rects) {
      let tabs = regions.flatMap(\.panes)
      let pane = state.screen.recentPanes.first { tabs.contains($0) } ?? tabs[0]
      let content = Rect(column: rect.column, row: rect.row + 1, width: rect.width, height: rect.height - 1)
      slots.append(Slot(tabs: tabs, pane: pane, title: rect.line(0), content: content))
    }
  }

  private mutating func divideColumns(_ line: Rect, _ usual: Int, _ complete: Rect) {
    divisions.append(Division(line: line, usual: usual, columns: complete.column..<complete.endColumn))
  }

  private mutating func divideRows(_ line: Rect, _ usual: Int, _ complete: Rect) {
    divisions.append(Division(line: line, usual: usual, rows: complete.row..<complete.endRow))
  }

  package func slot(of pane: PaneID) -> Slot? { slots.first { $0.pane == pane } }
}
