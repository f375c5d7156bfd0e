import ApusGraphQLLanguage

/// Arguments that are given to directives exist.
///
/// Specification: Argument Names.
enum KnownArgumentNamesOnDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives where context.meaning[Int(directive)] >= 0 {
      let record = context.storage.directives[Int(context.meaning[Int(directive)])]
      for argument in context.unknownArguments(of: directive) {
        let name = context.name(argument + 1)
        let known = record.arguments.indices.map { context.storage.names[context.storage.inputValues[$0].name] }
        let near = Suggestions.near(name, known)
        context.report(
          "Unknown argument \"\(name)\" on directive \"@\(context.storage.names[record.name])\"."
            + Suggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument + 1))
      }
    }
  }
}
