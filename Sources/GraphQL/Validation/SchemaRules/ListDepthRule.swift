import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Lists must not nest deeper than the schema representation allows.
///
/// This is a limit of this implementation that real schemas do not reach.
enum ListDepthRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for type in context.typeDefinitions {
      for field in type.fields { check(field.type, context) }
    }
    for input in context.inputValueDefinitions { check(input.node.type, context) }
  }

  private static func check(_ type: TypeNode, _ context: ValidationContext) {
    if type.listDepth > PackedType.maximumListDepth {
      context.report("Lists nest deeper than \(PackedType.maximumListDepth) levels.", type)
    }
  }
}
