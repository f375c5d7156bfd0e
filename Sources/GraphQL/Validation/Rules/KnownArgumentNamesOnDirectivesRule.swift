import ApusGraphQLLanguage

/// Arguments of directives must be defined.
///
/// Specification: Argument Names.
enum KnownArgumentNamesOnDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives {
      guard let definition = context.directiveDefinition(of: directive), !definition.takesFragmentArguments else {
        continue
      }
      for argument in context.unknownArguments(of: directive) {
        let name = context.name(argument + 1)
        let near = context.near(name, amongMembersOf: definition.argumentRun)
        context.report(
          "Unknown argument \"\(name)\" on directive \"@\(definition.name)\"."
            + NameSuggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument + 1))
      }
    }
  }
}
