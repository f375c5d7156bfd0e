import ApusGraphQLLanguage

/// Required arguments must be provided. Invalid: `{ bird { name } }` for `bird(id: ID!)`.
///
/// Specification: Required Arguments.
enum ProvidedRequiredArgumentsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    ProvidedRequiredArgumentsOnDirectivesRule.check(context)
    for field in context.fields {
      guard let definition = context.fieldDefinition(of: field) else { continue }
      context.reportMissingArguments(of: field, given: { field.arguments }, defined: definition.argumentRun) {
        let parent = definition.name.hasPrefix("__") ? "<meta>" : definition.parentType.name
        return "\(parent).\(definition.name)"
      }
    }
    if !context.fragmentVariables.isEmpty { checkFragmentArguments(context) }
  }

  private static func checkFragmentArguments(_ context: ValidationContext) {
    let required = context.fragmentVariables.mapValues { $0.all.filter(\.isRequired) }
    for spread in context.spreads where context.fragment(of: spread) != nil {
      guard let variables = required[context.nameID(of: spread)], !variables.isEmpty else { continue }
      let unchecked = spread.directive(named: "uncheckedArguments_DEPRECATED") != nil
      guard !unchecked, context.spend(variables.count * 4) else { continue }
      let given = Set(context.fragmentArguments(of: spread).map { context.nameID(of: $0.name) })
      for variable in variables where !given.contains(variable.name) {
        context.report(
          "Fragment \"\(spread.name.value)\" argument \"\(context.names[variable.name])\" of type \"\(context.text(variable.type))\" is required, but it was not provided.",
          spread, variable.node)
      }
    }
  }
}
