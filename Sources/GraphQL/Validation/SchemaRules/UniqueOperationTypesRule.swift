import ApusGraphQLLanguage

/// A schema must define each root operation type at most once. Invalid: `schema { query: A query: B }`.
///
/// Specification: Root Operation Types.
enum UniqueOperationTypesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var first: [OperationType: RootOperationTypeNode] = [:]
    for definition in context.schemaDefinitions {
      for root in definition.rootOperations {
        if let earlier = first[root.operation] {
          context.report("There can be only one \(root.operation.rawValue) type in schema.", earlier, root)
        } else {
          first[root.operation] = root
        }
      }
    }
  }
}
