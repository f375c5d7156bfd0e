import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// What a screen's size means for the state: how much of each pane is in view, and what is scrolled into it.
enum Preparation {
  static func prepare(_ state: inout ExplorerState, _ layout: ScreenLayout) {
    for slot in layout.slots {
      let isFocused = slot.pane == state.focus
      var rows = slot.content.height
      let before = state.viewports[slot.pane]?.rows
      switch slot.pane {
      case .query:
        let area = EditorGeometry(state.query, state.queryAnalysis, in: slot.content, isFocused: isFocused).text
        reveal(&state.query, in: area, before: before)
        rows = area.height
      case .variables:
        let area = EditorGeometry(state.variables, state.variablesAnalysis, in: slot.content, isFocused: isFocused).text
        reveal(&state.variables, in: area, before: before)
        rows = area.height
      case .headers:
        let area = EditorGeometry(state.headers, TextAnalysis(), in: slot.content, isFocused: isFocused).text
        reveal(&state.headers, in: area, before: before)
        rows = area.height
      case .response:
        rows = responseArea(slot.content, state).height
        state.responseList.reveal(count: state.responseRowCount, height: rows - state.responseView.headerLines)
      case .deferred:
        state.rail.reveal(count: state.run?.fragments.count ?? 0, height: rows)
      case .cache:
        rows = CacheGeometry(state.cache, in: slot.content).list.height
        state.cache.shownList.reveal(count: state.cache.shownRowCount, height: rows)
      }
      state.viewports[slot.pane] = Viewport(columns: slot.content.width, rows: rows)
    }
    if let place = state.popups.lastIndex(where: { if case .form = $0 { true } else { false } }),
      case .form(var form) = state.popups[place]
    {
      let height = PopupGeometry(.form(form), state, layout).list.height
      form.list.reveal(count: form.rows.count, height: height)
      state.popups[place] = .form(form)
    }
    if case .schema(var schema) = state.popups.last {
      let list = PopupGeometry(.schema(schema), state, layout).list
      let height = list.height
      schema.fit(to: list.width - 2) { Painter.wrap($0, width: $1) }
      schema.list.reveal(count: schema.rows.count, height: height)
      state.popups[state.popups.count - 1] = .schema(schema)
    }
  }

  /// Beneath a response that is not whole it is said what failed; beneath one that is searched, what is found.
  static func responseArea(_ area: Rect, _ state: ExplorerState) -> Rect {
    var height = area.height
    if let failure = state.run?.failure, !state.shownTree.rows.isEmpty || state.responseView == .events {
      height -= failureLines(failure, in: area).count
    }
    height -= state.readingLines
    return Rect(column: area.column, row: area.row, width: area.width, height: height)
  }

  /// What failed, in as many lines as there is room for beneath what arrived.
  static func failureLines(_ failure: RunFailure, in area: Rect) -> [String] {
    Array(Painter.wrap(failure.message, width: area.width - 4).prefix(max(1, min(3, area.height / 4))))
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
    if editor.wraps {
      editor.scroll.column = 0
      return
    }
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
