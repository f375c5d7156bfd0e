import ApusGraphQLLanguage

/// Default values must have the types of their definitions. Invalid: `input Page { first: Int = "2" }`.
///
/// Specification: Objects, Input Objects and Directives, Type Validation.
enum DefaultValuesOfCorrectTypeRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for input in context.inputValueDefinitions {
      guard let value = input.node.defaultValue, let type = context.inputType(of: value),
        !ReadableDefaultValuesRule.isUnreadable(value)
      else { continue }
      LiteralCheck(context) { message, node, path, _ in
        context.report(
          "\(input.coordinate) has invalid default value\(path.isEmpty ? "" : " at \(path)"): \(message)",
          node)
      }.check(value, type)
    }
  }
}
