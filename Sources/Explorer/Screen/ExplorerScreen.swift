import ApusExplorerCore
import ApusExplorerTerminal

/// The screen as a function: a state, a theme and a size give a frame.
package enum ExplorerScreen {
  package static func render(
    _ state: inout ExplorerState, theme: Theme, glyphs: GlyphSet = .unicode, keys: KeyTable = .standard,
    pendingKeys: [KeyPress] = [], size: Size
  ) -> (frame: Frame, cursor: CursorPlacement?) {
    Preparation.prepare(&state, ScreenLayout(state, size: size))
    var painter = Painter(state, theme: theme, glyphs: glyphs, keys: keys, size: size)
    painter.pendingKeys = pendingKeys
    painter.paint()
    return (painter.frame, painter.cursor)
  }
}
