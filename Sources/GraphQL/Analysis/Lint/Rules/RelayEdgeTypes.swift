import ApusGraphQLLanguage
import ApusGraphQLSchema

/// An edge is an object with a node and a cursor.
///
/// Source: GraphQL Cursor Connections Specification, section 3.
enum RelayEdgeTypes: SchemaLintRule {
  static let name = "relay-edge-types"
  static let summary = "An edge is an object with a `cursor` and a `node` that is not a list; its name ends in Edge."
  static let options: [LintOption] = [.flag("withEdgeSuffix", true)]
  static let example = "type BirdConnection { edges: [BirdEdge] pageInfo: PageInfo! } type BirdEdge { node: [Bird] }"

  static func check(_ context: inout LintContext) {
    var seen: Set<String> = []
    for connection in context.connections {
      guard let edges = connection.field(named: "edges"), let type = edges.type.definition, let name = type.nameNode,
        seen.insert(type.name).inserted
      else { continue }
      guard type.kind == .object else {
        context.report("The edge \(type.name) should be an object.", type.coordinate, at: name)
        continue
      }
      if type.field(named: "node").map({ $0.type.isList }) ?? true {
        context.report("The edge \(type.name) should have a node that is not a list.", type.coordinate, at: name)
      }
      let cursor = type.field(named: "cursor")?.type
      if cursor.map({ $0.isList || $0.definition?.kind != .scalar }) ?? true {
        context.report("The edge \(type.name) should have a cursor, a String or a scalar.", type.coordinate, at: name)
      }
      if context.isOn("withEdgeSuffix"), !type.name.hasSuffix("Edge") {
        context.report("The name of the edge \(type.name) should end with Edge.", type.coordinate, at: name)
      }
    }
  }
}
