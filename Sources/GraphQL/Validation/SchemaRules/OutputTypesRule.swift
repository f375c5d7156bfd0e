import ApusGraphQLLanguage

/// Fields must have output types. Invalid: `type Query { page: Page }` if `Page` is an input object.
///
/// Specification: Objects and Interfaces, Type Validation.
enum OutputTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for owner in context.typeDefinitions {
      for field in owner.fields {
        guard let type = context.type(field.type), let definition = type.definition, !definition.isOutput else {
          continue
        }
        context.report(
          "The type of \(owner.name.value).\(field.name.value) must be Output Type but got: \(type).", field.type)
      }
    }
  }
}
