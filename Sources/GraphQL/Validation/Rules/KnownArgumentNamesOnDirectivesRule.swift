import ApusGraphQLLanguage

/// Arguments of directives must be defined. Invalid: `name @include(when: true)`.
///
/// Specification: Argument Names.
enum KnownArgumentNamesOnDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives.lazy.map(\.node) {
      guard let definition = context.directiveDefinition(of: directive), !definition.takesFragmentArguments else {
        continue
      }
      for argument in context.unknownArguments(directive.arguments) {
        let name = argument.name.value
        let near = context.near(name, amongMembersOf: definition.argumentRun)
        context.report(
          "Unknown argument \"\(name)\" on directive \"@\(definition.name)\"."
            + NameSuggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument.name))
      }
    }
  }
}
