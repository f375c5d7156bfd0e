import ApusExplorerCore
import ApusExplorerTerminal

extension ExportPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.listed(choices.count, width: 48, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintExport(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintExport(_ geometry: PopupGeometry, _ export: ExportPopup) {
    paintBox(geometry.frame, title: export.title)
    let list = geometry.list
    let first = export.list.firstRow(count: export.choices.count, height: list.height)
    for row in 0..<max(0, min(list.height, export.choices.count - first)) {
      let line = list.line(row)
      let choice = TextWidth.truncated(export.choices[first + row], to: line.width - 3, ellipsis: glyphs.ellipsis)
      put("  \(choice)", at: line.column, in: line, theme[.popup])
      if first + row == export.list.selected { paintPopupSelection(line) }
    }
  }
}
