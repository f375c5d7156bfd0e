import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Deprecated elements should not be used.
///
/// A lint: the specification does not require it.
enum NoDeprecatedCustomRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for node in context.fields {
      guard let field = context.fieldDefinition(of: node) else { continue }
      let title = "\(field.parentType.name).\(field.name)"
      if let reason = field.deprecationReason { context.report("The field \(title) is deprecated. \(reason)", node) }
      check(node.arguments, context) { "Field \"\(title)\" argument" }
    }
    for directive in context.directives.lazy.map(\.node) {
      check(directive.arguments, context) { "Directive \"@\(directive.name.value)\" argument" }
    }
    for value in context.values {
      switch value.kind {
      case .object: checkObject(value, context)
      case .enum: checkEnumValue(value, context)
      case .variable, .int, .float, .string, .boolean, .null, .list: break
      }
    }
  }

  private static func check(_ arguments: [ArgumentNode], _ context: ValidationContext, _ title: () -> String) {
    for argument in arguments {
      guard let value = context.inputValue(of: argument), let reason = value.deprecationReason else { continue }
      context.report("\(title()) \"\(value.name)\" is deprecated. \(reason)", argument)
    }
  }

  private static func checkObject(_ value: ValueNode, _ context: ValidationContext) {
    guard let type = context.inputType(of: value).flatMap({ context.type(of: $0) }) else { return }
    for node in value.fields {
      guard let field = context.inputValue(of: node), let reason = field.deprecationReason else { continue }
      context.report("The input field \(type.name).\(field.name) is deprecated. \(reason)", node)
    }
  }

  private static func checkEnumValue(_ value: ValueNode, _ context: ValidationContext) {
    guard let type = context.inputType(of: value).flatMap({ context.type(of: $0) }),
      let definition = type.enumValue(named: value.text), let reason = definition.deprecationReason
    else { return }
    context.report("The enum value \"\(type.name).\(definition.name)\" is deprecated. \(reason)", value)
  }
}
