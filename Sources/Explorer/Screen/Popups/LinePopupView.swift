import ApusExplorerCore
import ApusExplorerTerminal

extension LinePopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let width = min(64, area.popupRoom.width)
    return (
      Rect(column: (area.width - width) / 2, row: min(2, area.height / 3), width: width, height: 3), .zero
    )
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintLineBox(geometry, self) }
}

extension Painter {
  /// Draws a box with one input line.
  mutating func paintLineBox(_ geometry: PopupGeometry, _ prompt: LinePopup) {
    paintBox(geometry.frame, title: prompt.title)
    let line = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    _ = paintInput(prompt.input, at: line.column, in: line)
  }
}
