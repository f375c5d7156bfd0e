import ApusGraphQLLanguage

/// Required arguments and input fields must not be deprecated, because clients cannot omit them.
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
