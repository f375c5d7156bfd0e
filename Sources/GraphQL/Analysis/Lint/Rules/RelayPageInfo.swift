import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The `PageInfo` type has the fields that clients require.
///
/// Source: GraphQL Cursor Connections Specification, section 5.
enum RelayPageInfo: SchemaLintRule {
  static let name = "relay-page-info"
  static let summary = "`PageInfo` is an object with two flags, `Boolean!`, and two cursors that may be null."
  static let example = "type BirdConnection { pageInfo: PageInfo! } type PageInfo { hasNextPage: Boolean }"

  static func check(_ context: inout LintContext) {
    guard let type = context.schema.type(named: "PageInfo"), let name = type.nameNode else {
      if let connection = context.connections.first, let name = connection.nameNode {
        context.report("A schema with connections should have the type PageInfo.", connection.coordinate, at: name)
      }
      return
    }
    guard type.kind == .object else {
      return context.report("PageInfo should be an object.", type.coordinate, at: name)
    }
    for flag in ["hasPreviousPage", "hasNextPage"] {
      let field = type.field(named: flag)
      if field.map({ "\($0.type)" }) == "Boolean!" { continue }
      context.report(
        "PageInfo should have \(flag): Boolean!.", field?.coordinate ?? type.coordinate, at: field?.node.name ?? name)
    }
    for cursor in ["startCursor", "endCursor"] {
      let field = type.field(named: cursor)
      if let field, !field.type.isNonNull, !field.type.isList, field.type.definition?.kind == .scalar { continue }
      context.report(
        "PageInfo should have \(cursor), a String or a scalar that may be null.",
        field?.coordinate ?? type.coordinate, at: field?.node.name ?? name)
    }
  }
}
