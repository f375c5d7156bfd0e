import ApusGraphQLLanguage

/// Fields must have output types.
///
/// Specification: Objects and Interfaces, Type Validation.
enum OutputTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for owner in context.typeDefinitions {
      for field in context.children(owner, .fieldDefinition) {
        guard let reference = context.typeReference(field), let packed = context.packed(reference),
          let type = context.type(of: packed), context.kind(ofType: type) == .inputObject
        else { continue }
        context.report(
          "The type of \(context.definedName(owner)).\(context.definedName(field)) must be Output Type but got: \(context.text(packed)).",
          reference)
      }
    }
  }
}
