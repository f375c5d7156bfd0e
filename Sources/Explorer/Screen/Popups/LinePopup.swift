import ApusExplorerCore
import ApusExplorerTerminal

extension Painter {
  /// A box of one line.
  mutating func paintLineBox(_ geometry: PopupGeometry, _ prompt: LineState) {
    paintBox(geometry.frame, title: prompt.title)
    let line = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    _ = paintInput(prompt.input, at: line.column, in: line)
  }
}
