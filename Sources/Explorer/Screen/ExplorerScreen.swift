import ApusExplorerCore
import ApusExplorerTerminal

/// Draws the screen: a pure function from a state, a layout and a theme to a frame.
package enum ExplorerScreen {
  package static func draw(
    _ state: ExplorerState, _ layout: ScreenLayout, theme: Theme, glyphs: GlyphSet = .unicode,
    keys: KeyTable = .standard, pendingKeys: [KeyPress] = []
  ) -> (frame: Frame, cursor: CursorPlacement?, regions: HitRegions) {
    var painter = Painter(state, layout, theme: theme, glyphs: glyphs, keys: keys)
    painter.pendingKeys = pendingKeys
    painter.paint()
    return (painter.frame, painter.cursor, painter.regions)
  }
}
