import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

extension RulesPopup: PopupView {
  private static let examples =
    "delay label=reviews:2s, delay field=Product.price:500ms, fail label=reviews, drop label=reviews, cut-after 2, "
    + "status 503, hold, for Birds"

  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let room = area.popupRoom
    let width = min(76, room.width)
    let notes = min(noteLines(width: width - 4).count, max(0, room.height - 3))
    let frame = area.centered(Size(width: width, height: min(room.height, rows.count + notes + 2)))
    return (
      frame,
      Rect(column: frame.column + 1, row: frame.row + 1, width: width - 2, height: max(1, frame.height - 2 - notes))
    )
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintRules(geometry, self) }

  /// Returns the reason why the selected row is not a rule, or examples of rules.
  fileprivate func noteLines(width: Int) -> [String] {
    TextWrapping.lines(of: problem ?? "One rule in each line: \(Self.examples)", width: max(1, width))
  }
}

extension Painter {
  fileprivate mutating func paintRules(_ geometry: PopupGeometry, _ popup: RulesPopup) {
    paintBox(geometry.frame, title: "Rules for responses to new requests")
    let list = geometry.list
    let first = popup.list.firstRow(count: popup.rows.count, height: list.height)
    for line in 0..<max(0, min(list.height, popup.rows.count - first)) {
      let isSelected = first + line == popup.list.selected
      let row = list.line(line)
      _ = paintInput(popup.rows[first + line], at: row.column + 2, in: row, hasKeys: isSelected)
      if isSelected {
        put(
          String(glyphs.selected), at: row.column, in: row, theme[popup.problem == nil ? .accent : .error, on: .popup])
      }
    }
    paintScrollBar(first: first, shown: list.height, count: popup.rows.count, in: list, on: .popup)
    let area = Rect(
      column: list.column + 1, row: list.endRow, width: list.width - 2,
      height: max(0, geometry.frame.endRow - 1 - list.endRow))
    let style = popup.problem == nil ? theme[.popupMuted] : theme[.error, on: .popup]
    for (index, text) in popup.noteLines(width: area.width).enumerated() where index < area.height {
      put(text, at: area.column, in: area.line(index), style)
    }
  }
}
