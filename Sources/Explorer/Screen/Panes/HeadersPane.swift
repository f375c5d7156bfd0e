import ApusExplorerCore
import ApusExplorerTerminal

extension Painter {
  /// The headers as text; a secret is covered unless the cursor is on its line. What is filled in when a request is sent
  /// has a colour of its own and a sign before the line: one for the environment, one for a command that is run.
  mutating func paintHeaders(_ slot: ScreenLayout.Slot) {
    paintEditor(state.tab.texts.headers, TextAnalysis(), slot)
    let isFocused = slot.pane == state.screen.focus
    let geometry = EditorGeometry(state.tab.texts.headers, TextAnalysis(), in: slot.content, isFocused: isFocused)
    let area = geometry.text
    for row in 0..<area.height {
      let index = state.tab.texts.headers.scroll.line + row
      guard index < state.tab.texts.headers.buffer.lineCount else { break }
      let line = state.tab.texts.headers.buffer.line(index)
      let rect = area.line(row)
      guard let header = HeaderLine(line) else {
        let isComment = line.drop { $0.isWhitespace }.hasPrefix("#")
        let look = theme[HeaderLine.isWrong(line) ? .errorMark : .comment]
        if isComment || HeaderLine.isWrong(line) {
          frame.restyle(rect) { isComment ? look.on($0.background) : look.over($0) }
        }
        continue
      }
      let start =
        rect.column + LineCells.cells(before: header.valueColumn, in: line) - state.tab.texts.headers.scroll.column
      let name = theme[.objectKey]
      frame.restyle(Rect(column: rect.column, row: rect.row, width: max(0, start - rect.column), height: 1)) {
        name.on($0.background)
      }
      let value = Rect(column: start, row: rect.row, width: max(0, rect.endColumn - start), height: 1)
      let isHere = isFocused && index == state.tab.texts.headers.cursor.line
      if header.isSecret, !isHere {
        frame.fill(value, style: theme[.text])
        put(String(repeating: glyphs.bullet, count: 8), at: start, in: rect, theme[.muted])
      } else {
        let look = theme[.string]
        frame.restyle(value) { look.on($0.background) }
        paintLive(header, line, in: rect)
      }
      let live = header.liveRanges
      if !live.isEmpty {
        let glyph = live.contains { $0.isCommand } ? glyphs.command : glyphs.environment
        let gutter = geometry.gutter.line(row)
        put(String(glyph), at: gutter.endColumn - 1, in: gutter, theme[.variable])
      }
    }
    if state.tab.texts.headers.buffer.isEmpty && !isFocused {
      frame.fill(area.line(0), style: theme[.text])
      frame.put("Name: value   ($ENV and $(command) work)", at: area.origin, style: theme[.muted], clippedTo: area)
    }
  }

  private mutating func paintLive(_ header: HeaderLine, _ line: String, in rect: Rect) {
    let look = theme[.variable].with(.bold)
    for (range, _) in header.liveRanges {
      let start =
        rect.column + LineCells.cells(before: range.lowerBound, in: line) - state.tab.texts.headers.scroll.column
      let end =
        rect.column + LineCells.cells(before: range.upperBound, in: line) - state.tab.texts.headers.scroll.column
      let shown = max(start, rect.column)..<max(max(start, rect.column), min(end, rect.endColumn))
      frame.restyle(Rect(column: shown.lowerBound, row: rect.row, width: shown.count, height: 1)) {
        look.on($0.background)
      }
    }
  }

  /// How many headers go along with each request.
  var headersNote: String {
    let count = HeaderLine.all(in: state.tab.texts.headers.buffer).count
    return count == 0 ? "" : Wording.plural(count, "header")
  }
}
