import ApusGraphQLLanguage

/// Required arguments of directives must be provided. Invalid: `name @include`.
///
/// Specification: Required Arguments.
enum ProvidedRequiredArgumentsOnDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives.lazy.map(\.node) {
      guard let definition = context.directiveDefinition(of: directive) else { continue }
      context.reportMissingArguments(
        of: directive, given: { directive.arguments }, defined: definition.argumentRun
      ) { "@\(definition.name)" }
    }
  }
}
