import ApusGraphQLLanguage

/// An extended type must be defined and have the same kind.
///
/// Specification: Scalar Extensions, Object Extensions and so on, Type Validation.
enum PossibleTypeExtensionsRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var definitions: [UInt32: NodeID] = [:]
    for definition in context.typeDefinitions where !context.isExtension(definition) {
      definitions[context.nameOf[context.bodyID(definition)]] = definition
    }
    var existing: [String]?
    for node in context.typeDefinitions where context.isExtension(node) {
      let nameNode = NodeID(context.bodyID(node))
      let name = context.name(nameNode)
      if let definition = definitions[context.nameOf[Int(nameNode)]] {
        guard context.kind(definition) != context.kind(node) else { continue }
        let kind = TypeDefinitionNode(context.document, node).kind
        context.report("Cannot extend non-\(kind.words) type \"\(name)\".", definition, node)
      } else if !context.isMissing(nameNode), context.schema?.federation == nil {
        // A subgraph may extend a type of another subgraph.
        let options = existing ?? definitions.values.sorted().map(context.definedName)
        existing = options
        let near = context.near(name, among: options.count) { options }
        context.report(
          "Cannot extend type \"\(name)\" because it is not defined."
            + NameSuggestions.didYouMean(near), nameNode,
          suggesting: context.suggestion(near, for: nameNode))
      }
    }
  }
}
