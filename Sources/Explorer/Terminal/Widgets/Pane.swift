/// A border with a title: the frame of a pane, heavier and brighter where the focus is.
package struct Pane: Sendable {
  package var title: String
  /// The digit of `Alt-1…9` that leads to the pane.
  package var number: Int?
  /// Short figures at the right of the top border, such as `12/340`.
  package var badge: [Span]
  /// A line in the bottom border, such as a filter.
  package var note: [Span]
  package var isFocused: Bool

  package init(_ title: String, number: Int? = nil, badge: [Span] = [], note: [Span] = [], isFocused: Bool) {
    self.title = title
    self.number = number
    self.badge = badge
    self.note = note
    self.isFocused = isFocused
  }

  /// Draws the border, clears the inside, and returns the inside.
  @discardableResult
  package func draw(in area: Rect, of frame: inout Frame, look: Appearance) -> Rect {
    frame.fill(area, style: look[.text])
    guard area.width >= 2, area.height >= 2 else { return Rect.zero }
    let style = look[isFocused ? .focusBorder : .border]
    frame.drawBorder(area, isFocused ? look.glyphs.focusedBorder : look.glyphs.border, style: style)
    let top = Rect(column: area.column + 2, row: area.row, width: area.width - 4, height: 1)
    var spans: [Span] = []
    if let number { spans.append(Span(" \(number)", look[isFocused ? .focusTitle : .muted])) }
    spans.append(Span(" \(title) ", look[isFocused ? .focusTitle : .title]))
    let end = frame.put(spans, at: top.origin, clippedTo: top)
    let badgeWidth = badge.width
    if badgeWidth > 0, end + badgeWidth + 3 <= top.endColumn {
      frame.put(
        [Span(" ", style)] + badge + [Span(" ", style)],
        at: Point(column: top.endColumn - badgeWidth - 2, row: area.row), clippedTo: top)
    }
    if !note.isEmpty {
      let bottom = Rect(column: area.column + 2, row: area.endRow - 1, width: area.width - 4, height: 1)
      frame.put([Span(" ", style)] + note + [Span(" ", style)], at: bottom.origin, clippedTo: bottom)
    }
    return area.inset(by: 1)
  }
}

/// A box above everything else.
package struct PopupBox: Sendable {
  package var title: String
  package var note: [Span]

  package init(_ title: String, note: [Span] = []) {
    self.title = title
    self.note = note
  }

  /// Draws the box over what is there and returns its inside.
  @discardableResult
  package func draw(in area: Rect, of frame: inout Frame, look: Appearance) -> Rect {
    frame.fill(area, style: look[.popup])
    guard area.width >= 2, area.height >= 2 else { return Rect.zero }
    frame.drawBorder(area, look.glyphs.border, style: look[.popupBorder])
    let top = Rect(column: area.column + 2, row: area.row, width: area.width - 4, height: 1)
    if !title.isEmpty {
      frame.put(" \(title) ", at: top.origin, style: look[.popupBorder].with(.bold), clippedTo: top)
    }
    if !note.isEmpty {
      let bottom = Rect(column: area.column + 2, row: area.endRow - 1, width: area.width - 4, height: 1)
      let space = Span(" ", look[.popupBorder])
      frame.put([space] + note + [space], at: bottom.origin, clippedTo: bottom)
    }
    return area.inset(by: 1)
  }
}

extension Frame {
  /// Draws the outline of a rectangle.
  package mutating func drawBorder(_ area: Rect, _ glyphs: GlyphSet.Border, style: Style) {
    guard area.width >= 2, area.height >= 2 else { return }
    let right = area.endColumn - 1
    let bottom = area.endRow - 1
    let inner = area.inset(by: 1)
    fill(
      Rect(column: inner.column, row: area.row, width: inner.width, height: 1), with: glyphs.horizontal, style: style)
    fill(Rect(column: inner.column, row: bottom, width: inner.width, height: 1), with: glyphs.horizontal, style: style)
    fill(Rect(column: area.column, row: inner.row, width: 1, height: inner.height), with: glyphs.vertical, style: style)
    fill(Rect(column: right, row: inner.row, width: 1, height: inner.height), with: glyphs.vertical, style: style)
    for (glyph, column, row) in [
      (glyphs.topLeft, area.column, area.row), (glyphs.topRight, right, area.row),
      (glyphs.bottomLeft, area.column, bottom), (glyphs.bottomRight, right, bottom),
    ] {
      fill(Rect(column: column, row: row, width: 1, height: 1), with: glyph, style: style)
    }
  }
}
