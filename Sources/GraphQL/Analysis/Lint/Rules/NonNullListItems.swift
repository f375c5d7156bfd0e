import ApusGraphQLLanguage
import ApusGraphQLSchema

/// List items are non-null, so that clients need not check each of them.
enum NonNullListItems: SchemaLintRule {
  static let name = "non-null-list-items"
  static let summary = "List items are non-null: `[Bird!]`, not `[Bird]`. Connections are exempt."
  static let severity = LintSeverity.warning
  static let options: [LintOption] = [.flag("inputs", false)]
  static let example = "type Bird { mates: [Bird] }"

  static func check(_ context: inout LintContext) {
    func check(_ type: TypeReference, _ node: some SyntaxView, _ coordinate: SchemaCoordinate) {
      var list = type
      while let element = list.elementType {
        if !element.isNonNull {
          return context.report("Items of the list \(coordinate) may be null: \(type).", coordinate, at: node)
        }
        list = element
      }
    }
    for type in context.types where !type.name.hasSuffix("Connection") {
      for field in type.fields {
        check(field.type, field.node.name, field.coordinate)
        for argument in field.arguments where context.isOn("inputs") {
          check(argument.type, argument.node.name, .argument(argument.name, field: field.name, type: type.name))
        }
      }
      for field in type.inputFields where context.isOn("inputs") {
        check(field.type, field.node.name, .member(field.name, of: type.name))
      }
    }
  }
}
