import ApusGraphQLLanguage

/// Arguments that must be given to directives are given.
///
/// Specification: Required Arguments.
enum ProvidedRequiredArgumentsOnDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives where context.meaning[Int(directive)] >= 0 {
      let record = context.storage.directives[Int(context.meaning[Int(directive)])]
      context.reportMissingArguments(of: directive, record.arguments) { "@\(context.storage.names[record.name])" }
    }
  }
}
