import ApusGraphQLLanguage

/// Arguments that are given to directives exist.
///
/// Specification: Argument Names.
enum KnownArgumentNamesOnDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives where context.meaning[Int(directive)] >= 0 {
      let record = context.storage.directives[Int(context.meaning[Int(directive)])]
      if record.takesFragmentArguments { continue }
      for argument in context.unknownArguments(of: directive) {
        let name = context.name(argument + 1)
        let near = context.near(name, amongMembersOf: record.arguments)
        context.report(
          "Unknown argument \"\(name)\" on directive \"@\(context.storage.names[record.name])\"."
            + Suggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument + 1))
      }
    }
  }
}
