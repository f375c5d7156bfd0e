import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Names must not begin with two underscores, which are reserved for introspection. Invalid: `type __Bird { id: ID }`.
///
/// Specification: Reserved Names.
enum ReservedNamesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for type in context.typeDefinitions {
      if !type.isExtension, type.name.isReserved, !Schema.isIntrospectionType(type.name.value) {
        check(type, type.name, context)
      }
      for field in type.fields { check(field, field.name, context) }
      for value in type.values { check(value, value.name, context) }
    }
    for directive in context.directiveDefinitions where !directive.isExtension {
      check(directive, directive.name, context)
    }
    for input in context.inputValueDefinitions { check(input.node, input.node.name, context) }
  }

  private static func check(_ definition: some SyntaxView, _ name: NameNode, _ context: ValidationContext) {
    guard name.isReserved else { return }
    context.report(
      "Name \"\(name.value)\" must not begin with \"__\", which is reserved by GraphQL introspection.", definition)
  }
}
