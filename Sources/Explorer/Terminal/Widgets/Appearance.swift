/// What a widget needs to know besides its content: the colours and the glyphs.
package struct Appearance: Sendable {
  package var theme: Theme
  package var glyphs: GlyphSet

  package init(theme: Theme, glyphs: GlyphSet = .unicode) {
    self.theme = theme
    self.glyphs = glyphs
  }

  package subscript(role: ThemeRole) -> Style { theme[role] }

  package subscript(role: ThemeRole, on other: ThemeRole) -> Style { theme[role, on: other] }
}

/// A piece of text with one look; a line on the screen is a list of them.
package struct Span: Hashable, Sendable {
  package var text: String
  package var style: Style

  package init(_ text: String, _ style: Style) {
    self.text = text
    self.style = style
  }
}

extension Frame {
  /// Writes spans one after the other and returns the column after the last.
  @discardableResult
  package mutating func put(_ spans: [Span], at point: Point, clippedTo clip: Rect? = nil) -> Int {
    var point = point
    for span in spans { point.column = put(span.text, at: point, style: span.style, clippedTo: clip) }
    return point.column
  }

  /// Draws one line of spans in a rectangle's row, scrolled to the right by so many cells, with a mark at each side
  /// where something is cut off.
  package mutating func putLine(
    _ spans: [Span], in line: Rect, scrolledBy scroll: Int = 0, look: Appearance, marksCuts: Bool = true
  ) {
    guard !line.isEmpty else { return }
    let end = put(spans, at: Point(column: line.column - scroll, row: line.row), clippedTo: line)
    guard marksCuts else { return }
    // The end tells only that the edge was reached: what is cut is known from the spans' own widths.
    if scroll > 0, end > line.column { mark(look.glyphs.cutLeft, at: line.origin, look: look) }
    if end >= line.endColumn, isCut(spans, after: scroll + line.width) {
      mark(look.glyphs.cutRight, at: Point(column: line.endColumn - 1, row: line.row), look: look)
    }
  }

  private mutating func mark(_ glyph: Character, at point: Point, look: Appearance) {
    let background = cell(at: point).style.background
    put(String(glyph), at: point, style: look[.muted].on(background))
  }

  private func isCut(_ spans: [Span], after width: Int) -> Bool {
    var left = width
    for span in spans {
      // A text has no more cells than twice its bytes, and a long one need not be measured to its end.
      for character in span.text {
        left -= TextWidth.width(of: character)
        if left < 0 { return true }
      }
    }
    return false
  }
}

extension [Span] {
  package var width: Int { reduce(0) { $0 + TextWidth.width(of: $1.text) } }
  package var text: String { reduce(into: "") { $0 += $1.text } }
}
