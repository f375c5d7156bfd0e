/// A single-line input field, scrolled so that the cursor and some of the following text are visible.
package struct InputField: Sendable {
  package let text: String
  /// The column of the text's start; left of the field if it is scrolled.
  package let start: Int
  package let cursor: Point
  private let field: Rect

  /// Creates a field with the cursor after `cursorOffset` UTF-8 bytes of the text.
  package init(_ text: String, cursorOffset: Int, in field: Rect) {
    self.text = text
    self.field = field
    let index = text.utf8.index(text.startIndex, offsetBy: min(max(0, cursorOffset), text.utf8.count))
    let before = TextWidth.width(of: text[..<index])
    // The cursor needs one more cell at the end.
    let hidden = max(0, before + TextWidth.width(of: text[index...]) + 1 - field.width)
    let scroll = min(hidden, max(0, before - field.width * 3 / 4))
    start = field.column - scroll
    cursor = Point(column: min(start + before, max(field.column, field.endColumn - 1)), row: field.row)
  }

  /// Returns the offset in UTF-8 bytes of the character at a point; nil outside of the field.
  package func offset(at point: Point) -> Int? {
    guard field.contains(point) else { return nil }
    var column = start
    var offset = 0
    for character in text {
      let width = TextWidth.width(of: character)
      // A click on the right half of a wide character is after it.
      if point.column < column + (width + 1) / 2 { break }
      column += width
      offset += character.utf8.count
    }
    return offset
  }

  /// Draws the field and returns the column after the visible text.
  @discardableResult
  package func draw(in frame: inout Frame, style: Style, marks: Style, glyphs: GlyphSet) -> Int {
    guard !field.isEmpty else { return field.column }
    let end = start + TextWidth.width(of: text)
    frame.put(text, at: Point(column: start, row: field.row), style: style, clippedTo: field)
    if start < field.column { frame.put(String(glyphs.cutLeft), at: field.origin, style: marks) }
    if end > field.endColumn {
      frame.put(String(glyphs.cutRight), at: Point(column: field.endColumn - 1, row: field.row), style: marks)
    }
    return min(end, field.endColumn)
  }
}
