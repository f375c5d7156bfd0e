import ApusGraphQLLanguage

/// Arguments that must be given are given.
///
/// Specification: Required Arguments.
enum ProvidedRequiredArgumentsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    ProvidedRequiredArgumentsOnDirectivesRule.check(context)
    for set in context.selectionSets {
      for field in context.document.children(of: set)
      where context.kind(field) == .field && context.meaning[Int(field)] >= 0 {
        let record = context.storage.fields[Int(context.meaning[Int(field)])]
        context.reportMissingArguments(of: field, record.arguments) {
          let isMeta = context.storage.names[record.name].hasPrefix("__")
          let parent = isMeta ? "<meta>" : context.typeName(UInt32(context.meaning[Int(set)]))
          return "\(parent).\(context.storage.names[record.name])"
        }
      }
    }
    if !context.fragmentVariables.isEmpty { checkFragmentArguments(context) }
  }

  private static func checkFragmentArguments(_ context: ValidationContext) {
    let required = context.fragmentVariables.mapValues { $0.all.filter(\.isRequired) }
    for spread in context.spreads where context.fragment(of: spread) != nil {
      guard let variables = required[context.nameOf[Int(spread) + 1]], !variables.isEmpty else { continue }
      let unchecked = context.directive("uncheckedArguments_DEPRECATED", on: spread) != nil
      guard !unchecked, context.spend(variables.count * 4) else { continue }
      let given = Set(context.fragmentArguments(of: spread).map { context.nameOf[Int($0) + 1] })
      for variable in variables where !given.contains(variable.name) {
        context.report(
          "Fragment \"\(context.name(spread + 1))\" argument \"\(context.names[variable.name])\" of type \"\(context.text(variable.type))\" is required, but it was not provided.",
          spread, variable.node)
      }
    }
  }
}
