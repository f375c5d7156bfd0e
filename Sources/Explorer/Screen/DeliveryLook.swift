import ApusExplorerCore
import ApusExplorerTerminal

/// How a state is told from the others, wherever it is shown.
package struct DeliveryLook: Equatable {
  package var glyph: Character
  package var word: String
  package var role: ThemeRole
}

extension DeliveryState {
  /// The one table: rail, tree and status line read it.
  package func look(_ glyphs: GlyphSet) -> DeliveryLook {
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
    return DeliveryLook(glyph: glyph, word: word, role: role)
  }
}

extension Painter {
  func look(of state: DeliveryState) -> DeliveryLook { state.look(glyphs) }
}
