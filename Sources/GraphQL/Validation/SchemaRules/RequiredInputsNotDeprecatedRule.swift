import ApusGraphQLLanguage

/// What must be given cannot be deprecated: nobody could stop giving it.
///
/// Specification: Objects and Input Objects, Type Validation.
enum RequiredInputsNotDeprecatedRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for place in context.inputValueDefinitions {
      guard let reference = context.typeReference(place.node), context.flags(reference).contains(.isNonNull),
        let deprecation = context.deprecation(place.node),
        InputValueDefinitionNode(context.document, place.node).defaultValue == nil
      else { continue }
      context.report(
        "Required \(place.words) \(place.coordinate(context)) cannot be deprecated.", deprecation, reference)
    }
  }
}
