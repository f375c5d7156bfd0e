import ApusGraphQLLanguage

/// Variables must have input types. Invalid: `query ($bird: Bird) { count(bird: $bird) }` if `Bird` is an object type.
///
/// Specification: Variables Are Input Types.
enum VariablesAreInputTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for definition in context.variableDefinitions {
      if let type = context.type(named: definition.type.namedType), !type.isInput {
        context.report(
          "Variable \"$\(definition.variable.name.value)\" cannot be non-input type \"\(definition.type)\".",
          definition.type)
      }
    }
  }
}
