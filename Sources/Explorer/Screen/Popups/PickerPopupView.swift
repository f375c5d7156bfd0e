import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

extension PickerPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let height = min(area.popupRoom.height, max(1, min(items.count, 16)) + 3)
    let words = max(TextWidth.width(of: title), items.isEmpty ? TextWidth.width(of: emptyText) : 0)
    // Details begin in one column, after the longest title.
    let titles = items.reduce(0) { max($0, TextWidth.width(of: $1.title)) }
    let widest = items.reduce(words) {
      max($0, titles + TextWidth.width(of: $1.detail) + TextWidth.width(of: $1.note))
    }
    // URLs get the whole width, other lists three quarters of a wide screen.
    let limit = picksEndpoint ? area.popupRoom.width : max(96, area.width * 3 / 4)
    // A list that is searched by its store keeps its width while its rows change.
    let isSearchedElsewhere = purpose == .history || purpose == .files
    let width = isSearchedElsewhere ? limit : max(purpose == .endpoints ? 76 : 40, widest + 10)
    return PopupGeometry.searched(
      Size(width: min(width, limit, area.popupRoom.width), height: height),
      row: state.connection.isOpen ? 2 : 5, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintPicker(geometry, self) }
}

extension Painter {
  mutating func paintPicker(_ geometry: PopupGeometry, _ picker: PickerPopup) {
    paintBox(geometry.frame, title: picker.title)
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    var column = put("/ ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    column = paintInput(picker.input, at: column, in: prompt)
    if picker.filter.isEmpty { put(" \(picker.prompt)", at: column, in: prompt, theme[.popupMuted]) }
    let list = geometry.list
    let items = picker.shown.map { item in
      var item = item
      let room = list.width * 3 / 5
      item.note = TextWidth.truncated(Self.shortened(item.note, to: room), to: room, ellipsis: glyphs.ellipsis)
      return item
    }
    let notes = items.reduce(0) { max($0, TextWidth.width(of: $1.note)) } + 1
    if items.isEmpty { put(picker.emptyText, at: list.column + 1, in: list.line(0), theme[.popupMuted]) }
    let first = picker.list.firstRow(count: items.count, height: list.height)
    // Without details, the titles get all the space.
    let beside = picker.purpose == .endpoints ? list.width * 2 / 3 : list.width / 2
    let room = items.contains { !$0.detail.isEmpty } ? min(beside, list.width - 5 - notes) : list.width - 5 - notes
    let titles = min(room, items.reduce(0) { max($0, TextWidth.width(of: $1.title)) })
    for row in 0..<max(0, min(list.height, items.count - first)) {
      let index = first + row
      paintPickerRow(items[index], titles, in: list.line(row), isSelected: index == picker.list.selected)
      if index == picker.list.selected { followSelection(at: list.line(row), isFirst: index == 0) }
    }
    paintScrollBar(
      first: first, shown: list.height, count: items.count,
      in: Rect(column: list.column, row: list.row, width: list.width, height: list.height), on: .popup)
  }

  /// Returns a note without its last facts if it is too long, so that space remains for the title.
  private static func shortened(_ note: String, to width: Int) -> String {
    var note = note
    while TextWidth.width(of: note) > width, let last = note.ranges(of: "  ").last {
      note = String(note[..<last.lowerBound])
    }
    return note
  }

  private mutating func paintPickerRow(_ item: PickerItem, _ titleWidth: Int, in rect: Rect, isSelected: Bool) {
    let (glyph, role): (String, ThemeRole) =
      switch item.tone {
      case .plain: (" ", .popup)
      case .current: (String(glyphs.bullet), .accent)
      case .production: (String(glyphs.warning), .error)
      case .failed: (String(glyphs.failed), .error)
      case .cancelled: (String(glyphs.cancelled), .warning)
      case .warning: (String(glyphs.warning), .warning)
      }
    put(glyph, at: rect.column + 1, in: rect, theme[role, on: .popup])
    let noteColumn = rect.endColumn - 2 - TextWidth.width(of: item.note)
    // A title without details uses their space.
    let room = item.detail.isEmpty ? max(titleWidth, noteColumn - rect.column - 4) : titleWidth
    let title = TextWidth.truncated(item.title, to: room, ellipsis: glyphs.ellipsis)
    put(title, at: rect.column + 3, in: rect, theme[item.tone == .production ? .error : .popup, on: .popup])
    let detailColumn = rect.column + 5 + titleWidth
    let detail = TextWidth.truncated(item.detail, to: max(0, noteColumn - detailColumn - 1), ellipsis: glyphs.ellipsis)
    put(detail, at: detailColumn, in: rect, theme[.popupMuted])
    put(item.note, at: noteColumn, in: rect, theme[.popupMuted])
    guard isSelected else { return }
    paintPopupSelection(rect)
  }
}
