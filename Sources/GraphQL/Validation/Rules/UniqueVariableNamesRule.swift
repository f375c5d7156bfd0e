import ApusGraphQLLanguage

/// The variables of an operation or a fragment must have unique names.
///
/// Specification: Variable Uniqueness.
enum UniqueVariableNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for operation in context.operations + (context.fragmentVariables.isEmpty ? [] : context.fragments) {
      let names = context.within(operation, context.variableDefinitions).map { NodeID(context.bodyID($0)) + 1 }
      context.reportGroups(names) { "There can be only one variable named \"$\($0)\"." }
    }
  }
}
