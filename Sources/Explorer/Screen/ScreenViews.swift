import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

extension ScreenView {
  /// What is in view of a state where everything stands as a layout says.
  package init(of state: ExplorerState, _ layout: ScreenLayout) {
    self.init()
    for slot in layout.slots {
      let rows = slot.pane.isEditor ? show(slot, of: state) : slot.listArea(state).height
      if let list = state.list(in: slot.pane) {
        var cursor = list.cursor
        cursor.reveal(count: list.count, height: rows - list.headerLines)
        if slot.pane == .response {
          let width = slot.listArea(state).width
          if state.tab.response.view == .tree { state.tab.response.shownTree.uncover(&cursor, height: rows) }
          matchColumn = ResponseGeometry.matchColumn(state.tab.response, width: width)
        }
        lists[slot.pane] = cursor
      }
      viewports[slot.pane] = Viewport(columns: slot.content.width, rows: rows)
    }
    for popup in state.popups.all { show(popup, of: state, layout) }
    // A popup above a question would hide it.
    if let popup = state.popups.last, let question = popup.state as? Confirmation {
      let list = PopupGeometry(popup, state, layout).list
      let count = Confirmation.Laid(question, width: list.width).all.count
      let first = min(question.scroll, max(0, count - list.height))
      self.question = Question(firstLine: first, linesBelow: max(0, count - first - max(0, list.height)))
    }
  }

  /// The rows of a pane's text.
  private mutating func show(_ slot: ScreenLayout.Slot, of state: ExplorerState) -> Int {
    guard var editor = state.tab.texts.editor(in: slot.pane) else { return slot.content.height }
    let analysis = state.tab.texts.analysis(in: slot.pane)
    let isFocused = slot.pane == state.screen.focus
    var area = EditorGeometry(editor, analysis, in: slot.content, isFocused: isFocused).text
    // What is found is not to be seen beneath the box of the search.
    if isFocused, let find = state.popups.last?.state as? FindState {
      area.height = max(1, area.height - PopupGeometry.rowCount(find))
    }
    Self.reveal(&editor, in: area, before: state.screen.viewports[slot.pane]?.rows)
    texts[slot.pane] = Text(editor)
    return area.height
  }

  private mutating func show(_ popup: Popup, of state: ExplorerState, _ layout: ScreenLayout) {
    if let shown = popup.state as? FormState {
      var list = shown.list
      list.reveal(count: shown.rows.count, height: PopupGeometry(popup, state, layout).list.height)
      form = list
    }
    if let shown = popup.state as? ValueState {
      let list = PopupGeometry(popup, state, layout).list
      valueRow = min(shown.scroll, max(0, ValueLines(shown.reading, width: list.width - 1).lines.count - list.height))
    }
    if var shown = popup.state as? SchemaExplorerState {
      let list = PopupGeometry(popup, state, layout).list
      shown.fit(to: list.width - 2) { Painter.wrap($0, width: $1) }
      shown.list.reveal(count: shown.rows.count, height: list.height)
      schema = shown
    }
  }

  private static func reveal(_ editor: inout Editor, in area: Rect, before: Int?) {
    if editor.isHidden(editor.cursor.line) { editor.unfold(at: editor.cursor.line) }
    let (height, width) = (area.height, area.width)
    if editor.wraps || !editor.folds.isEmpty {
      EditorRow.reveal(&editor, width: width, height: height)
    } else {
      editor.revealCursor(rows: height)
    }
    // A pane that has grown shows as much as it can.
    if let before, height > before { EditorRow.fill(&editor, width: width, height: height) }
    if editor.wraps { return }
    if editor.scroll.column > 0,
      EditorRow.rows(of: editor, width: width, height: height).allSatisfy({ $0.columns.count < width })
    {
      editor.scroll.column = 0
    }
    let cell = LineCells.cells(before: editor.cursor.column, in: editor.buffer.line(editor.cursor.line))
    // Some cells beyond the cursor are shown too, so that one sees what one types into.
    let margin = min(4, area.width / 4)
    if cell < editor.scroll.column + (editor.scroll.column > 0 ? margin : 0) {
      editor.scroll.column = max(0, cell - margin)
    } else if cell > editor.scroll.column + area.width - 1 - margin {
      editor.scroll.column = max(0, cell - area.width + 1 + margin)
    }
  }
}

extension ScreenLayout.Slot {
  /// Where the list of its pane stands, with the lines above its rows.
  func listArea(_ state: ExplorerState) -> Rect {
    if pane == .cache { return CacheGeometry(state.cache, in: content).list }
    return pane == .response ? ResponseGeometry.area(in: content, state) : content
  }
}

/// Where the response stands in its pane.
enum ResponseGeometry {
  /// Beneath a response that is not whole it is said what failed; beneath one that is searched, what is found.
  static func area(in area: Rect, _ state: ExplorerState) -> Rect {
    var height = area.height
    if let failure = state.tab.response.run?.failure,
      !state.tab.response.shownTree.rows.isEmpty || state.tab.response.view == .events
    {
      height -= failureLines(failure, in: area).count
    }
    height -= state.tab.response.readingLines
    let rows = Rect(column: area.column, row: area.row, width: area.width, height: height)
    return beside(rows, state)?.shown ?? rows
  }

  /// The places of a response and of the one that is kept beside it: side by side where both can be read so, else one above
  /// the other; nil where one alone has room, or none is kept.
  static func beside(_ rows: Rect, _ state: ExplorerState) -> (shown: Rect, pinned: Rect)? {
    guard state.pinned != nil, state.tab.response.isBesidePinned else { return nil }
    if rows.width >= 76 {
      let width = (rows.width - 1) / 2
      return (
        Rect(column: rows.column, row: rows.row, width: width, height: rows.height),
        Rect(column: rows.column + width + 1, row: rows.row, width: rows.width - width - 1, height: rows.height)
      )
    }
    guard rows.height >= 10 else { return nil }
    let height = rows.height / 2
    return (
      Rect(column: rows.column, row: rows.row, width: rows.width, height: height),
      Rect(column: rows.column, row: rows.row + height, width: rows.width, height: rows.height - height)
    )
  }

  /// Where a row's fold sign stands. Deep trees on narrow screens: the indentation gives way before the values do. Where
  /// responses are compared, the signs of that stand before it.
  static func start(of row: ResponseRow, in rect: Rect, _ tree: ResponseTree) -> Int {
    let indentation = min(max(0, row.depth) * 2, max(0, rect.width / 2))
    return rect.column + 1 + indentation + (tree.isComparing ? 2 : 0) - tree.firstColumn
  }

  /// The first column from which the match that was gone to is in view; nil where that is not asked.
  static func matchColumn(_ response: TabResponse, width: Int) -> Int? {
    guard response.reading.search.isToBeShown, response.reading.search.isActive else { return nil }
    let sought = SoughtText(response.reading.search.text)
    let text: String
    let first: Int
    switch response.view {
    case .table, .events: return nil
    case .text(let raw):
      guard let laidOut = raw.text else { return nil }
      text = laidOut.line(raw.list.selected)
      first = raw.firstColumn
    case .tree:
      guard let row = response.shownTree.selectedRow else { return nil }
      first = response.shownTree.firstColumn
      let start = start(of: row, in: Rect(column: 0, row: 0, width: width, height: 1), response.shownTree) + first - 1
      text = String(repeating: " ", count: start + 2) + row.text
    }
    guard let match = sought.ranges(in: text).first else { return 0 }
    let column = TextWidth.width(of: text[..<match.lowerBound])
    let end = column + TextWidth.width(of: text[match])
    // Both ends may show that there is more.
    if end <= width - 3 { return 0 }
    return column > first + 1 && end < first + width - 3 ? first : max(0, column - width / 3)
  }

  /// What failed, in as many lines as there is room for beneath what arrived.
  static func failureLines(_ failure: RunFailure, in area: Rect) -> [String] {
    Array(Painter.wrap(failure.message, width: area.width - 4).prefix(max(1, min(3, area.height / 4))))
  }
}
