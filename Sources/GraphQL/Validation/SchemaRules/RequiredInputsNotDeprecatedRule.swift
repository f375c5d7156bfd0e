import ApusGraphQLLanguage

/// Required arguments and input fields must not be deprecated, because clients cannot omit them. Invalid:
/// `birds(first: Int! @deprecated): Int`.
///
/// Specification: Objects and Input Objects, Type Validation.
enum RequiredInputsNotDeprecatedRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for input in context.inputValueDefinitions {
      guard input.node.type.isNonNull, input.node.defaultValue == nil,
        let deprecation = input.node.directive(named: "deprecated")
      else { continue }
      context.report(
        "Required \(input.words) \(input.coordinate) cannot be deprecated.", deprecation, input.node.type)
    }
  }
}
