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
      for field in type.fields {
        let title = "\"\(type.name.value).\(field.name.value)\""
        if type.kind == .interface {
          for name in ["shareable", "requires", "provides"] {
            guard let directive = field.directive(named: federation.name(of: name)) else { continue }
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
    _ field: FieldDefinitionNode, _ title: String, _ federation: Federation, _ schema: Schema,
    _ context: ValidationContext
  ) {
    if let provides = field.directive(named: federation.name(of: "provides")) {
      let reference = field.type
      if let type = schema.type(named: reference.name), !type.isComposite {
        context.report("@provides of \(title) names fields, but the type \"\(reference)\" has none.", provides)
      }
    }
    guard let override = field.directive(named: federation.name(of: "override")),
      field.directive(named: federation.name(of: "external")) != nil
    else { return }
    context.report(
      "\(title) cannot have both @override and @external: an external field is resolved elsewhere.", override)
  }

  private static func checkCompositions(_ federation: Federation, _ context: ValidationContext) {
    let compose = federation.name(of: "composeDirective")
    for directive in context.directives where directive.node.name.hasValue(compose) {
      guard let value = directive.node.argument(named: "name")?.value, value.kind == .string
      else { continue }
      let name = value.stringValue
      if !name.hasPrefix("@") {
        context.report("The \"name\" of @composeDirective begins with \"@\", but is \"\(name)\".", value)
      } else if context.schema?.directive(named: String(name.dropFirst())) == nil {
        context.report("@composeDirective names \"\(name)\", which this subgraph does not define.", value)
      } else if !federation.links.contains(where: { link in link.imports.contains { $0.alias == name } }) {
        context.report(
          "@composeDirective names \"\(name)\", which no @link imports: link the specification that it belongs to.",
          value)
      }
    }
  }
}
