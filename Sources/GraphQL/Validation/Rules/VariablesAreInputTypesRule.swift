import ApusGraphQLLanguage

/// Variables must have input types.
///
/// Specification: Variables Are Input Types.
enum VariablesAreInputTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for id in context.variableDefinitions {
      let definition = VariableDefinitionNode(context.document, id)
      if let type = context.type(definition.type.namedType.id), !context.isInput(type) {
        context.report(
          "Variable \"$\(definition.variable.name.value)\" cannot be non-input type \"\(definition.type)\".",
          definition.type.id)
      }
    }
  }
}
