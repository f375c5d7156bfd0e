import ApusGraphQLLanguage

/// A pair of brackets, by the byte offsets of the two.
package struct BracketPair: Sendable, Equatable {
  package let opening: Int
  package let closing: Int
}

extension LanguageService {
  /// The pair whose opening or closing bracket is at a byte offset or right before it.
  package func brackets(at offset: Int) -> BracketPair? {
    let pairs = Brackets.pairs(in: document)
    return pairs.first { $0.opening == offset || $0.closing == offset }
      ?? pairs.first { $0.opening + 1 == offset || $0.closing + 1 == offset }
  }

  /// The innermost pair around a byte offset.
  package func brackets(around offset: Int) -> BracketPair? {
    Brackets.pairs(in: document).filter { $0.opening < offset && offset <= $0.closing }.max { $0.opening < $1.opening }
  }
}

/// Finds the brackets that belong together by the tokens alone, so that broken text has its pairs too.
enum Brackets {
  static func pairs(in document: Document) -> [BracketPair] {
    var open: [(kind: TokenKind, offset: Int)] = []
    var pairs: [BracketPair] = []
    for token in document.tokens {
      switch token.kind {
      case .braceLeft, .parenthesisLeft, .bracketLeft: open.append((token.kind, token.range.lowerBound))
      case .braceRight, .parenthesisRight, .bracketRight:
        // What was left open in between belongs to nothing.
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
