import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The arguments of the field or the directive whose parentheses a place is in.
package struct Signature: Sendable, Equatable {
  package struct Parameter: Sendable, Equatable {
    /// Such as `first: Int = 10`; it stands so in the label.
    package let label: String
    package let documentation: String?
  }

  /// Such as `birds(first: Int, after: String): [Bird!]!`.
  package let label: String
  package let documentation: String?
  package let parameters: [Parameter]
  /// Which parameter is being given, from 0; nil between two of them.
  package let active: Int?
}

extension LanguageService {
  /// What the arguments around a byte offset may be. It reads tokens, so that parentheses may still be open.
  package func signature(at offset: Int) -> Signature? {
    let offset = max(0, min(offset, document.source.bytes.count))
    let tokens = CursorTokens(before: offset, in: document).tokens
      .filter { $0.kind != .comment && $0.range.lowerBound < offset }
    guard let opening = Self.openParenthesis(of: tokens), opening > 0, tokens[opening - 1].kind == .name else {
      return nil
    }
    let name = tokens[opening - 1]
    let isDirective = opening > 1 && tokens[opening - 2].kind == .at
    let active = activeArgument(tokens[(opening + 1)...])
    if isDirective {
      let definition = (schema ?? Self.builtIns).directive(named: document.source.text(name.range))
      return definition.flatMap { Self.signature(of: .directive($0), $0.arguments, active) }
    }
    let path = TypedPath(to: name.range.upperBound, in: document, schema: schema)
    guard let field = path.last(.field)?.field else { return nil }
    return Self.signature(of: .field(field), field.arguments, active)
  }

  /// The parenthesis of arguments that is open behind the last token; what is open inside of it is a value.
  private static func openParenthesis(of tokens: [Token]) -> Int? {
    var closed = 0
    for index in tokens.indices.reversed() {
      switch tokens[index].kind {
      case .parenthesisRight, .braceRight, .bracketRight: closed += 1
      case .parenthesisLeft where closed == 0: return index
      case .braceLeft where closed == 0:
        // An object stands behind a colon or in a list; another brace begins a selection.
        guard index > 0, [.colon, .bracketLeft, .braceRight, .parenthesisLeft].contains(tokens[index - 1].kind) else {
          return nil
        }
      case .bracketLeft where closed == 0: continue
      case .parenthesisLeft, .braceLeft, .bracketLeft: closed -= 1
      default: continue
      }
    }
    return nil
  }

  /// The name before the last colon that is in no value's brackets; none where its value is over.
  private func activeArgument(_ tokens: ArraySlice<Token>) -> String? {
    var depth = 0
    var name: String?
    var hasValue = false
    for index in tokens.indices {
      switch tokens[index].kind {
      case .braceLeft, .bracketLeft: depth += 1
      case .braceRight, .bracketRight:
        depth -= 1
        if depth == 0 { hasValue = true }
      case .name where depth == 0 && index + 1 < tokens.endIndex && tokens[index + 1].kind == .colon:
        name = document.source.text(tokens[index].range)
        hasValue = false
      case .colon, .dollar: continue
      default:
        if depth == 0 { hasValue = true }
      }
    }
    // The value that the last token is part of is still being written.
    if let last = tokens.last, hasValue, let character = document.source.bytes[last.range].last {
      let isWord = character != UInt8(ascii: "}") && character != UInt8(ascii: "]")
      if isWord { return name }
      return nil
    }
    return name
  }

  private static func signature(
    of element: SchemaElement, _ arguments: [InputValueDefinition], _ active: String?
  ) -> Signature? {
    guard !arguments.isEmpty else { return nil }
    let parameters = arguments.map { argument in
      Signature.Parameter(
        label: HoverText.declaration(of: .argument(argument)),
        documentation: SchemaElement.argument(argument).documentation)
    }
    let name: String
    if case .directive = element { name = "@\(element.name)" } else { name = element.name }
    let type = element.typeText.map { ": \($0)" } ?? ""
    return Signature(
      label: "\(name)(\(parameters.map(\.label).joined(separator: ", ")))\(type)",
      documentation: element.documentation, parameters: parameters,
      active: active.flatMap { name in arguments.firstIndex { $0.name == name } })
  }
}
