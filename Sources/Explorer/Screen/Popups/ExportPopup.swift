import ApusExplorerCore
import ApusExplorerTerminal

extension ExportState: DrawnPopup {
  func place(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.listed(choices.count, width: 48, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintExport(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintExport(_ geometry: PopupGeometry, _ export: ExportState) {
    paintBox(geometry.frame, title: export.title)
    for (row, choice) in export.choices.enumerated() where row < geometry.list.height {
      let line = geometry.list.line(row)
      put("  \(choice)", at: line.column, in: line, theme[.popup])
      if row == export.list.selected { paintPopupSelection(line) }
    }
  }
}
