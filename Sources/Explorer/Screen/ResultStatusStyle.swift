import ApusExplorerCore
import ApusExplorerTerminal

/// The glyph, word and color that distinguish a result status everywhere.
package struct ResultStatusStyle: Equatable {
  package var glyph: Character
  package var word: String
  package var role: ThemeRole
}

extension ResultStatus {
  /// Returns the look of the status; used by the deferred pane, the tree and the status line.
  package func style(_ glyphs: GlyphSet) -> ResultStatusStyle {
    let (glyph, role): (Character, ThemeRole) =
      switch self {
      case .pending: (glyphs.pending, .pending)
      case .complete: (glyphs.fulfilled, .fulfilled)
      case .fromCache: (glyphs.fromCache, .fulfilled)
      case .withErrors: (glyphs.withErrors, .warning)
      case .null: (glyphs.null, .warning)
      case .failed: (glyphs.failed, .failed)
      case .cut: (glyphs.cut, .failed)
      case .cancelled: (glyphs.cancelled, .warning)
      case .notExecuted: (glyphs.notExecuted, .notExecuted)
      case .neverCame: (glyphs.neverCame, .warning)
      }
    return ResultStatusStyle(glyph: glyph, word: word, role: role)
  }
}

extension Painter {
  func style(of state: ResultStatus) -> ResultStatusStyle { state.style(glyphs) }
}
