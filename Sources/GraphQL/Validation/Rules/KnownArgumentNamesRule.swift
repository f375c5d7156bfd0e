import ApusGraphQLLanguage

/// Arguments must be defined.
///
/// Specification: Argument Names.
enum KnownArgumentNamesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    KnownArgumentNamesOnDirectivesRule.check(context)
    for field in context.fields where context.isDefined(field) {
      for argument in context.unknownArguments(of: field) {
        guard let definition = context.fieldDefinition(of: field) else { break }
        let name = context.name(argument + 1)
        let near = context.near(name, amongMembersOf: definition.argumentRun)
        context.report(
          "Unknown argument \"\(name)\" on field \"\(definition.parentType.name).\(definition.name)\"."
            + NameSuggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument + 1))
      }
    }
    checkFragmentArguments(context)
  }

  private static func checkFragmentArguments(_ context: ValidationContext) {
    for spread in context.spreadsWithArguments where context.fragment(of: spread) != nil {
      let variables = context.fragmentVariables[context.nameID(of: spread)]
      for argument in context.fragmentArguments(of: spread) where !context.isMissing(argument + 1) {
        guard variables?[context.nameID(of: argument)] == nil else { continue }
        let existing = variables?.all ?? []
        let near = context.near(context.name(argument + 1), among: existing.count) {
          existing.filter { $0.name != ValidationContext.none }.map { context.names[$0.name] }
        }
        context.report(
          "Unknown argument \"\(context.name(argument + 1))\" on fragment \"\(context.name(spread + 1))\"."
            + NameSuggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument + 1))
      }
    }
  }
}
