import ApusExplorerCore
import ApusExplorerTerminal

extension NoSchemaPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.noSchema(state, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintNoSchema(geometry, self) }
}

extension PopupGeometry {
  /// Returns the layout: the reason, a blank line, and the list of ways to get a schema.
  static func noSchema(_ state: ExplorerState, in area: Rect) -> (frame: Rect, list: Rect) {
    let width = min(area.popupRoom.width, 84)
    let ways = NoSchemaPopup.ways.count
    let reason = TextWrapping.lines(of: noSchemaReason(state), width: width - 4).count
    let frame = area.centered(Size(width: width, height: min(area.popupRoom.height, reason + ways + 3)))
    let list = Rect(
      column: frame.column + 1, row: frame.endRow - 1 - ways, width: frame.width - 2, height: ways)
    return (frame, list)
  }

  static func noSchemaReason(_ state: ExplorerState) -> String {
    if case .unavailable(let reason) = state.connection.schema { reason } else { "" }
  }
}

extension Painter {
  mutating func paintNoSchema(_ geometry: PopupGeometry, _ noSchema: NoSchemaPopup) {
    paintBox(geometry.frame, title: "No schema: operations run without completion and validation")
    let inner = geometry.frame.inset(horizontal: 2, vertical: 1)
    let room = max(0, geometry.list.row - inner.row)
    let reason = TextWrapping.lines(of: PopupGeometry.noSchemaReason(state), width: inner.width, limit: room)
    for (row, line) in reason.enumerated() {
      put(line, at: inner.column, in: inner.line(row), theme[.warning, on: .popup])
    }
    for (row, way) in NoSchemaPopup.ways.enumerated() {
      let rect = geometry.list.line(row)
      guard let binding = keys.bindings.first(where: { $0.context == .noSchema && $0.command == way }) else { continue }
      let names = binding.keys.map(\.description).joined(separator: " ")
      put(names, at: rect.column + 2, in: rect, theme[.footerKey, on: .popup])
      let title = TextWidth.truncated(binding.title, to: rect.width - 7, ellipsis: glyphs.ellipsis)
      put(title, at: rect.column + 6, in: rect, theme[.popup])
      guard row == noSchema.list.selected else { continue }
      paintPopupSelection(rect)
    }
  }
}
