import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// One screen row of an editor: a line, or a part of a wrapped line. Folded lines have no row.
struct EditorRow: Equatable {
  let line: Int
  /// The byte range of the line in this row; without wrapping, the whole line.
  let columns: Range<Int>
  let isFirst: Bool
  let isLast: Bool

  /// Returns the visible rows.
  static func rows(of editor: Editor, width: Int, height: Int) -> [EditorRow] {
    var rows: [EditorRow] = []
    var line = editor.scroll.line
    while rows.count < height, line < editor.buffer.lineCount {
      if !editor.isHidden(line) {
        rows += self.rows(ofLine: line, in: editor, width: width).drop { $0.isAbove(editor) }
      }
      line += 1
    }
    return Array(rows.prefix(max(0, height)))
  }

  /// Whether the row of a wrapped line is above the visible area.
  private func isAbove(_ editor: Editor) -> Bool {
    editor.wraps && line == editor.scroll.line && columns.lowerBound < editor.scroll.column
  }

  /// Returns the number of cells scrolled out of view on the left.
  private static func cellsOnTheLeft(of editor: Editor) -> Int { editor.wraps ? 0 : editor.scroll.column }

  private static func rows(ofLine line: Int, in editor: Editor, width: Int) -> [EditorRow] {
    let text = editor.buffer.line(line)
    let count = text.utf8.count
    guard editor.wraps, width > 1, count >= width else {
      return [EditorRow(line: line, columns: 0..<count, isFirst: true, isLast: true)]
    }
    // One cell is reserved for the cursor after the last character.
    let parts = parts(of: text, width: width - 1)
    return parts.enumerated().map { index, columns in
      EditorRow(line: line, columns: columns, isFirst: index == 0, isLast: index == parts.count - 1)
    }
  }

  /// Wraps after the last space that fits, or else within a word.
  private static func parts(of text: String, width: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    var column = 0
    var cells = 0
    var blank: Int?
    var cellsBehindBlank = 0
    LineCells.forEachCharacter(in: text) { character in
      if cells + character.cells > width, column > start {
        let end = blank ?? column
        parts.append(start..<end)
        cells = blank == nil ? 0 : cellsBehindBlank
        start = end
        blank = nil
      }
      cells += character.cells
      column = character.columns.upperBound
      cellsBehindBlank += character.cells
      if character.isBlank {
        blank = column
        cellsBehindBlank = 0
      }
      return true
    }
    parts.append(start..<column)
    return parts
  }

  /// Returns the columns of the line that are visible.
  func columnsInView(of editor: Editor, width: Int) -> Range<Int> {
    if editor.wraps { return columns }
    let text = editor.buffer.line(line)
    let start = LineCells.column(at: editor.scroll.column, in: text)
    return start..<max(start, LineCells.column(at: editor.scroll.column + width + 1, in: text))
  }

  /// Returns the number of the row's cells before a column.
  func cells(before column: Int, in editor: Editor) -> Int {
    let text = editor.buffer.line(line)
    return LineCells.cells(before: column, in: text) - LineCells.cells(before: columns.lowerBound, in: text)
      - Self.cellsOnTheLeft(of: editor)
  }

  func position(at cell: Int, in editor: Editor) -> TextPosition {
    let text = editor.buffer.line(line)
    let before = LineCells.cells(before: columns.lowerBound, in: text)
    let column = LineCells.column(at: max(0, cell) + before + Self.cellsOnTheLeft(of: editor), in: text)
    return TextPosition(line, isLast ? column : min(column, max(columns.lowerBound, columns.upperBound - 1)))
  }

  private func contains(_ position: TextPosition) -> Bool {
    position.line == line && columns.lowerBound <= position.column
      && (position.column < columns.upperBound || isLast)
  }

  /// Returns the screen point of a position; nil if it is not visible.
  static func point(of position: TextPosition, in editor: Editor, _ area: Rect) -> Point? {
    let rows = rows(of: editor, width: area.width, height: area.height)
    guard let index = rows.firstIndex(where: { $0.contains(position) }) else { return nil }
    return Point(column: area.column + rows[index].cells(before: position.column, in: editor), row: area.row + index)
  }

  /// Scrolls up while there is empty space below the last line.
  static func fill(_ editor: inout Editor, width: Int, height: Int) {
    var left = height - rows(of: editor, width: width, height: height).count
    if left > 0 { showStart(ofLine: editor.scroll.line, in: &editor, width: width, rows: &left) }
    while left > 0, editor.scroll.line > 0 {
      let line = editor.scroll.line - 1
      let rows = editor.isHidden(line) ? [] : rows(ofLine: line, in: editor, width: width)
      left -= rows.count
      if left >= 0 { editor.scroll(toLine: line) }
    }
  }

  /// Scrolls up within a wrapped line by at most the available rows.
  private static func showStart(ofLine line: Int, in editor: inout Editor, width: Int, rows left: inout Int) {
    let hidden = rows(ofLine: line, in: editor, width: width).filter { $0.isAbove(editor) }
    guard !hidden.isEmpty else { return }
    editor.scroll.column = hidden[max(0, hidden.count - left)].columns.lowerBound
    left -= hidden.count
  }

  /// Scrolls as little as possible to show the cursor's row: by whole lines, and by rows within a line taller than the
  /// pane.
  static func reveal(_ editor: inout Editor, width: Int, height: Int) {
    guard height > 0 else { return }
    editor.scroll(toLine: min(editor.scroll.line, editor.cursor.line))
    let cursor = editor.cursor
    let cursorRows = rows(ofLine: cursor.line, in: editor, width: width)
    let row = cursorRows.firstIndex { $0.contains(cursor) } ?? 0
    if cursorRows[row].isAbove(editor) { editor.scroll.column = cursorRows[row].columns.lowerBound }
    // Include as many lines above the cursor's row as fit, or rows of a line taller than the pane.
    var top = row < height ? TextPosition(cursor.line, 0) : cursorRows[row - height + 1].start
    var left = height - 1 - row
    while top.line > editor.scroll.line, left > 0 {
      var next = top.line - 1
      while next >= 0, editor.isHidden(next) { next -= 1 }
      guard next >= 0 else { break }
      let rows = rows(ofLine: next, in: editor, width: width).filter { !$0.isAbove(editor) }
      if rows.count > left {
        if rows.count >= height { top = rows[rows.count - left].start }
        break
      }
      left -= rows.count
      top = TextPosition(next, 0)
    }
    editor.scroll(toLine: max(top.line, editor.scroll.line))
    if editor.wraps, top.line == editor.scroll.line { editor.scroll.column = max(editor.scroll.column, top.column) }
  }

  private var start: TextPosition { TextPosition(line, columns.lowerBound) }
}
