import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The name of a field does not repeat the name of its type, as in `bird.birdName`.
enum NoTypenamePrefix: SchemaLintRule {
  static let name = "no-typename-prefix"
  static let summary = "A field's name does not begin with the name of its type."
  static let example = "type Bird { birdName: String }"

  static func check(_ context: inout LintContext) {
    for type in context.fieldOwners {
      for field in type.fields where field.name.lowercased().hasPrefix(type.name.lowercased()) {
        context.report(
          "The field \(field.coordinate) begins with the name of its type.", field.coordinate, at: field.node.name)
      }
    }
  }
}
