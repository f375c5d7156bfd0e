import ApusGraphQLLanguage

/// The variables of an operation or a fragment must have unique names. Invalid:
/// `query ($id: ID, $id: ID!) { bird(id: $id) { name } }`.
///
/// Specification: Variable Uniqueness.
enum UniqueVariableNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for operation in context.operations { check(operation.variableDefinitions, context) }
    if context.fragmentVariables.isEmpty { return }
    for fragment in context.fragments { check(fragment.variableDefinitions, context) }
  }

  private static func check(_ definitions: [VariableDefinitionNode], _ context: ValidationContext) {
    context.reportGroups(definitions.map(\.variable.name)) { "There can be only one variable named \"$\($0)\"." }
  }
}
