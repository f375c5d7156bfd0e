import ExplorerCore
import ExplorerTerminal

extension Painter {
  /// A box of one line; of a long text the end is seen, where one types.
  mutating func paintLineBox(_ geometry: PopupGeometry, _ prompt: LineState) {
    paintBox(geometry.frame, title: prompt.title)
    let line = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    var shown = prompt.text[...]
    while TextWidth.width(of: shown) >= line.width { shown.removeFirst() }
    let column = put(String(shown), at: line.column, in: line, theme[.popup])
    cursor = CursorPlacement(Point(column: min(column, line.endColumn - 1), row: line.row))
  }
}
