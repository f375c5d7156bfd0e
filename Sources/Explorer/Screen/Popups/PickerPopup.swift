import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

extension Painter {
  mutating func paintPicker(_ geometry: PopupGeometry, _ picker: PickerState) {
    paintBox(geometry.frame, title: picker.title)
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    var column = put("/ ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    column = paintInput(picker.input, at: column, in: prompt)
    if picker.filter.isEmpty { put(" \(picker.prompt)", at: column, in: prompt, theme[.popupMuted]) }
    let (items, list) = (picker.shown, geometry.list)
    let notes = items.reduce(0) { max($0, TextWidth.width(of: $1.note)) } + 1
    if items.isEmpty { put(picker.emptyText, at: list.column + 1, in: list.line(0), theme[.popupMuted]) }
    let first = picker.list.firstRow(count: items.count, height: list.height)
    // Where nothing is told beside the titles, they have all the room.
    let beside = picker.purpose == .endpoints ? list.width * 2 / 3 : list.width / 2
    let room = items.contains { !$0.detail.isEmpty } ? min(beside, list.width - 5 - notes) : list.width - 5 - notes
    let titles = min(room, items.reduce(0) { max($0, TextWidth.width(of: $1.title)) })
    for row in 0..<max(0, min(list.height, items.count - first)) {
      let index = first + row
      paintPickerRow(items[index], titles, in: list.line(row), isSelected: index == picker.list.selected)
    }
    paintScrollBar(
      first: first, shown: list.height, count: items.count,
      in: Rect(column: list.column, row: list.row, width: list.width, height: list.height), on: .popup)
  }

  private mutating func paintPickerRow(_ item: PickerItem, _ titleWidth: Int, in rect: Rect, isSelected: Bool) {
    let (glyph, role): (String, ThemeRole) =
      switch item.tone {
      case .plain: (" ", .popup)
      case .current: (String(glyphs.bullet), .accent)
      case .production: (String(glyphs.warning), .error)
      case .failed: (String(glyphs.failed), .error)
      case .warning: (String(glyphs.warning), .warning)
      }
    put(glyph, at: rect.column + 1, in: rect, theme[role, on: .popup])
    let title = TextWidth.truncated(item.title, to: titleWidth, ellipsis: glyphs.ellipsis)
    put(title, at: rect.column + 3, in: rect, theme[item.tone == .production ? .error : .popup, on: .popup])
    let noteColumn = rect.endColumn - 2 - TextWidth.width(of: item.note)
    let detailColumn = rect.column + 5 + titleWidth
    let detail = TextWidth.truncated(item.detail, to: max(0, noteColumn - detailColumn - 1), ellipsis: glyphs.ellipsis)
    put(detail, at: detailColumn, in: rect, theme[.popupMuted])
    put(item.note, at: noteColumn, in: rect, theme[.popupMuted])
    guard isSelected else { return }
    let look = theme[.popupSelection]
    frame.restyle(rect) { look.over($0).keepingForeground(of: $0) }
    put(String(glyphs.selected), at: rect.column, in: rect, theme[.accent].on(look.background))
  }

  // MARK: Differences

  mutating func paintDifference(_ geometry: PopupGeometry, _ difference: DifferenceState) {
    let count = difference.changes.count
    paintBox(
      geometry.frame,
      title: "\(difference.title) \(glyphs.reference) now: "
        + (count == 0 ? "no difference" : Wording.plural(count, "difference")))
    let list = geometry.list
    let first = difference.list.firstRow(count: count, height: list.height)
    for row in 0..<max(0, min(list.height, count - first)) {
      let change = difference.changes[first + row]
      let rect = list.line(row)
      let (sign, role): (String, ThemeRole) =
        switch change.kind {
        case .added: ("+", .success)
        case .removed: ("-", .error)
        case .changed: ("~", .warning)
        }
      var column = put(" \(sign) ", at: rect.column, in: rect, theme[role, on: .popup])
      column = put("\(change.path)", at: column, in: rect, theme[.objectKey, on: .popup])
      let values = [change.before, change.after].compactMap { $0.map(Painter.short) }
      put("  " + values.joined(separator: " \(glyphs.reference) "), at: column, in: rect, theme[role, on: .popup])
      if first + row == difference.list.selected {
        let look = theme[.popupSelection]
        frame.restyle(rect) { look.over($0).keepingForeground(of: $0) }
      }
    }
    if count == 0 { put("Both are the same", at: list.column + 1, in: list.line(0), theme[.popupMuted]) }
  }

  /// A value in a line.
  static func short(_ value: JSONValue) -> String {
    switch value.kind {
    case .object: "{\(value.count)}"
    case .array: "[\(value.count)]"
    default: String(value.description.prefix(60))
    }
  }
}
