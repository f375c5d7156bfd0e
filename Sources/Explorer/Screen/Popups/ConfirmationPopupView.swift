import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal

extension ConfirmationPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let widest = ([question, detail] + lines).reduce(24) { max($0, TextWidth.width(of: $1)) } + 6
    let width = min(widest, area.popupRoom.width)
    let rows = Layout(self, width: width - 4).all.count + 4
    let frame = area.centered(Size(width: width, height: min(rows, area.popupRoom.height)))
    var list = frame.inset(horizontal: 2, vertical: 1)
    // The last two lines are the number of lines not yet visible, and the keys.
    list.height -= 2
    return (frame, list)
  }

  /// The text wrapped to the width; nothing is truncated.
  struct Layout {
    enum Part { case question, detail, line }

    let all: [(part: Part, text: String)]

    init(_ confirmation: ConfirmationPopup, width: Int) {
      let question = TextWrapping.lines(of: confirmation.question, width: width).map { (Part.question, $0) }
      let detail = TextWrapping.lines(of: confirmation.detail, width: width).map { (Part.detail, $0) }
      let lines = confirmation.lines.flatMap { line -> [String] in
        TextWidth.width(of: line) > width ? TextWrapping.hangingLines(of: line, width: width) : [line]
      }
      all = question + detail + (lines.isEmpty ? [] : [""] + lines).map { (Part.line, $0) }
    }
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintConfirmation(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintConfirmation(_ geometry: PopupGeometry, _ confirmation: ConfirmationPopup) {
    paintBox(geometry.frame, title: "Question")
    let (inner, list) = (geometry.frame.inset(horizontal: 2, vertical: 1), geometry.list)
    let lines = ConfirmationPopup.Layout(confirmation, width: list.width).all
    for (row, line) in lines.dropFirst(confirmation.scroll).prefix(max(0, list.height)).enumerated() {
      let style =
        switch line.part {
        case .question: theme[.popup].with(.bold)
        case .detail: theme[.popupMuted]
        case .line: theme[.popup]
        }
      put(line.text, at: list.column, in: list.line(row), style)
    }
    paintScrollBar(
      first: confirmation.scroll, shown: list.height, count: lines.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
    let isToCome = confirmation.linesToCome > 0
    if isToCome {
      let more = DisplayFormat.plural(confirmation.linesToCome, "more line")
      put("scroll to the end: \(more)", at: list.column, in: inner.line(list.height), theme[.accent, on: .popup])
    }
    var column = inner.column
    let footer = inner.line(inner.height - 1)
    for binding in keys.bindings where binding.context == .confirmation {
      guard let label = binding.footer else { continue }
      let isAnswerable = binding.command != .confirmYes || !isToCome
      let names = binding.keys.map(\.description).joined(separator: "/")
      column = put(names, at: column, in: footer, isAnswerable ? theme[.footerKey, on: .popup] : theme[.popupMuted])
      column = put(" \(label)", at: column, in: footer, isAnswerable ? theme[.popup] : theme[.popupMuted]) + 3
    }
  }
}
