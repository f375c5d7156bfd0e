import ApusGraphQLLanguage

/// There is one schema definition; what else there is to say, extensions say.
///
/// Specification: Schema.
enum LoneSchemaDefinitionRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for definition in context.schemaDefinitions.filter({ !context.isExtension($0) }).dropFirst() {
      context.report("Must provide only one schema definition.", definition)
    }
  }
}
