import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Literal values must have the expected types.
///
/// Specification: Values of Correct Type.
enum ValuesOfCorrectTypeRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for argument in context.arguments { checkRoot(context.next(argument + 1), context) }
    for id in context.variableDefinitions {
      if let value = VariableDefinitionNode(context.document, id).defaultValue { checkRoot(value.id, context) }
    }
  }

  private static func checkRoot(_ value: NodeID, _ context: ValidationContext) {
    guard let type = context.inputType(of: value) else { return }
    LiteralCheck(context) { message, node, _, suggestion in
      context.report(message, node, suggesting: suggestion)
    }.check(value, type)
  }
}
