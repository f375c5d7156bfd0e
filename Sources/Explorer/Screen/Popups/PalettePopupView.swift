import ApusExplorerCore
import ApusExplorerTerminal

extension PalettePopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let height = min(area.popupRoom.height, max(1, min(commands.count, 16)) + 3)
    return PopupGeometry.searched(Size(width: min(76, area.popupRoom.width), height: height), row: 2, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintPalette(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintPalette(_ geometry: PopupGeometry, _ palette: PalettePopup) {
    paintBox(geometry.frame, title: "Commands")
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    let column = put("> ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    _ = paintInput(palette.input, at: column, in: prompt)
    let commands = palette.commands
    let list = geometry.list
    if commands.isEmpty { put("No command matches", at: list.column + 1, in: list.line(0), theme[.popupMuted]) }
    var below = state
    below.popups = []
    let first = palette.list.firstRow(count: commands.count, height: list.height)
    for row in 0..<max(0, min(list.height, commands.count - first)) {
      let index = first + row
      paintPaletteRow(commands[index], below, in: list.line(row), isSelected: index == palette.list.selected)
      if index == palette.list.selected { followSelection(at: list.line(row), isFirst: index == 0) }
    }
  }

  private mutating func paintPaletteRow(_ command: Command, _ below: ExplorerState, in rect: Rect, isSelected: Bool) {
    let reason = below.reason(against: command)
    let key = keys.key(for: command, in: below)?.description ?? ""
    let keyColumn = rect.endColumn - 1 - TextWidth.width(of: key)
    let titleColumn = rect.column + 1
    let title = TextWidth.truncated(command.title, to: max(0, keyColumn - titleColumn - 1), ellipsis: glyphs.ellipsis)
    let end = put(title, at: titleColumn, in: rect, theme[reason == nil ? .popup : .popupMuted])
    put(key, at: keyColumn, in: rect, theme[reason == nil ? .footerKey : .popupMuted, on: .popup])
    if let reason {
      let room = keyColumn - end - 4
      let text = TextWidth.truncated(reason, to: max(0, room), ellipsis: glyphs.ellipsis)
      put(text, at: keyColumn - 2 - TextWidth.width(of: text), in: rect, theme[.popupMuted].with(.italic))
    }
    if isSelected {
      paintPopupSelection(rect)
    }
  }
}
