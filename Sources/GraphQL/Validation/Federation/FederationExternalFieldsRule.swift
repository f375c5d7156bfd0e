import ApusGraphQLLanguage
import ApusGraphQLSchema

/// In Federation 2, an external field must be used by a `@key`, `@requires` or `@provides`, or required by an
/// interface. It has no directives that composition merges. Invalid:
/// `type Bird @key(fields: "id") { id: ID! name: String @external }`.
///
/// Source: Apollo Federation, error codes `EXTERNAL_UNUSED`, `EXTERNAL_ON_INTERFACE` and
/// `MERGED_DIRECTIVE_APPLICATION_ON_EXTERNAL`.
enum FederationExternalFieldsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, let subgraph = context.subgraph, subgraph.federation.isVersion2 else {
      return
    }
    // `@fromContext` also selects fields, in a language that is not parsed here.
    let fromContext = subgraph.federation.name(of: "fromContext")
    let usesContext = context.directives.contains { $0.node.name.hasValue(fromContext) }
    let used = Set(
      subgraph.applications.flatMap(\.fields.members).flatMap {
        ExternalFields.implementations(of: $0.field, of: $0.parent, context)
      })
    for (field, owner) in subgraph.externals.marked {
      guard let type = schema.type(named: owner.name.value) else { continue }
      let name = field.name.value
      let title = "\"\(type.name).\(name)\""
      for merged in ["tag", "inaccessible"] {
        let local = subgraph.federation.name(of: merged)
        for directive in field.directives where directive.name.hasValue(local) {
          context.report(
            "\(title) is external, so @\(local) has no effect. Move it to a subgraph that resolves the field.",
            directive)
        }
      }
      if type.kind == .interface {
        context.report("\(title) is marked as @external, but a field of an interface cannot be external.", field)
      } else if !usesContext, !used.contains(field.id), !isPromised(name, by: type) {
        context.report(
          "\(title) is marked as @external, but no @key, @requires or @provides uses it. Remove the field, or the directive.",
          field)
      }
    }
  }

  /// Whether an interface of the type has the field.
  private static func isPromised(_ field: String, by type: TypeDefinition) -> Bool {
    type.interfaces.contains { $0.field(named: field) != nil }
  }
}
