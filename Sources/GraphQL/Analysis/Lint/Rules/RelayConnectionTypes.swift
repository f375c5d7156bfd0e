import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A type whose name ends in `Connection` is an object with edges and page info, and vice versa.
///
/// Source: GraphQL Cursor Connections Specification, section 2.
enum RelayConnectionTypes: SchemaLintRule {
  static let name = "relay-connection-types"
  static let summary =
    "A connection is an object with a list of `edges` and `pageInfo: PageInfo!`, and its name ends in Connection."
  static let example = "type BirdConnection { edges: [BirdEdge] }"

  static func check(_ context: inout LintContext) {
    for type in context.connections {
      guard let name = type.nameNode else { continue }
      guard type.kind == .object else {
        context.report("The connection \(type.name) should be an object.", type.coordinate, at: name)
        continue
      }
      if type.field(named: "edges").map({ !$0.type.isList }) ?? true {
        context.report("The connection \(type.name) should have a list of edges.", type.coordinate, at: name)
      }
      if type.field(named: "pageInfo").map({ "\($0.type)" != "PageInfo!" }) ?? true {
        context.report("The connection \(type.name) should have pageInfo: PageInfo!.", type.coordinate, at: name)
      }
    }
    for type in context.types where type.kind == .object && !type.name.hasSuffix("Connection") {
      guard type.field(named: "edges") != nil, type.field(named: "pageInfo") != nil, let name = type.nameNode else {
        continue
      }
      context.report(
        "The object \(type.name) has edges and a page info: its name should end with Connection.", type.coordinate,
        at: name)
    }
  }
}
