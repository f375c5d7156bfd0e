import ApusGraphQLLanguage

/// The byte offsets of a pair of brackets.
package struct BracketPair: Sendable, Equatable {
  package let opening: Int
  package let closing: Int
}

extension LanguageService {
  /// Returns the innermost pair around a byte offset.
  package func brackets(around offset: Int) -> BracketPair? {
    Brackets.pairs(in: document).filter { $0.opening < offset && offset <= $0.closing }.max { $0.opening < $1.opening }
  }
}

/// Matches brackets by tokens only, so that it also works in invalid documents. In `{ a(b: [1) }` the `[` has no pair.
enum Brackets {
  static func pairs(in document: Document) -> [BracketPair] {
    var open: [(kind: TokenKind, offset: Int)] = []
    var pairs: [BracketPair] = []
    for token in document.tokens {
      switch token.kind {
      case .braceLeft, .parenthesisLeft, .bracketLeft: open.append((token.kind, token.range.lowerBound))
      case .braceRight, .parenthesisRight, .bracketRight:
        // Unclosed brackets in between have no pair.
        guard let match = open.lastIndex(where: { closes(token.kind, $0.kind) }) else { continue }
        pairs.append(BracketPair(opening: open[match].offset, closing: token.range.lowerBound))
        open.removeSubrange(match...)
      default: break
      }
    }
    return pairs.sorted { $0.opening < $1.opening }
  }

  private static func closes(_ closing: TokenKind, _ opening: TokenKind) -> Bool {
    switch opening {
    case .braceLeft: closing == .braceRight
    case .parenthesisLeft: closing == .parenthesisRight
    default: closing == .bracketRight
    }
  }
}
