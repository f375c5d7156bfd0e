import ApusGraphQLLanguage

/// There must be at most one schema definition, which extensions can extend. Invalid:
/// `schema { query: A } schema { query: B }`.
///
/// Specification: Schema.
enum LoneSchemaDefinitionRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for definition in context.schemaDefinitions.filter({ !$0.isExtension }).dropFirst() {
      context.report("Must provide only one schema definition.", definition)
    }
  }
}
