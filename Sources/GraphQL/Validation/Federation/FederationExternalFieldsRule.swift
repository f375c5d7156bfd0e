import ApusGraphQLLanguage
import ApusGraphQLSchema

/// In Federation 2, an external field must be used by a `@key`, `@requires` or `@provides`, or required by an interface.
///
/// Source: Apollo Federation, error codes `EXTERNAL_UNUSED` and `EXTERNAL_ON_INTERFACE`.
enum FederationExternalFieldsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, let subgraph = context.subgraph, subgraph.federation.isVersion2 else {
      return
    }
    // `@fromContext` also selects fields, in a language that is not parsed here.
    let fromContext = subgraph.federation.name(of: "fromContext")
    let usesContext = context.directives.contains { context.name($0 + 1) == fromContext }
    let used = Set(
      subgraph.applications.flatMap(\.fields.members).flatMap {
        ExternalFields.implementations(of: $0.field, of: $0.parent, context)
      })
    let types = owners(context)
    for field in subgraph.externals.marked {
      guard let owner = types[field], let type = schema.type(named: context.definedName(owner)) else { continue }
      let title = "\"\(type.name).\(context.definedName(field))\""
      if type.kind == .interface {
        context.report("\(title) is marked as @external, but a field of an interface cannot be external.", field)
      } else if !usesContext, !used.contains(field), !isPromised(context.definedName(field), by: type) {
        context.report(
          "\(title) is marked as @external, but no @key, @requires or @provides uses it. Remove the field, or the directive.",
          field)
      }
    }
  }

  /// Returns the type definition of each field.
  private static func owners(_ context: ValidationContext) -> [NodeID: NodeID] {
    var owners: [NodeID: NodeID] = [:]
    for type in context.typeDefinitions {
      for field in context.children(type, .fieldDefinition) { owners[field] = type }
    }
    return owners
  }

  /// Whether an interface of the type has the field.
  private static func isPromised(_ field: String, by type: TypeDefinition) -> Bool {
    type.interfaces.contains { $0.field(named: field) != nil }
  }
}
