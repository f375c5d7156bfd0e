import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The signature of the field or directive whose arguments contain the cursor.
package struct SignatureHelp: Sendable, Equatable {
  package struct Parameter: Sendable, Equatable {
    /// The parameter, such as `first: Int = 10`. It is a substring of the signature's label.
    package let label: String
    package let documentation: String?
  }

  /// The signature, such as `birds(first: Int, after: String): [Bird!]!`.
  package let label: String
  package let documentation: String?
  package let parameters: [Parameter]
  /// The index of the parameter at the cursor; `nil` between two parameters.
  package let active: Int?
}

extension LanguageService {
  /// Returns the signature for the arguments around a byte offset. It reads tokens, so that the parentheses need not be
  /// closed.
  package func signature(at offset: Int) -> SignatureHelp? {
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

  /// Returns the index of the open parenthesis of arguments, skipping brackets of values.
  private static func openParenthesis(of tokens: [Token]) -> Int? {
    var closed = 0
    for index in tokens.indices.reversed() {
      switch tokens[index].kind {
      case .parenthesisRight, .braceRight, .bracketRight: closed += 1
      case .parenthesisLeft where closed == 0: return index
      case .braceLeft where closed == 0:
        // An object follows a colon or is in a list; any other brace begins a selection set.
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

  /// Returns the argument name before the last colon outside of brackets; `nil` if its value is complete.
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
    // The last token may be an incomplete value.
    if let last = tokens.last, hasValue, let character = document.source.bytes[last.range].last {
      let isWord = character != UInt8(ascii: "}") && character != UInt8(ascii: "]")
      if isWord { return name }
      return nil
    }
    return name
  }

  private static func signature(
    of element: SchemaElement, _ arguments: [InputValueDefinition], _ active: String?
  ) -> SignatureHelp? {
    guard !arguments.isEmpty else { return nil }
    let parameters = arguments.map { argument in
      SignatureHelp.Parameter(
        label: HoverText.declaration(of: .argument(argument)),
        documentation: SchemaElement.argument(argument).documentation)
    }
    let name: String
    if case .directive = element { name = "@\(element.name)" } else { name = element.name }
    let type = element.typeText.map { ": \($0)" } ?? ""
    return SignatureHelp(
      label: "\(name)(\(parameters.map(\.label).joined(separator: ", ")))\(type)",
      documentation: element.documentation, parameters: parameters,
      active: active.flatMap { name in arguments.firstIndex { $0.name == name } })
  }
}
