import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A schema with global object identification allows objects to be refetched by id.
///
/// Source: GraphQL Global Object Identification Specification, sections 2 and 3.
enum RelayGlobalIDs: SchemaLintRule {
  static let name = "relay-global-ids"
  static let summary =
    "If there is an interface `Node`, it has `id: ID!`, and the query root has `node(id: ID!): Node`."
  static let example = "type Query { birds: Int } interface Node { id: String }"

  static func check(_ context: inout LintContext) {
    guard let node = context.schema.type(named: "Node"), node.kind == .interface, let name = node.nameNode else {
      return
    }
    let id = node.field(named: "id")
    if id.map({ "\($0.type)" }) != "ID!" {
      context.report(
        "The interface Node should have id: ID!.", id?.coordinate ?? node.coordinate, at: id?.node.name ?? name)
    }
    guard let query = context.schema.queryType else { return }
    let field = query.field(named: "node")
    let isRight =
      field.map { field in
        "\(field.type)" == "Node" && field.arguments.count == 1
          && field.argument(named: "id").map { "\($0.type)" } == "ID!"
      } ?? false
    guard !isRight else { return }
    context.report(
      "The query root \(query.name) should have node(id: ID!): Node, which returns any object by its id.",
      field?.coordinate ?? query.coordinate, at: field?.node.name ?? query.nameNode ?? name)
  }
}
