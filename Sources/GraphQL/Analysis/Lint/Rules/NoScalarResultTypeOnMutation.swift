import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A mutation returns an object, to which fields can be added later.
enum NoScalarResultTypeOnMutation: SchemaLintRule {
  static let name = "no-scalar-result-type-on-mutation"
  static let summary = "A mutation returns an object, so that the changes can be selected."
  static let severity = LintSeverity.off
  static let example = "type Mutation { removeBird(id: ID!): Boolean }"

  static func check(_ context: inout LintContext) {
    guard let mutation = context.schema.mutationType else { return }
    for field in mutation.fields where field.type.definition?.kind == .scalar {
      context.report(
        "The mutation \(field.coordinate) returns a scalar, so clients cannot select the changed data.",
        field.coordinate,
        at: field.node.name)
    }
  }
}
