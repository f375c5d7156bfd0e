/// The keys that work here and what they do, in one row; what does not fit is left out from the end.
package struct KeyFooter: Sendable {
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var label: String
    package var isEnabled: Bool

    package init(_ key: String, _ label: String, isEnabled: Bool = true) {
      self.key = key
      self.label = label
      self.isEnabled = isEnabled
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry]) {
    self.entries = entries
  }

  /// Draws the row and returns where each drawn entry lies, for clicks.
  @discardableResult
  package func draw(in area: Rect, of frame: inout Frame, look: Appearance) -> [Rect] {
    let line = area.line(0)
    frame.fill(line, style: look[.footerText])
    var column = line.column + 1
    var places: [Rect] = []
    for entry in entries {
      let width = TextWidth.width(of: entry.key) + 1 + TextWidth.width(of: entry.label)
      guard column + width <= line.endColumn else { break }
      let keyEnd = frame.put(
        entry.key, at: Point(column: column, row: line.row),
        style: look[entry.isEnabled ? .footerKey : .footerDisabled], clippedTo: line)
      frame.put(
        entry.label, at: Point(column: keyEnd + 1, row: line.row),
        style: look[entry.isEnabled ? .footerText : .footerDisabled], clippedTo: line)
      places.append(Rect(column: column, row: line.row, width: width, height: 1))
      column += width + 2
    }
    return places
  }
}

/// Titles side by side, one of them chosen; scrolled so that the chosen one is seen.
package struct TabBar: Sendable {
  package var titles: [String]
  package var selected: Int

  package init(_ titles: [String], selected: Int) {
    self.titles = titles
    self.selected = selected
  }

  /// Draws the row and returns where each tab lies; one that is not seen has no width.
  @discardableResult
  package func draw(in area: Rect, of frame: inout Frame, look: Appearance) -> [Rect] {
    let line = area.line(0)
    frame.fill(line, style: look[.tab])
    let widths = titles.map { TextWidth.width(of: $0) + 2 }
    var first = 0
    while first < selected, widths[first...min(selected, widths.count - 1)].reduce(0, +) > line.width { first += 1 }
    var column = line.column
    return titles.indices.map { index in
      guard index >= first, column < line.endColumn else {
        return Rect(column: column, row: line.row, width: 0, height: 1)
      }
      let place = Rect(column: column, row: line.row, width: min(widths[index], line.endColumn - column), height: 1)
      frame.put(
        " \(titles[index]) ", at: place.origin, style: look[index == selected ? .selectedTab : .tab], clippedTo: place)
      column = place.endColumn
      return place
    }
  }
}

/// A row with something at its left and something at its right; the left gives way.
package struct StatusLine: Sendable {
  package var left: [Span]
  package var right: [Span]

  package init(left: [Span], right: [Span] = []) {
    self.left = left
    self.right = right
  }

  package func draw(in area: Rect, of frame: inout Frame, look: Appearance, style: Style? = nil) {
    let line = area.line(0)
    frame.fill(line, style: style ?? look[.statusLine])
    let rightWidth = min(line.width, right.width)
    let split = line.splitColumns([.weight(1), .fixed(rightWidth)], spacing: rightWidth > 0 ? 1 : 0)
    frame.putLine(left, in: split[0], look: look)
    frame.put(right, at: split[1].origin, clippedTo: split[1])
  }
}

/// How much of something is done.
package struct ProgressBar: Sendable {
  /// From 0 to 1; nil while nobody knows, then a piece of the bar moves with `tick`.
  package var fraction: Double?
  package var tick: Int

  package init(fraction: Double?, tick: Int = 0) {
    self.fraction = fraction
    self.tick = tick
  }

  package func draw(in area: Rect, of frame: inout Frame, look: Appearance) {
    let line = area.line(0)
    guard !line.isEmpty else { return }
    let steps = look.glyphs.barSteps
    let ground = look[.progressDone].background
    guard let fraction else {
      frame.fill(line, with: look.glyphs.border.horizontal, style: look[.progressLeft].on(ground))
      let length = min(line.width, max(1, line.width / 4))
      let travel = max(1, 2 * (line.width - length))
      let place = tick % travel
      let column = place <= line.width - length ? place : travel - place
      frame.fill(
        Rect(column: line.column + column, row: line.row, width: length, height: 1), with: steps[steps.count - 1],
        style: look[.progressDone])
      return
    }
    let parts = steps.count - 1
    let filled = Int((min(1, max(0, fraction)) * Double(line.width * parts)).rounded())
    for column in 0..<line.width {
      let part = min(parts, max(0, filled - column * parts))
      frame.fill(
        Rect(column: line.column + column, row: line.row, width: 1, height: 1), with: steps[part],
        style: look[.progressDone])
    }
  }
}

/// A glyph that turns while something is under way.
package enum Spinner {
  package static func glyph(_ tick: Int, _ glyphs: GlyphSet) -> Character {
    glyphs.spinner[((tick % glyphs.spinner.count) + glyphs.spinner.count) % glyphs.spinner.count]
  }
}
