import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal

extension ExplorerScreen {
  /// Renders a state. The visible area is stored in the state, as in the loop.
  package static func render(
    _ state: inout ExplorerState, theme: Theme, glyphs: GlyphSet = .unicode, size: Size
  ) -> (frame: Frame, cursor: CursorPlacement?) {
    let layout = ScreenLayout(state, size: size)
    _ = update(&state, .viewed(VisibleArea(of: state, layout)))
    let drawn = draw(state, layout, theme: theme, glyphs: glyphs)
    return (drawn.frame, drawn.cursor)
  }
}
