import ApusGraphQLLanguage

/// Default values must have the types of their definitions.
///
/// Specification: Objects, Input Objects and Directives, Type Validation.
enum DefaultValuesOfCorrectTypeRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for place in context.inputValueDefinitions {
      guard let value = InputValueDefinitionNode(context.document, place.node).defaultValue,
        let type = context.inputType(of: value.id)
      else { continue }
      LiteralCheck(context) { message, node, path, _ in
        context.report(
          "\(place.coordinate(context)) has invalid default value\(path.isEmpty ? "" : " at \(path)"): \(message)",
          node)
      }.check(value.id, type)
    }
  }
}
