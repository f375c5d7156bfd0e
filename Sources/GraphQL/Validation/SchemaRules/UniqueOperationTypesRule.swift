import ApusGraphQLLanguage

/// A schema must define each root operation type at most once.
///
/// Specification: Root Operation Types.
enum UniqueOperationTypesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var first: [OperationType: NodeID] = [:]
    for definition in context.schemaDefinitions {
      for root in context.children(definition, .rootOperationTypeDefinition) {
        let operation = OperationType(context.flags(root))
        if let earlier = first[operation] {
          context.report("There can be only one \(operation.rawValue) type in schema.", earlier, root)
        } else {
          first[operation] = root
        }
      }
    }
  }
}
