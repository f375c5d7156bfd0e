import ApusGraphQLLanguage

/// The kind of a highlighted token, which determines its color.
package enum SemanticTokenKind: Sendable, Equatable {
  case keyword, field, type, argument, variable, directive, string, number, literal, comment, punctuation, name
}

/// A highlighted token.
package struct SemanticToken: Sendable, Equatable {
  /// Byte offsets in the document.
  package let range: Range<Int>
  package let kind: SemanticTokenKind

  package init(range: Range<Int>, kind: SemanticTokenKind) {
    self.range = range
    self.kind = kind
  }
}

extension LanguageService {
  /// Returns the highlights of a byte range that begins and ends at line boundaries.
  package func highlights(in range: Range<Int>) -> [SemanticToken] {
    SemanticTokenizer(document: document).highlights(in: range)
  }
}

/// Highlights tokens by their neighbors only, so that incomplete text keeps its colors.
private struct SemanticTokenizer {
  let document: Document
  private static let keywords: Set<String> = [
    "query", "mutation", "subscription", "fragment", "on", "schema", "type", "interface", "union", "enum", "input",
    "scalar", "directive", "extend", "implements", "repeatable",
  ]

  func highlights(in range: Range<Int>) -> [SemanticToken] {
    let tokens = document.tokens(in: range)
    var result: [SemanticToken] = []
    result.reserveCapacity(tokens.count)
    var parentheses = 0
    var before: Token?
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .parenthesisLeft: parentheses += 1
      case .parenthesisRight: parentheses = max(0, parentheses - 1)
      default: break
      }
      let next = index + 1 < tokens.count ? tokens[index + 1].kind : nil
      result.append(
        SemanticToken(
          range: token.range, kind: kind(of: token, after: before, before: next, inParentheses: parentheses > 0)))
      if token.kind != .comment { before = token }
    }
    return result
  }

  private func kind(of token: Token, after: Token?, before: TokenKind?, inParentheses: Bool) -> SemanticTokenKind {
    switch token.kind {
    case .comment: .comment
    case .string, .blockString: .string
    case .int, .float: .number
    case .dollar: .variable
    case .at: .directive
    case .name: nameKind(document.source.text(token.range), after: after, before: before, inParentheses)
    default: .punctuation
    }
  }

  private func nameKind(_ text: String, after: Token?, before: TokenKind?, _ inParentheses: Bool) -> SemanticTokenKind {
    switch after?.kind {
    case .dollar: return .variable
    case .at: return .directive
    case .spread: return text == "on" ? .keyword : .type
    default: break
    }
    if let after, after.kind == .name {
      let word = document.source.text(after.range)
      if word == "on" { return .type }
      if Self.keywords.contains(word), word != "on" { return text == "on" ? .keyword : .type }
    }
    if inParentheses {
      if before == .colon { return .argument }
      if text == "true" || text == "false" || text == "null" { return .literal }
      return text.first?.isUppercase == true ? .type : .literal
    }
    let isTopLevelKeyword = after == nil || after?.kind == .braceRight
    if isTopLevelKeyword, Self.keywords.contains(text) { return .keyword }
    if text == "on", after?.kind == .name { return .keyword }
    return .field
  }
}
