import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Connection fields have paging arguments.
///
/// Source: GraphQL Cursor Connections Specification, section 4.
enum RelayArguments: SchemaLintRule {
  static let name = "relay-arguments"
  static let summary = "A field that is a connection takes `first` and `after`, or `last` and `before`."
  static let options: [LintOption] = [.flag("includeBoth", false)]
  static let example = "type Query { birds: BirdConnection } type BirdConnection { edges: [BirdEdge] }"

  static func check(_ context: inout LintContext) {
    let names = Set(context.connections.map(\.name))
    for type in context.fieldOwners {
      for field in type.fields where names.contains(field.type.name) && !field.type.isList {
        let forward = takes(field, "first", "after")
        let backward = takes(field, "last", "before")
        let isRight = context.isOn("includeBoth") ? forward && backward : forward || backward
        guard !isRight else { continue }
        context.report(
          "The connection \(field.coordinate) should take first: Int and after, "
            + "\(context.isOn("includeBoth") ? "and" : "or") last: Int and before.", field.coordinate,
          at: field.node.name)
      }
    }
  }

  private static func takes(_ field: FieldDefinition, _ count: String, _ cursor: String) -> Bool {
    guard let number = field.argument(named: count), let place = field.argument(named: cursor) else { return false }
    return "\(number.type.nullable)" == "Int" && place.type.definition?.kind == .scalar && !place.type.isList
  }
}
