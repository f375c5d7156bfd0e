import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

extension Painter {
  /// Draws the headers. A secret is masked unless the cursor is on its line. References that are resolved when a
  /// request is sent have their own color and a sign before the line: one for the environment, one for commands. A
  /// header for another server is dimmed and has a sign that it is withheld.
  mutating func paintHeaders(_ slot: ScreenLayout.Slot) {
    let analysis = state.analysis(in: .headers)
    paintEditor(state.tab.editors.headers, analysis, slot)
    let isFocused = slot.pane == state.screen.focus
    let geometry = EditorGeometry(state.tab.editors.headers, analysis, in: slot.content, isFocused: isFocused)
    let area = geometry.text
    let editor = state.tab.editors.headers
    let rows = EditorRow.rows(of: editor, width: area.width, height: area.height)
    for (number, row) in rows.enumerated() {
      paintHeader(
        row, of: editor, in: area.line(number), gutter: geometry.gutter.line(number),
        hasCursor: isFocused && row.line == editor.cursor.line)
    }
    if state.tab.editors.headers.buffer.isEmpty {
      frame.fill(area.line(0), style: theme[.text])
      let hint = "Name: value   ($ENV and $(command) work, JSON is converted)"
      let shown = TextWidth.truncated(hint, to: area.width, ellipsis: glyphs.ellipsis)
      frame.put(shown, at: area.origin, style: theme[.muted], clippedTo: area)
    }
  }

  /// Draws the header in a row.
  private mutating func paintHeader(
    _ row: EditorRow, of editor: Editor, in rect: Rect, gutter: Rect, hasCursor: Bool
  ) {
    let line = editor.buffer.line(row.line)
    guard let header = HeaderLine(line) else {
      if line.drop(while: \.isWhitespace).hasPrefix("#") {
        let style = theme[.comment]
        frame.restyle(rect) { style.on($0.background) }
      }
      if let header = HeaderLine(commentedOut: line), header.isSecret, !hasCursor { cover(header, row, in: rect) }
      return
    }
    let value = value(of: header, in: row, rect)
    let name = theme[.objectKey]
    frame.restyle(Rect(column: rect.column, row: rect.row, width: max(0, value.column - rect.column), height: 1)) {
      name.on($0.background)
    }
    if header.isSecret, !hasCursor {
      cover(header, row, in: rect)
    } else {
      let style = theme[.string]
      frame.restyle(value) { style.on($0.background) }
      paintLive(header, row, in: rect)
    }
    if state.isHeaderWithheld(line: row.line) {
      let style = theme[.disabled]
      frame.restyle(rect) { style.on($0.background) }
      if row.isFirst { put(String(glyphs.notExecuted), at: gutter.endColumn - 1, in: gutter, theme[.warning]) }
      return
    }
    let live = header.liveRanges
    if !live.isEmpty, row.isFirst {
      let glyph = live.contains { $0.isCommand } ? glyphs.command : glyphs.environment
      put(String(glyph), at: gutter.endColumn - 1, in: gutter, theme[.variable])
    }
  }

  /// Returns the area of a header's value in a row of its line.
  private func value(of header: HeaderLine, in row: EditorRow, _ rect: Rect) -> Rect {
    if row.columns.lowerBound >= header.valueColumn, !row.isFirst { return rect }
    if row.columns.upperBound <= header.valueColumn, !row.isLast {
      return Rect(column: rect.endColumn, row: rect.row, width: 0, height: 1)
    }
    let start = rect.column + row.cells(before: header.valueColumn, in: state.tab.editors.headers)
    return Rect(column: start, row: rect.row, width: max(0, rect.endColumn - start), height: 1).intersection(rect)
  }

  private mutating func cover(_ header: HeaderLine, _ row: EditorRow, in rect: Rect) {
    let value = value(of: header, in: row, rect)
    guard value.width > 0 else { return }
    frame.fill(value, style: theme[.text])
    put(String(repeating: glyphs.bullet, count: 8), at: value.column, in: value, theme[.muted])
  }

  private mutating func paintLive(_ header: HeaderLine, _ row: EditorRow, in rect: Rect) {
    let style = theme[.variable].with(.bold)
    for (range, _) in header.liveRanges {
      let range = range.clamped(to: row.columns)
      guard !range.isEmpty else { continue }
      let start = rect.column + row.cells(before: range.lowerBound, in: state.tab.editors.headers)
      let end = rect.column + row.cells(before: range.upperBound, in: state.tab.editors.headers)
      let shown = max(start, rect.column)..<max(max(start, rect.column), min(end, rect.endColumn))
      frame.restyle(Rect(column: shown.lowerBound, row: rect.row, width: shown.count, height: 1)) {
        style.on($0.background)
      }
    }
  }

  /// The number of headers and of withheld headers.
  var headersNote: String {
    let lines = state.tab.editors.headers.buffer.lines
    let count = lines.count { HeaderLine($0) != nil }
    let withheld = lines.indices.count { state.isHeaderWithheld(line: $0) }
    if withheld > 0 { return "\(withheld) of \(DisplayFormat.plural(count, "header")) withheld" }
    return count == 0 ? "" : DisplayFormat.plural(count, "header")
  }

  /// The number of headers, for the title while another pane is in front.
  var headersBadge: [(String, ThemeRole)] {
    let count = state.tab.editors.headers.buffer.lines.count { HeaderLine($0) != nil }
    return count == 0 ? [] : [(DisplayFormat.count(count), .count)]
  }
}
