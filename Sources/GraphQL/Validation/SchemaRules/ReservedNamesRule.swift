import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Names must not begin with two underscores, which are reserved for introspection.
///
/// Specification: Reserved Names.
enum ReservedNamesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for type in context.typeDefinitions {
      if !context.isExtension(type), !Schema.isIntrospectionType(context.definedName(type)) { check(type, context) }
      for member in context.document.children(of: type) {
        switch context.kind(member) {
        case .fieldDefinition, .enumValueDefinition: check(member, context)
        default: break
        }
      }
    }
    for directive in context.directiveDefinitions where !context.isExtension(directive) { check(directive, context) }
    for place in context.inputValueDefinitions { check(place.node, context) }
  }

  private static func check(_ definition: NodeID, _ context: ValidationContext) {
    let name = context.definedName(definition)
    guard name.hasPrefix("__") else { return }
    context.report(
      "Name \"\(name)\" must not begin with \"__\", which is reserved by GraphQL introspection.", definition)
  }
}
