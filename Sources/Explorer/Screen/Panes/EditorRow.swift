import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// One row of an editor's text on the screen: a line, or a part of one where long lines are wrapped. Lines that are put
/// away have none.
struct EditorRow: Equatable {
  let line: Int
  /// The part of the line, in bytes; where lines are cut, all of it.
  let columns: Range<Int>
  let isFirst: Bool
  let isLast: Bool

  /// The rows in view.
  static func rows(of editor: Editor, width: Int, height: Int) -> [EditorRow] {
    var rows: [EditorRow] = []
    var line = editor.scroll.line
    while rows.count < height, line < editor.buffer.lineCount {
      if !editor.isHidden(line) { rows += self.rows(ofLine: line, in: editor, width: width) }
      line += 1
    }
    return Array(rows.prefix(max(0, height)))
  }

  private static func rows(ofLine line: Int, in editor: Editor, width: Int) -> [EditorRow] {
    let text = editor.buffer.line(line)
    let count = text.utf8.count
    guard editor.wraps, width > 1, count >= width else {
      return [EditorRow(line: line, columns: 0..<count, isFirst: true, isLast: true)]
    }
    // One cell stays free for the cursor behind the last character.
    let parts = parts(of: text, width: width - 1)
    return parts.enumerated().map { index, columns in
      EditorRow(line: line, columns: columns, isFirst: index == 0, isLast: index == parts.count - 1)
    }
  }

  /// Breaks at the last blank that fits, else in the middle of a word.
  private static func parts(of text: String, width: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    var column = 0
    var cells = 0
    var blank: Int?
    var cellsBehindBlank = 0
    for character in text {
      let size = LineCells.width(of: character)
      if cells + size > width, column > start {
        let end = blank ?? column
        parts.append(start..<end)
        cells = blank == nil ? 0 : cellsBehindBlank
        start = end
        blank = nil
      }
      cells += size
      column += character.utf8.count
      cellsBehindBlank += size
      if character == " " || character == "\t" || character == "," {
        blank = column
        cellsBehindBlank = 0
      }
    }
    parts.append(start..<column)
    return parts
  }

  /// The columns of the line between the edges of a pane.
  func columnsInView(of editor: Editor, width: Int) -> Range<Int> {
    if editor.wraps { return columns }
    let text = editor.buffer.line(line)
    let start = LineCells.column(at: editor.scroll.column, in: text)
    return start..<max(start, LineCells.column(at: editor.scroll.column + width + 1, in: text))
  }

  /// The cells of the row before a column of its line.
  func cells(before column: Int, in editor: Editor) -> Int {
    let text = editor.buffer.line(line)
    return LineCells.cells(before: column, in: text) - LineCells.cells(before: columns.lowerBound, in: text)
      - editor.scroll.column
  }

  func position(at cell: Int, in editor: Editor) -> TextPosition {
    let text = editor.buffer.line(line)
    let before = LineCells.cells(before: columns.lowerBound, in: text)
    let column = LineCells.column(at: max(0, cell) + before + editor.scroll.column, in: text)
    return TextPosition(line, isLast ? column : min(column, max(columns.lowerBound, columns.upperBound - 1)))
  }

  private func contains(_ position: TextPosition) -> Bool {
    position.line == line && columns.lowerBound <= position.column
      && (position.column < columns.upperBound || isLast)
  }

  /// Where a place of the text is on the screen; nil where it is not in view.
  static func point(of position: TextPosition, in editor: Editor, _ area: Rect) -> Point? {
    let rows = rows(of: editor, width: area.width, height: area.height)
    guard let index = rows.firstIndex(where: { $0.contains(position) }) else { return nil }
    return Point(column: area.column + rows[index].cells(before: position.column, in: editor), row: area.row + index)
  }

  /// Scrolls up while there is room beneath the last line.
  static func fill(_ editor: inout Editor, width: Int, height: Int) {
    var left = height - rows(of: editor, width: width, height: height).count
    while left > 0, editor.scroll.line > 0 {
      let line = editor.scroll.line - 1
      left -= editor.isHidden(line) ? 0 : rows(ofLine: line, in: editor, width: width).count
      if left >= 0 { editor.scroll.line = line }
    }
  }

  /// Scrolls as little as keeps the cursor's row in view.
  static func reveal(_ editor: inout Editor, width: Int, height: Int) {
    guard height > 0 else { return }
    editor.scroll.line = min(editor.scroll.line, max(0, editor.buffer.lineCount - 1))
    if editor.cursor.line < editor.scroll.line { editor.scroll.line = editor.cursor.line }
    // From the cursor's row upward, as many lines as fit.
    var left = height
    var top = editor.cursor.line
    let own = rows(ofLine: top, in: editor, width: width)
    let cursor = editor.cursor
    left -= 1 + (own.firstIndex { $0.contains(cursor) } ?? 0)
    while top > editor.scroll.line {
      var next = top - 1
      while next >= 0, editor.isHidden(next) { next -= 1 }
      guard next >= 0 else { break }
      left -= rows(ofLine: next, in: editor, width: width).count
      if left < 0 { break }
      top = next
    }
    if top > editor.scroll.line { editor.scroll.line = top }
  }
}
