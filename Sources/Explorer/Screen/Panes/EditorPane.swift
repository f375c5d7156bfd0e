import ApusFormatting
import ApusAlgorithms
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// The layout of an editor in its pane: line numbers, text, and the message for the diagnostic at the cursor.
struct EditorGeometry {
  let gutter: Rect
  let text: Rect
  /// The message of the diagnostic at the cursor, in as many lines as fit.
  let message: [String]
  let messageArea: Rect

  init(_ editor: Editor, _ analysis: EditorAnalysis, in area: Rect, isFocused: Bool) {
    let problem = isFocused && area.height > 3 ? analysis.diagnostic(at: editor.cursor) : nil
    message =
      problem.map { TextWrapping.lines(of: $0.message, width: area.width - 4, limit: min(3, area.height / 3)) } ?? []
    let height = area.height - message.count
    let digits = max(2, String(editor.buffer.lineCount).count)
    let width = min(digits + 2, area.width / 3)
    gutter = Rect(column: area.column, row: area.row, width: width, height: height)
    let bar = editor.buffer.lineCount > height ? 1 : 0
    text = Rect(column: area.column + width, row: area.row, width: area.width - width - bar, height: height)
    messageArea = Rect(
      column: area.column, row: area.endRow - message.count, width: area.width, height: message.count)
  }
}

extension Painter {
  mutating func paintEditor(_ editor: Editor, _ analysis: EditorAnalysis, _ slot: ScreenLayout.Slot) {
    let isFocused = slot.pane == state.screen.focus
    let geometry = EditorGeometry(editor, analysis, in: slot.content, isFocused: isFocused)
    let area = geometry.text
    let partner = isFocused && !editor.hasSelection ? editor.matchingBrackets() : nil
    let found = isFocused ? foundInText : []
    let rows = EditorRow.rows(of: editor, width: area.width, height: area.height)
    var spans: [StyledSpan] = []
    for (line, row) in rows.enumerated() {
      let index = row.line
      // The rows of a wrapped line share its syntax spans.
      if line == 0 || rows[line - 1].line != index {
        spans = editor.syntax.spans(of: editor.buffer.line(index), at: index)
      }
      if row.isFirst {
        paintLineNumber(index, geometry.gutter.line(line), isCurrent: isFocused && index == editor.cursor.line)
      }
      paintLine(row, spans, of: editor, in: area.line(line))
      paintMarks(row, of: editor, analysis, partner, found, in: area.line(line))
      if let folded = editor.foldedLines(after: index), row.isLast {
        paintFold(folded, row, of: editor, in: area.line(line), gutter: geometry.gutter.line(line))
      }
      if isFocused && index == editor.cursor.line && !editor.hasSelection {
        paintCurrentLine(slot.content.line(line))
      }
    }
    if editor.buffer.isEmpty && !isFocused { paintHint(of: slot.pane, in: area) }
    if editor.buffer.lineCount > area.height {
      let bar = Rect(column: area.column, row: area.row, width: area.width + 1, height: area.height)
      paintScrollBar(first: editor.scroll.line, shown: area.height, count: editor.buffer.lineCount, in: bar)
    }
    if !geometry.message.isEmpty, let problem = analysis.diagnostic(at: editor.cursor) {
      paintProblem(geometry.message, problem.severity, in: geometry.messageArea)
    }
    guard isFocused else { return }
    if let point = EditorRow.point(of: editor.cursor, in: editor, area), area.contains(point) {
      paintGhostText(at: point, editor, slot.pane, in: area)
      cursor = CursorPlacement(point, shape: cursorShape)
    }
  }

  private mutating func paintCurrentLine(_ rect: Rect) {
    let (style, background) = (theme[.currentLine], theme[.text].background)
    frame.restyle(rect) { $0.background == background ? style.over($0).keepingForeground(of: $0) : $0 }
  }

  /// Draws the hint of an empty editor.
  private mutating func paintHint(of pane: PaneID, in area: Rect) {
    let hint = pane == .variables ? "{ }  the operation's variables as JSON" : "Write a query"
    let shown = TextWidth.truncated(hint, to: area.width, ellipsis: glyphs.ellipsis)
    frame.put(shown, at: area.origin, style: theme[.muted], clippedTo: area)
  }

  /// Draws ghost text after the cursor and shifts the closing brackets after it.
  private mutating func paintGhostText(at point: Point, _ editor: Editor, _ pane: PaneID, in area: Rect) {
    guard let ghost = state.typing.ghostText(of: editor, in: pane) else { return }
    let row = Rect(column: area.column, row: point.row, width: area.width, height: 1)
    let rest = editor.buffer.line(editor.cursor.line).utf8.dropFirst(editor.cursor.column)
    let end = put(ghost.text, at: point.column, in: row, theme[.muted].with(.italic))
    put(String(decoding: Array(rest), as: UTF8.self), at: end, in: row, theme[.punctuation])
  }

  /// The cursor shape of vim modes: a bar for inserting, a block for commands, an underline while a key is pending.
  private var cursorShape: CursorPlacement.Shape {
    guard let vim = state.typing.vim, vim.mode != .insert else { return .bar }
    return vim.operation != nil || vim.waiting != nil ? .underline : .block
  }

  /// Draws the number of lines folded after this one.
  private mutating func paintFold(_ count: Int, _ row: EditorRow, of editor: Editor, in rect: Rect, gutter: Rect) {
    let end = rect.column + row.cells(before: editor.buffer.line(row.line).utf8.count, in: editor)
    put(" \(glyphs.ellipsis) \(DisplayFormat.plural(count, "line"))", at: end, in: rect, theme[.muted].with(.italic))
    put(String(glyphs.folded), at: gutter.endColumn - 1, in: gutter, theme[.accent])
  }

  private mutating func paintLineNumber(_ index: Int, _ rect: Rect, isCurrent: Bool) {
    let text = String(index + 1)
    let column = rect.endColumn - 1 - text.count
    put(text, at: max(rect.column, column), in: rect, theme[isCurrent ? .currentLineNumber : .lineNumber])
  }

  private mutating func paintLine(_ row: EditorRow, _ spans: [StyledSpan], of editor: Editor, in rect: Rect) {
    let line = editor.buffer.line(row.line)
    var column = rect.column - (editor.wraps ? 0 : editor.scroll.column)
    var done = row.columns.lowerBound
    let piece = { (painter: inout Painter, range: Range<Int>, style: Style) in
      let range = range.clamped(to: row.columns)
      guard !range.isEmpty, column < rect.endColumn else { return }
      let start = line.utf8.index(line.startIndex, offsetBy: range.lowerBound)
      let text = line[start..<line.utf8.index(start, offsetBy: range.count)]
      if text.utf8.contains(9) {
        let blanks = String(text.map { $0 == "\t" ? "  " : String($0) }.joined())
        column = painter.put(blanks, at: column, in: rect, style)
      } else {
        column = painter.frame.put(
          text, at: Point(column: column, row: rect.row), style: style, clippedTo: rect)
      }
    }
    let first = spans.partitioningIndex { $0.columns.upperBound > done }
    for span in spans[first...] {
      guard span.columns.lowerBound < row.columns.upperBound else { break }
      piece(&self, done..<max(done, span.columns.lowerBound), theme[.text])
      piece(
        &self, max(done, span.columns.lowerBound)..<span.columns.upperBound, theme[role(of: span.kind, editor.language)]
      )
      done = span.columns.upperBound
    }
    piece(&self, done..<max(done, line.utf8.count), theme[.text])
    if editor.wraps { return }
    let end = LineCells.cells(before: line.utf8.count, in: line) - editor.scroll.column
    if end > rect.width {
      frame.put(
        String(glyphs.cutRight), at: Point(column: rect.endColumn - 1, row: rect.row), style: theme[.muted])
    }
    if editor.scroll.column > 0 && !line.isEmpty {
      frame.put(String(glyphs.cutLeft), at: rect.origin, style: theme[.muted])
    }
  }

  private func role(of kind: TokenStyle, _ language: Editor.Language) -> ThemeRole {
    switch kind {
    case .keyword: .keyword
    case .type: .type
    case .field: .field
    case .alias: .alias
    case .argument: language == .json ? .objectKey : .argument
    case .variable: .variable
    case .directive: .directive
    case .string: .string
    case .number: .number
    case .constant: language == .json ? .constant : .enumValue
    case .punctuation: .punctuation
    case .comment: .comment
    case .name: .operationName
    case .invalid: .error
    }
  }

  /// The matches of the editor search, except the selected one.
  private var foundInText: [Range<TextPosition>] {
    guard let find = state.popups.last?.state as? FindPopup else { return [] }
    return find.matches.enumerated().filter { $0.offset != find.current }.map(\.element)
  }

  private mutating func paintMarks(
    _ row: EditorRow, of editor: Editor, _ analysis: EditorAnalysis, _ brackets: [TextPosition]?,
    _ found: [Range<TextPosition>], in rect: Rect
  ) {
    let index = row.line
    let line = editor.buffer.line(index)
    let marks = RowMarks(row, of: editor, in: rect)
    for diagnostic in analysis.diagnostics {
      guard let columns = diagnostic.range.columns(ofLine: index, length: line.utf8.count) else { continue }
      let style = theme[diagnostic.severity == .error ? .errorMark : .warningMark]
      frame.restyle(marks.cells(columns.lowerBound, columns.upperBound)) { style.over($0) }
    }
    for match in found where match.lowerBound.line == index {
      let style = theme[.searchMatch]
      frame.restyle(marks.cells(match.lowerBound.column, match.upperBound.column)) { style.over($0) }
    }
    for range in [state.shownSelection(of: editor)] + editor.otherSelections.map(\.range) where !range.isEmpty {
      guard let columns = range.columns(ofLine: index, length: line.utf8.count + 1), !columns.isEmpty else { continue }
      let style = theme[.textSelection]
      var area = marks.cells(columns.lowerBound, min(columns.upperBound, line.utf8.count))
      if columns.upperBound > line.utf8.count, !line.isEmpty {
        area.width = min(area.width + 1, rect.endColumn - area.column)
      }
      frame.restyle(area) { style.over($0).keepingForeground(of: $0) }
    }
    // The terminal has only one cursor, so additional cursors are drawn.
    for other in editor.otherSelections where other.cursor.line == index {
      let cells = marks.cells(other.cursor.column, other.cursor.column)
      frame.restyle(cells) { $0.with(.reverse) }
    }
    for bracket in brackets ?? [] where bracket.line == index {
      let style = theme[.matchingBracket]
      frame.restyle(marks.cells(bracket.column, bracket.column + 1)) { style.over($0).keepingForeground(of: $0) }
    }
  }

  private mutating func paintProblem(_ lines: [String], _ severity: EditorDiagnostic.Severity, in area: Rect) {
    let isError = severity == .error
    frame.fill(area, style: theme[.popup])
    let glyph = isError ? glyphs.error : glyphs.warning
    put(" \(glyph)", at: area.column, in: area.line(0), theme[isError ? .error : .warning, on: .popup])
    for (index, line) in lines.enumerated() { put(line, at: area.column + 3, in: area.line(index), theme[.popup]) }
  }
}

extension Range<TextPosition> {
  /// Returns the columns of the range within one line.
  func columns(ofLine line: Int, length: Int) -> Range<Int>? {
    guard lowerBound.line <= line, line <= upperBound.line else { return nil }
    let start = lowerBound.line == line ? Swift.min(lowerBound.column, length) : 0
    let end = upperBound.line == line ? Swift.min(upperBound.column, length) : length
    return start..<Swift.max(start, end)
  }
}

/// The cells of marks in one row of an editor.
private struct RowMarks {
  private let row: EditorRow
  private let editor: Editor
  private let rect: Rect
  /// A line may have thousands of marks. Those out of view are skipped, because measuring the cells before each is
  /// expensive.
  private let inView: Range<Int>

  init(_ row: EditorRow, of editor: Editor, in rect: Rect) {
    self.row = row
    self.editor = editor
    self.rect = rect
    inView = row.columnsInView(of: editor, width: rect.width)
  }

  /// Returns the cells between two columns of the line, as far as they are in this row.
  func cells(_ from: Int, _ to: Int) -> Rect {
    if to < inView.lowerBound || from > inView.upperBound { return .zero }
    // Marks before or after this row of a wrapped line are not on it.
    if row.columns.lowerBound > 0 || !row.isLast, to <= row.columns.lowerBound || from >= row.columns.upperBound {
      return .zero
    }
    let start = row.cells(before: max(from, row.columns.lowerBound), in: editor)
    let end = row.cells(before: row.isLast ? to : min(to, row.columns.upperBound), in: editor)
    return Rect(column: rect.column + start, row: rect.row, width: max(1, end - start), height: 1).intersection(rect)
  }
}
