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
      check(context.children(node, .argument), "Field \"\(title)\" argument", context)
    }
    for directive in context.directives {
      check(
        context.children(directive, .argument), "Directive \"@\(context.name(directive + 1))\" argument", context)
    }
    for value in context.values {
      switch context.kind(value) {
      case .objectValue: checkObject(value, context)
      case .enumValue: checkEnumValue(value, context)
      default: break
      }
    }
  }

  private static func check(_ nodes: [NodeID], _ title: String, _ context: ValidationContext) {
    for node in nodes {
      guard let value = context.inputValue(of: node), let reason = value.deprecationReason else { continue }
      context.report("\(title) \"\(value.name)\" is deprecated. \(reason)", node)
    }
  }

  private static func checkObject(_ value: NodeID, _ context: ValidationContext) {
    guard let type = context.inputType(of: value).flatMap({ context.type(of: $0) }) else { return }
    for node in context.document.children(of: value) {
      guard let field = context.inputValue(of: node), let reason = field.deprecationReason else { continue }
      context.report("The input field \(context.typeName(type)).\(field.name) is deprecated. \(reason)", node)
    }
  }

  private static func checkEnumValue(_ value: NodeID, _ context: ValidationContext) {
    guard let schema = context.schema, let index = context.inputType(of: value).flatMap({ context.type(of: $0) }) else {
      return
    }
    let type = TypeDefinition(schema: schema, index: index)
    if let existing = type.enumValue(named: context.text(value)), let reason = existing.deprecationReason {
      context.report("The enum value \"\(type.name).\(existing.name)\" is deprecated. \(reason)", value)
    }
  }
}
