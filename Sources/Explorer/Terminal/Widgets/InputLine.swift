/// One line of text that is being typed: scrolls so that the cursor is seen.
package struct InputLine: Sendable {
  package var prompt: String
  package var text: String
  /// The cursor's place, counted in characters.
  package var cursor: Int
  package var selection: Range<Int>?
  package var placeholder: String
  /// Whether the text is hidden, as a password is.
  package var isSecret: Bool

  package init(
    prompt: String = "", text: String, cursor: Int, selection: Range<Int>? = nil, placeholder: String = "",
    isSecret: Bool = false
  ) {
    self.prompt = prompt
    self.text = text
    self.cursor = cursor
    self.selection = selection
    self.placeholder = placeholder
    self.isSecret = isSecret
  }

  /// Draws the line in the first row of an area and returns where the cursor stands.
  @discardableResult
  package func draw(in area: Rect, of frame: inout Frame, look: Appearance) -> CursorPlacement {
    let line = area.line(0)
    frame.fill(line, style: look[.input])
    let promptEnd = frame.put(
      prompt, at: line.origin, style: look[.accent].on(look[.input].background), clippedTo: line)
    let field = Rect(column: promptEnd, row: line.row, width: line.endColumn - promptEnd, height: 1)
    guard !field.isEmpty else { return CursorPlacement(line.origin) }
    if text.isEmpty {
      frame.put(placeholder, at: field.origin, style: look[.placeholder], clippedTo: field)
      return CursorPlacement(field.origin)
    }
    let shown = isSecret ? String(repeating: look.glyphs.bullet, count: text.count) : text
    let before = shown.prefix(cursor)
    let cursorColumn = TextWidth.width(of: before)
    let scroll = max(0, cursorColumn - (field.width - 1))
    frame.put(shown, at: Point(column: field.column - scroll, row: field.row), style: look[.input], clippedTo: field)
    if let selection, !selection.isEmpty {
      let start = TextWidth.width(of: shown.prefix(selection.lowerBound))
      let end = TextWidth.width(of: shown.prefix(selection.upperBound))
      let covered = Rect(column: field.column - scroll + start, row: field.row, width: end - start, height: 1)
      frame.restyle(covered.intersection(field)) { look[.textSelection].over($0) }
    }
    if scroll > 0 {
      frame.put(String(look.glyphs.cutLeft), at: field.origin, style: look[.placeholder])
    }
    return CursorPlacement(Point(column: field.column + cursorColumn - scroll, row: field.row))
  }
}
