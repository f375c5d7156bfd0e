import ApusGraphQLLanguage

/// Arguments and input fields must have input types. Invalid: `birds(like: Bird): Int` if `Bird` is an object type.
///
/// Specification: Objects, Interfaces, Input Objects and Directives, Type Validation.
enum InputTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for input in context.inputValueDefinitions {
      guard let type = context.type(input.node.type), let definition = type.definition, !definition.isInput else {
        continue
      }
      context.report(
        "The type of \(input.coordinate) must be Input Type but got: \(type).", reportedNode(of: input))
    }
  }

  private static func reportedNode(of input: InputValueContext) -> any SyntaxView {
    switch input.owner {
    case .directive: input.node
    case .field, .inputObject: input.node.type
    }
  }
}
