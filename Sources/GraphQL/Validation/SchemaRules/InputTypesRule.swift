import ApusGraphQLLanguage

/// Arguments and input fields must have input types.
///
/// Specification: Objects, Interfaces, Input Objects and Directives, Type Validation.
enum InputTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for place in context.inputValueDefinitions {
      guard let reference = context.typeReference(place.node), let packed = context.packed(reference),
        let type = context.type(of: packed), !context.isInput(type)
      else { continue }
      context.report(
        "The type of \(place.coordinate(context)) must be Input Type but got: \(context.text(packed)).",
        context.kind(place.owner) == .directiveDefinition ? place.node : reference)
    }
  }
}
