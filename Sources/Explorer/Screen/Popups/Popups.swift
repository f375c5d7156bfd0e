import ApusExplorerCore
import ApusExplorerTerminal

/// A popup that can be drawn. Its file in this folder implements the layout and drawing.
protocol PopupView: PopupContent {
  /// Returns the frame of the popup and its clickable rows.
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect)
  func paint(with painter: inout Painter, _ geometry: PopupGeometry)
  /// Whether the cursor of the editor below stays visible. Otherwise only an input line of the popup shows one.
  var keepsCursor: Bool { get }
}

extension PopupView {
  var keepsCursor: Bool { false }
}

/// The layout of a popup, shared by drawing and the mouse.
struct PopupGeometry {
  let frame: Rect
  let list: Rect

  init(_ popup: Popup, _ state: ExplorerState, _ layout: ScreenLayout) {
    let area = Rect(column: 0, row: 0, width: layout.size.width, height: layout.size.height - 2)
    (frame, list) = (popup.state as? any PopupView)?.frames(in: area, state, layout) ?? (.zero, .zero)
  }

  /// Returns a box near the top with an input line and rows below it.
  static func searched(_ size: Size, row: Int, in area: Rect) -> (frame: Rect, list: Rect) {
    let frame = Rect(
      column: (area.width - size.width) / 2, row: min(row, (area.height - size.height) / 2), width: size.width,
      height: size.height)
    let list = Rect(column: frame.column + 1, row: frame.row + 2, width: frame.width - 2, height: frame.height - 3)
    return (frame, list)
  }

  /// Returns a large box for scrollable text.
  static func page(in area: Rect) -> (frame: Rect, list: Rect) {
    let room = area.popupRoom
    let frame = area.centered(Size(width: min(84, room.width), height: room.height))
    let margin = frame == area ? 1 : 2
    return (
      frame,
      Rect(
        column: frame.column + margin, row: frame.row + 2, width: frame.width - 2 * margin, height: frame.height - 3)
    )
  }
}

extension Rect {
  /// The size of the largest popup in this area: with margins, except on a short screen.
  var popupRoom: Size { height >= 14 ? Size(width: width - 4, height: height - 2) : Size(width: width, height: height) }
}

extension Painter {
  mutating func paintPopup(_ popup: Popup) {
    guard let view = popup.state as? any PopupView else { return }
    if !view.keepsCursor { cursor = nil }
    view.paint(with: &self, PopupGeometry(popup, state, layout))
  }

  /// Marks the selected row of a list by its style, and by a glyph for terminals without colors.
  mutating func paintPopupSelection(_ line: Rect) {
    followSelection(at: line)
    let style = theme[.popupSelection]
    frame.restyle(line) { style.over($0).keepingForeground(of: $0) }
    put(String(glyphs.selected), at: line.column, in: line, theme[.accent].on(style.background))
  }

  /// Draws a bordered box with a title.
  mutating func paintBox(_ rect: Rect, title: String) {
    frame.fill(rect, style: theme[.popup])
    let border = glyphs.border
    let style = theme[.popupBorder]
    guard rect.width > 1, rect.height > 1 else { return }
    frame.fill(rect.line(0), with: border.horizontal, style: style)
    frame.fill(rect.line(rect.height - 1), with: border.horizontal, style: style)
    for row in rect.rows.dropFirst().dropLast() {
      frame.put(String(border.vertical), at: Point(column: rect.column, row: row), style: style)
      frame.put(String(border.vertical), at: Point(column: rect.endColumn - 1, row: row), style: style)
    }
    let corners: [(Character, Int, Int)] = [
      (border.topLeft, rect.column, rect.row), (border.topRight, rect.endColumn - 1, rect.row),
      (border.bottomLeft, rect.column, rect.endRow - 1), (border.bottomRight, rect.endColumn - 1, rect.endRow - 1),
    ]
    for (glyph, column, row) in corners { frame.put(String(glyph), at: Point(column: column, row: row), style: style) }
    let title = TextWidth.truncated(title, to: max(0, rect.width - 6), ellipsis: glyphs.ellipsis)
    put(" \(title) ", at: rect.column + 2, in: rect.line(0), style.with(.bold))
  }

  /// Draws lines at the sides of a popup without border, if its background color equals the text's.
  mutating func paintSides(_ rect: Rect) {
    guard theme[.popup].background == theme[.text].background else { return }
    for line in (0..<rect.height).map(rect.line) {
      for column in [line.column, line.endColumn - 1] {
        put(String(glyphs.border.vertical), at: column, in: line, theme[.popupBorder])
      }
    }
  }

  /// Draws a schema name; if deprecated, struck through and with a glyph for terminals without strikethrough.
  @discardableResult
  mutating func putName(_ name: String, isDeprecated: Bool, at column: Int, in rect: Rect, _ style: Style) -> Int {
    guard isDeprecated else { return put(name, at: column, in: rect, style) }
    let end = put(name, at: column, in: rect, style.with(.strikethrough))
    return put(" \(glyphs.warning)", at: end, in: rect, theme[.warning, on: .popup])
  }
}
