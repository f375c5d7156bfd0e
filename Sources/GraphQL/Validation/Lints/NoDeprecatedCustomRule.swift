import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Nothing is used that is to be used no more.
///
/// A lint: the specification allows it.
enum NoDeprecatedCustomRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema else { return }
    for set in context.selectionSets where context.meaning[Int(set)] >= 0 {
      let parent = context.typeName(UInt32(context.meaning[Int(set)]))
      for id in context.children(set, .field) where context.meaning[Int(id)] >= 0 {
        let index = UInt32(context.meaning[Int(id)])
        let field = FieldDefinition(schema: schema, index: index, parentIndex: UInt32(context.meaning[Int(set)]))
        if let reason = field.deprecationReason {
          context.report("The field \(parent).\(field.name) is deprecated. \(reason)", id)
        }
        check(context.children(id, .argument), "Field \"\(parent).\(field.name)\" argument", schema, context)
      }
    }
    for directive in context.directives {
      check(
        context.children(directive, .argument), "Directive \"@\(context.name(directive + 1))\" argument", schema,
        context)
    }
    for value in context.values {
      switch context.kind(value) {
      case .objectValue: checkObject(value, schema, context)
      case .enumValue: checkEnumValue(value, schema, context)
      default: break
      }
    }
  }

  private static func check(
    _ nodes: [NodeID], _ title: String, _ schema: Schema, _ context: ValidationContext
  ) {
    for node in nodes where context.meaning[Int(node)] >= 0 {
      let value = InputValueDefinition(schema: schema, index: UInt32(context.meaning[Int(node)]))
      if let reason = value.deprecationReason {
        context.report("\(title) \"\(value.name)\" is deprecated. \(reason)", node)
      }
    }
  }

  private static func checkObject(_ value: NodeID, _ schema: Schema, _ context: ValidationContext) {
    guard let type = context.type(of: context.expected[Int(value)]) else { return }
    for node in context.document.children(of: value) where context.meaning[Int(node)] >= 0 {
      let field = InputValueDefinition(schema: schema, index: UInt32(context.meaning[Int(node)]))
      if let reason = field.deprecationReason {
        context.report("The input field \(context.typeName(type)).\(field.name) is deprecated. \(reason)", node)
      }
    }
  }

  private static func checkEnumValue(_ value: NodeID, _ schema: Schema, _ context: ValidationContext) {
    guard let index = context.type(of: context.expected[Int(value)]) else { return }
    let type = TypeDefinition(schema: schema, index: index)
    if let known = type.enumValue(named: context.text(value)), let reason = known.deprecationReason {
      context.report("The enum value \"\(type.name).\(known.name)\" is deprecated. \(reason)", value)
    }
  }
}
