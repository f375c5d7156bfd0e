import ApusGraphQLLanguage

/// Arguments must be defined. Invalid: `birds(fisrt: 2)`.
///
/// Specification: Argument Names.
enum KnownArgumentNamesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    KnownArgumentNamesOnDirectivesRule.check(context)
    for field in context.fields {
      guard let definition = context.fieldDefinition(of: field) else { continue }
      for argument in context.unknownArguments(field.arguments) {
        let name = argument.name.value
        let near = context.near(name, amongMembersOf: definition.argumentRun)
        context.report(
          "Unknown argument \"\(name)\" on field \"\(definition.parentType.name).\(definition.name)\"."
            + NameSuggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument.name))
      }
    }
    checkFragmentArguments(context)
  }

  private static func checkFragmentArguments(_ context: ValidationContext) {
    for spread in context.spreadsWithArguments where context.fragment(of: spread) != nil {
      let variables = context.fragmentVariables[context.nameID(of: spread)]
      for argument in context.fragmentArguments(of: spread) where !argument.name.isMissing {
        guard variables?[context.nameID(of: argument.name)] == nil else { continue }
        let declared = variables?.all ?? []
        let near = context.near(argument.name.value, among: declared.count) {
          declared.filter { $0.name != ValidationContext.none }.map { context.names[$0.name] }
        }
        context.report(
          "Unknown argument \"\(argument.name.value)\" on fragment \"\(spread.name.value)\"."
            + NameSuggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument.name))
      }
    }
  }
}
