import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

extension VisibleArea {
  /// Creates the visible part of a state for a layout.
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
    // A popup above a question hides it.
    if let popup = state.popups.last, let question = popup.state as? ConfirmationPopup {
      let list = PopupGeometry(popup, state, layout).list
      let count = ConfirmationPopup.Layout(question, width: list.width).all.count
      let first = min(question.scroll, max(0, count - list.height))
      self.question = Question(firstLine: first, linesBelow: max(0, count - first - max(0, list.height)))
    }
  }

  /// Adds the visible part of an editor and returns its number of rows.
  private mutating func show(_ slot: ScreenLayout.Slot, of state: ExplorerState) -> Int {
    guard var editor = state.tab.editors.editor(in: slot.pane) else { return slot.content.height }
    let analysis = state.analysis(in: slot.pane)
    let isFocused = slot.pane == state.screen.focus
    var area = EditorGeometry(editor, analysis, in: slot.content, isFocused: isFocused).text
    // Matches must not be hidden by the find box.
    if isFocused, let find = state.popups.last?.state as? FindPopup {
      area.height = max(1, area.height - PopupGeometry.rowCount(find))
    }
    Self.reveal(&editor, in: area, before: state.screen.viewports[slot.pane]?.rows)
    editors[slot.pane] = Text(editor)
    return area.height
  }

  private mutating func show(_ popup: Popup, of state: ExplorerState, _ layout: ScreenLayout) {
    if let shown = popup.state as? FormPopup {
      var list = shown.list
      list.reveal(count: shown.rows.count, height: PopupGeometry(popup, state, layout).list.height)
      form = list
    }
    if let shown = popup.state as? ValuePopup {
      let list = PopupGeometry(popup, state, layout).list
      valueRow = min(shown.scroll, max(0, ValueLines(shown.reading, width: list.width - 1).lines.count - list.height))
    }
    if let shown = popup.state as? TrafficPopup, shown.revealsMatch, let match = shown.match {
      let list = PopupGeometry(popup, state, layout).list
      let lines = TrafficLines(state.tab.response.traffic, width: list.width - 2)
      // Show some lines of context before the match.
      let row = lines.starts.indices.contains(match) ? lines.starts[match] - list.height / 3 : 0
      trafficRow = min(max(0, row), max(0, lines.lines.count - list.height))
    }
    if var shown = popup.state as? SchemaPopup {
      let list = PopupGeometry(popup, state, layout).list
      shown.fit(to: list.width - 2) { TextWrapping.lines(of: $0, width: $1) }
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
    // A pane that has grown shows as many lines as possible.
    if let before, height > before { EditorRow.fill(&editor, width: width, height: height) }
    if editor.wraps { return }
    if editor.scroll.column > 0,
      EditorRow.rows(of: editor, width: width, height: height).allSatisfy({ $0.columns.count < width })
    {
      editor.scroll.column = 0
    }
    let cell = LineCells.cells(before: editor.cursor.column, in: editor.buffer.line(editor.cursor.line))
    // Show some cells beyond the cursor as context for typing.
    let margin = min(4, area.width / 4)
    if cell < editor.scroll.column + (editor.scroll.column > 0 ? margin : 0) {
      editor.scroll.column = max(0, cell - margin)
    } else if cell > editor.scroll.column + area.width - 1 - margin {
      editor.scroll.column = max(0, cell - area.width + 1 + margin)
    }
  }
}

extension ScreenLayout.Slot {
  /// Returns the area of the pane's list, including the lines above its rows.
  func listArea(_ state: ExplorerState) -> Rect {
    if pane == .deferred { return DeferredPaneGeometry(state.tab.response, in: content).list }
    if pane == .cache { return CacheGeometry(state.cache, in: content).list }
    return pane == .response ? ResponseGeometry.area(in: content, state) : content
  }
}
