import ApusGraphQLLanguage

/// Required arguments of directives must be provided.
///
/// Specification: Required Arguments.
enum ProvidedRequiredArgumentsOnDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives {
      guard let definition = context.directiveDefinition(of: directive) else { continue }
      context.reportMissingArguments(of: directive, definition.argumentRun) { "@\(definition.name)" }
    }
  }
}
