import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Literal values must have the expected types. Invalid: `birds(first: "2")` for an `Int`.
///
/// Specification: Values of Correct Type.
enum ValuesOfCorrectTypeRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for argument in context.arguments { checkRoot(argument.value, context) }
    for definition in context.variableDefinitions {
      if let value = definition.defaultValue { checkRoot(value, context) }
    }
  }

  private static func checkRoot(_ value: ValueNode, _ context: ValidationContext) {
    guard let type = context.inputType(of: value) else { return }
    LiteralCheck(context) { message, node, _, suggestion in
      context.report(message, node, suggesting: suggestion)
    }.check(value, type)
  }
}
