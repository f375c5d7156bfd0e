import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Definitions are described by descriptions rather than by comments, which clients cannot see.
enum NoHashtagDescription: SchemaLintRule {
  static let name = "no-hashtag-description"
  static let summary = "Definitions are documented by descriptions, not by comments."
  static let example = "# A bird.\ntype Bird { id: ID }"

  static func check(_ context: inout LintContext) {
    // An introspection result has no source text.
    for document in context.schema.isIntrospected ? [] : context.schema.documents {
      let comments = document.tokens.filter { $0.kind == .comment }
      guard !comments.isEmpty else { continue }
      let byEnd = Dictionary(comments.map { ($0.range.upperBound, $0) }) { first, _ in first }
      for (index, node) in document.nodes.enumerated() {
        guard node.kind.takesDescription, !node.flags.contains(.hasDescription),
          !node.flags.contains(.isExtension),
          let end = endOfLine(above: Int(node.start), document.source.bytes), let comment = byEnd[end],
          isAlone(comment, document.source.bytes), !isForTools(document.source.text(comment.range))
        else { continue }
        context.report(
          "The comment above seems to document this definition; make it a description, which clients can read.", nil,
          at: AnyNode(document, NodeID(index)))
      }
    }
  }

  /// Finds the end of the previous line, if the offset is the first token of its line.
  private static func endOfLine(above offset: Int, _ bytes: [UInt8]) -> Int? {
    var index = offset - 1
    while index >= 0, bytes[index] == 0x20 || bytes[index] == 0x09 { index -= 1 }
    guard index >= 0, bytes[index] == 0x0A else { return nil }
    return index > 0 && bytes[index - 1] == 0x0D ? index - 1 : index
  }

  private static let toolPrefixes = [
    "eslint", "prettier-", "cspell:", "spell-checker:", "noinspection", "vim:", "region", "endregion", "@ts-",
    "@generated",
  ]
  private static let toolSuffixes = ["-disable", "-enable", "-ignore"]

  /// Whether a comment is for a tool or only separates definitions: `# import "bird.graphql"`,
  /// `# eslint-disable-next-line`, `# -----`.
  private static func isForTools(_ comment: String) -> Bool {
    let words = comment.drop { $0 == "#" }.split(separator: " ")
    guard let first = words.first, comment.contains(where: \.isLetter) else { return true }
    if first == "import" { return words.contains("from") || words.dropFirst().first.map(isQuoted) == true }
    return toolPrefixes.contains(where: first.hasPrefix) || toolSuffixes.contains { first.contains($0) }
  }

  private static func isQuoted(_ word: Substring) -> Bool { word.hasPrefix("\"") || word.hasPrefix("'") }

  private static func isAlone(_ comment: Token, _ bytes: [UInt8]) -> Bool {
    var index = comment.range.lowerBound - 1
    while index >= 0, bytes[index] == 0x20 || bytes[index] == 0x09 { index -= 1 }
    return index < 0 || bytes[index] == 0x0A || bytes[index] == 0x0D
  }
}

extension SyntaxKind {
  /// Whether the node can have a description and its own line.
  fileprivate var takesDescription: Bool {
    switch self {
    case .scalarTypeDefinition, .objectTypeDefinition, .interfaceTypeDefinition, .unionTypeDefinition,
      .enumTypeDefinition, .inputObjectTypeDefinition, .fieldDefinition, .enumValueDefinition, .inputValueDefinition,
      .directiveDefinition:
      true
    default: false
    }
  }
}
