import ApusGraphQLLanguage

/// Follows the tokens of a definition in the schema language as far as it takes to know which names can come next.
struct TypeSystemReader {
  private var keyword: String
  private var previous = TokenKind.name
  private var previousText: String
  private var parentheses = 0
  private var sawImplements = false

  init(keyword: String) {
    self.keyword = keyword
    previousText = keyword
  }

  mutating func read(_ kind: TokenKind, _ text: String) {
    switch kind {
    case .parenthesisLeft: parentheses += 1
    case .parenthesisRight: parentheses = max(0, parentheses - 1)
    case .name where keyword == "extend" && previousText == "extend": keyword = text
    case .name where text == "implements": sawImplements = true
    default: break
    }
    previous = kind
    previousText = text
  }

  var context: CursorContext {
    switch previous {
    case .at: return .directive(location: nil)
    case .colon, .bracketLeft: return .typeName(keyword == "input" || parentheses > 0 ? .input : .output)
    case .equals where keyword == "union", .pipe where keyword == "union": return .typeName(.object)
    case .pipe where keyword == "directive": return .directiveLocation
    case .ampersand: return .typeName(.interface)
    case .name where keyword == "directive" && previousText == "on": return .directiveLocation
    case .name where sawImplements && previousText == "implements": return .typeName(.interface)
    default: return .nothing
    }
  }
}
