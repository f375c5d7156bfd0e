import ApusExplorerCore
import ApusExplorerTerminal

extension HelpPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.page(in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintHelp(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintHelp(_ geometry: PopupGeometry, _ help: HelpPopup) {
    paintBox(geometry.frame, title: "Help")
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    var column = put("/ ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    column = paintInput(help.input, at: column, in: prompt)
    if help.input.isEmpty { put(" type to search topics and keys", at: column, in: prompt, theme[.popupMuted]) }
    let rows = help.rows(in: state)
    let list = geometry.list
    if rows.isEmpty { put("No matches", at: list.column, in: list.line(0), theme[.popupMuted]) }
    let keyWidth = min(26, list.width * 2 / 5 - 4)
    // The heading above the first row stays visible with it.
    let first = help.list.selected == 1 ? 0 : help.list.firstRow(count: rows.count, height: list.height)
    for line in 0..<min(list.height, max(0, rows.count - first)) {
      let rect = list.line(line)
      switch rows[first + line] {
      case .blank: break
      case .heading(let title): put(title, at: rect.column, in: rect, theme[.heading, on: .popup])
      case .topic(let topic): put(topic.title, at: rect.column + 2, in: rect, theme[.popup])
      case .key(let row):
        put(TextWidth.truncated(row.keys, to: keyWidth), at: rect.column + 2, in: rect, theme[.footerKey, on: .popup])
        let title = TextWidth.truncated(row.title, to: rect.width - keyWidth - 4, ellipsis: glyphs.ellipsis)
        put(title, at: rect.column + keyWidth + 4, in: rect, theme[.popup])
      }
      if first + line == help.list.selected {
        paintPopupSelection(rect)
        followSelection(at: rect, isFirst: first + line <= 1)
      }
    }
    paintScrollBar(
      first: first, shown: list.height, count: rows.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }
}
