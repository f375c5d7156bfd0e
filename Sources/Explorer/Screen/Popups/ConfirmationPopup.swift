import ApusExplorerCore
import ApusExplorerTerminal

extension Confirmation: DrawnPopup {
  func place(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let widest = ([question, detail] + lines).reduce(24) { max($0, TextWidth.width(of: $1)) } + 6
    let width = min(widest, area.width - 4)
    let text = Laid(self, width: width - 4)
    let rows = text.question.count + text.detail.count + (text.lines.isEmpty ? 0 : text.lines.count + 1) + 4
    return (area.centered(Size(width: width, height: min(rows, area.height - 2))), .zero)
  }

  /// The texts in lines as they fit: nothing of what is agreed to stands behind the edge.
  struct Laid {
    let question: [String]
    let detail: [String]
    let lines: [String]

    init(_ confirmation: Confirmation, width: Int) {
      question = Painter.wrap(confirmation.question, width: width)
      detail = Painter.wrap(confirmation.detail, width: width)
      lines = confirmation.lines.flatMap { line -> [String] in
        guard TextWidth.width(of: line) > width else { return [line] }
        let parts = Painter.wrap(line, width: max(8, width - 2))
        return parts.enumerated().map { ($0.offset == 0 ? "" : "  ") + $0.element }
      }
    }
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintConfirmation(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintConfirmation(_ geometry: PopupGeometry, _ confirmation: Confirmation) {
    let rect = geometry.frame
    paintBox(rect, title: "Question")
    let inner = rect.inset(horizontal: 2, vertical: 1)
    let text = Confirmation.Laid(confirmation, width: inner.width)
    let last = inner.height - 1
    var row = 0
    for line in text.question where row < last {
      put(line, at: inner.column, in: inner.line(row), theme[.popup].with(.bold))
      row += 1
    }
    for line in text.detail where row < last {
      put(line, at: inner.column, in: inner.line(row), theme[.popupMuted])
      row += 1
    }
    row += 1
    let room = max(0, last - row - 1)
    for (number, line) in text.lines.prefix(room).enumerated() {
      // What there is no room for is said to be there.
      let isCut = number == room - 1 && text.lines.count > room
      let shown = isCut ? "\(glyphs.ellipsis) \(Wording.plural(text.lines.count - number, "more line"))" : line
      put(shown, at: inner.column, in: inner.line(row + number), theme[.popup])
    }
    var column = inner.column
    for binding in keys.bindings where binding.context == .confirmation {
      let names = binding.keys.map(\.description).joined(separator: "/")
      column = put(names, at: column, in: inner.line(last), theme[.footerKey, on: .popup])
      column = put(" \(binding.footer ?? "")", at: column, in: inner.line(last), theme[.popup]) + 3
    }
  }
}
