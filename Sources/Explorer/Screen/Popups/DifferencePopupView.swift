import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

extension DifferencePopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let frame = area.centered(Size(width: min(110, area.popupRoom.width), height: area.popupRoom.height))
    return (frame, frame.inset(horizontal: 1, vertical: 1))
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintDifference(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintDifference(_ geometry: PopupGeometry, _ difference: DifferencePopup) {
    let count = difference.changes.count
    paintBox(
      geometry.frame,
      title: "\(difference.title) \(glyphs.reference) now: "
        + (count == 0 ? "no differences" : DisplayFormat.plural(count, "difference")))
    let list = geometry.list
    let first = difference.list.firstRow(count: count, height: list.height)
    for row in 0..<max(0, min(list.height, count - first)) {
      let change = difference.changes[first + row]
      let rect = list.line(row)
      let (symbol, role) = differenceStyle(of: change.kind)
      var column = put(" \(symbol) ", at: rect.column, in: rect, theme[role, on: .popup])
      column = put("\(change.path)", at: column, in: rect, theme[.objectKey, on: .popup])
      let values = [change.before, change.after].compactMap { $0.map(Painter.short) }
      put("  " + values.joined(separator: " \(glyphs.reference) "), at: column, in: rect, theme[role, on: .popup])
      if first + row == difference.list.selected {
        paintPopupSelection(rect)
      }
    }
    if count == 0 { put("The responses are identical", at: list.column + 1, in: list.line(0), theme[.popupMuted]) }
  }

  func differenceStyle(of kind: ValueChange.Kind) -> (symbol: String, role: ThemeRole) {
    switch kind {
    case .added: ("+", .success)
    case .removed: ("-", .error)
    case .changed: ("~", .warning)
    case .moved: (">", .warning)
    }
  }

  /// Returns a value on one line.
  static func short(_ value: JSONValue) -> String {
    switch value.kind {
    case .object: "{\(value.count)}"
    case .array: "[\(value.count)]"
    case .string, .number, .bool, .null: String(value.description.prefix(60))
    }
  }
}
