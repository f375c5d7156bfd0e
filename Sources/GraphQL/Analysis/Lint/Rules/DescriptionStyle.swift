import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Descriptions use one kind of quotes.
enum DescriptionStyle: SchemaLintRule {
  static let name = "description-style"
  static let summary = "All descriptions are block strings, or none are."
  static let options: [LintOption] = [.choice("style", "block", of: ["block", "inline"])]
  static let canFix = true
  static let example = "\"A bird.\" type Bird { id: ID }"

  static func check(_ context: inout LintContext) {
    let wantsBlock = context.value("style") == "block"
    // An introspection result has no source text.
    for document in context.schema.isIntrospected ? [] : context.schema.documents {
      for (index, node) in document.nodes.enumerated() where node.flags.contains(.hasDescription) {
        // The description is the first child of its node.
        let description = ValueNode(document, NodeID(index) + 1)
        guard document.nodes[index].kind.isDefinition, description.isBlockString != wantsBlock else { continue }
        let fix = rewritten(description).map { [TextEdit(range: description.range, text: $0)] } ?? []
        context.report(
          "This description should be \(wantsBlock ? "a block string" : "in single quotes").", nil, at: description,
          fix: fix)
      }
    }
  }

  /// Returns the description with the other kind of quotes; nil if its lines would need a new layout.
  private static func rewritten(_ description: ValueNode) -> String? {
    let value = description.stringValue
    if description.isBlockString { return StringEncoder.quoted(value) }
    let isPlain = value.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    let ends = [value.first, value.last]
    guard isPlain, !value.isEmpty, !value.contains("\"\"\""), !ends.contains("\""), !ends.contains(" "),
      !value.hasSuffix("\\")
    else { return nil }
    return "\"\"\"\(value)\"\"\""
  }
}

extension SyntaxKind {
  /// Whether the node is a definition or a member of one.
  fileprivate var isDefinition: Bool {
    switch self {
    case .schemaDefinition, .scalarTypeDefinition, .objectTypeDefinition, .interfaceTypeDefinition,
      .unionTypeDefinition, .enumTypeDefinition, .inputObjectTypeDefinition, .fieldDefinition, .inputValueDefinition,
      .enumValueDefinition, .directiveDefinition:
      true
    default: false
    }
  }
}
