/// Which part of a list is seen, and which row is chosen.
package struct ListWindow: Hashable, Sendable {
  package var count: Int
  package var selected: Int?
  /// The first row that is seen.
  package var offset: Int

  package init(count: Int, selected: Int? = nil, offset: Int = 0) {
    self.count = count
    self.selected = selected
    self.offset = offset
  }

  /// The offset at which the chosen row is seen in so many rows, moved no more than needed, with some rows around it
  /// where there are any; and never past the end.
  package func offset(showing height: Int, margin: Int = 0) -> Int {
    guard height > 0 else { return offset }
    var offset = offset
    if let selected {
      let margin = min(margin, (height - 1) / 2)
      offset = min(offset, selected - margin)
      offset = max(offset, selected - height + 1 + margin)
    }
    return max(0, min(offset, count - height))
  }

  /// The same list with its offset set for so many rows.
  package func fitted(to height: Int, margin: Int = 0) -> ListWindow {
    ListWindow(count: count, selected: selected, offset: offset(showing: height, margin: margin))
  }
}

/// The rows of a list of any length: only those that are seen are made.
package struct ListView: Sendable {
  package var window: ListWindow
  package var isFocused: Bool
  /// How far all rows are scrolled to the right.
  package var scroll: Int
  /// The look of the chosen row in popups differs.
  package var isPopup: Bool

  package init(_ window: ListWindow, isFocused: Bool, scroll: Int = 0, isPopup: Bool = false) {
    self.window = window
    self.isFocused = isFocused
    self.scroll = scroll
    self.isPopup = isPopup
  }

  /// Draws the rows, and a scroll bar in the last column where not all are seen.
  package func draw(in area: Rect, of frame: inout Frame, look: Appearance, row: (Int) -> [Span]) {
    guard !area.isEmpty else { return }
    let window = window.fitted(to: area.height)
    let hasBar = window.count > area.height && area.width > 3
    let rows = Rect(
      column: area.column, row: area.row, width: area.width - (hasBar ? 1 : 0), height: area.height)
    let chosen = look[isPopup ? .popupSelection : isFocused ? .selection : .unfocusedSelection]
    for line in 0..<min(area.height, max(0, window.count - window.offset)) {
      let index = window.offset + line
      frame.putLine(row(index), in: rows.line(line), scrolledBy: scroll, look: look)
      if index == window.selected { frame.restyle(rows.line(line)) { chosen.over($0) } }
    }
    if hasBar {
      Scrollbar(total: window.count, offset: window.offset, visible: area.height).draw(
        in: Rect(column: area.endColumn - 1, row: area.row, width: 1, height: area.height), of: &frame, look: look)
    }
  }
}

/// Where in a long content the visible part lies.
package struct Scrollbar: Sendable {
  package var total: Int
  package var offset: Int
  package var visible: Int

  package init(total: Int, offset: Int, visible: Int) {
    self.total = total
    self.offset = offset
    self.visible = visible
  }

  /// The rows of the bar that the thumb covers, of so many.
  package func thumb(height: Int) -> Range<Int> {
    guard total > visible, height > 0, visible > 0 else { return 0..<max(0, height) }
    let length = max(1, height * visible / total)
    let travel = height - length
    let place = min(travel, (travel * min(offset, total - visible) + (total - visible) / 2) / (total - visible))
    return place..<place + length
  }

  /// The offset that a click or drag at a row of the bar asks for.
  package func offset(atRow row: Int, height: Int) -> Int {
    guard total > visible, height > 1 else { return 0 }
    return max(0, min(total - visible, (total - visible) * row / (height - 1)))
  }

  package func draw(in area: Rect, of frame: inout Frame, look: Appearance) {
    guard !area.isEmpty, total > visible else { return }
    let thumb = thumb(height: area.height)
    for row in 0..<area.height {
      let isThumb = thumb.contains(row)
      frame.fill(
        area.line(row), with: isThumb ? look.glyphs.scrollThumb : look.glyphs.scrollTrack,
        style: look[isThumb ? .scrollThumb : .scrollTrack])
    }
  }
}
