import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Federation directives must be used at locations where they have an effect.
///
/// Source: Apollo Federation, error codes `INVALID_SHAREABLE_USAGE`, `REQUIRES_UNSUPPORTED_ON_INTERFACE`,
/// `PROVIDES_UNSUPPORTED_ON_INTERFACE`, `PROVIDES_ON_NON_OBJECT_FIELD`, `OVERRIDE_COLLISION_WITH_ANOTHER_DIRECTIVE` and
/// `DIRECTIVE_COMPOSITION_ERROR`.
enum FederationDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, let federation = schema.federation, federation.isVersion2 else { return }
    for type in context.typeDefinitions {
      let isInterface = context.kind(type) == .interfaceTypeDefinition
      for field in context.children(type, .fieldDefinition) {
        let title = "\"\(context.definedName(type)).\(context.definedName(field))\""
        if isInterface {
          for name in ["shareable", "requires", "provides"] {
            guard let directive = context.directive(federation.name(of: name), on: field) else { continue }
            context.report("@\(name) cannot be used on \(title): only fields of object types can have it.", directive)
          }
        } else {
          checkField(field, title, federation, schema, context)
        }
      }
    }
    checkCompositions(federation, context)
  }

  private static func checkField(
    _ field: NodeID, _ title: String, _ federation: Federation, _ schema: Schema, _ context: ValidationContext
  ) {
    if let provides = context.directive(federation.name(of: "provides"), on: field) {
      let reference = FieldDefinitionNode(context.document, field).type
      if let type = schema.type(named: reference.name), !type.isComposite {
        context.report("@provides of \(title) names fields, but the type \"\(reference)\" has none.", provides)
      }
    }
    guard let override = context.directive(federation.name(of: "override"), on: field),
      context.directive(federation.name(of: "external"), on: field) != nil
    else { return }
    context.report(
      "\(title) cannot have both @override and @external: an external field is resolved elsewhere.", override)
  }

  private static func checkCompositions(_ federation: Federation, _ context: ValidationContext) {
    let compose = federation.name(of: "composeDirective")
    for directive in context.directives where context.name(directive + 1) == compose {
      guard let value = DirectiveNode(context.document, directive).argument(named: "name")?.value, value.kind == .string
      else { continue }
      let name = value.stringValue
      if !name.hasPrefix("@") {
        context.report("The \"name\" of @composeDirective begins with \"@\", but is \"\(name)\".", value.id)
      } else if context.schema?.directive(named: String(name.dropFirst())) == nil {
        context.report("@composeDirective names \"\(name)\", which this subgraph does not define.", value.id)
      } else if !federation.links.contains(where: { link in link.imports.contains { $0.alias == name } }) {
        context.report(
          "@composeDirective names \"\(name)\", which no @link imports: link the specification that it belongs to.",
          value.id)
      }
    }
  }
}
