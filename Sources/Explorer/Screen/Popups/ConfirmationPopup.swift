import ApusExplorerCore
import ApusExplorerTerminal

extension Confirmation: DrawnPopup {
  func place(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let width = ([question, detail] + lines).reduce(24) { max($0, TextWidth.width(of: $1)) } + 6
    let rows = lines.isEmpty ? 0 : min(lines.count + 1, max(0, area.height - 8))
    return (area.centered(Size(width: min(width, area.width - 4), height: 6 + rows)), .zero)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintConfirmation(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintConfirmation(_ geometry: PopupGeometry, _ confirmation: Confirmation) {
    let rect = geometry.frame
    paintBox(rect, title: "Question")
    let inner = rect.inset(horizontal: 2, vertical: 1)
    put(confirmation.question, at: inner.column, in: inner.line(0), theme[.popup].with(.bold))
    put(confirmation.detail, at: inner.column, in: inner.line(1), theme[.popupMuted])
    let last = inner.height - 1
    let room = max(0, last - 4)
    for (row, line) in confirmation.lines.prefix(room).enumerated() {
      // What there is no room for is said to be there.
      let isCut = row == room - 1 && confirmation.lines.count > room
      let text = isCut ? "\(glyphs.ellipsis) \(Wording.plural(confirmation.lines.count - row, "more line"))" : line
      put(text, at: inner.column, in: inner.line(3 + row), theme[.popup])
    }
    var column = inner.column
    for binding in keys.bindings where binding.context == .confirmation {
      let names = binding.keys.map(\.description).joined(separator: "/")
      column = put(names, at: column, in: inner.line(last), theme[.footerKey, on: .popup])
      column = put(" \(binding.footer ?? "")", at: column, in: inner.line(last), theme[.popup]) + 3
    }
  }
}
