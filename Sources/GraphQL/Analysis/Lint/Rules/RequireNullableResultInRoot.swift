import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Root fields are nullable, so that an error in one does not null the whole result.
enum RequireNullableResultInRoot: SchemaLintRule {
  static let name = "require-nullable-result-in-root"
  static let summary =
    "A field of the query or mutation root is nullable, so that one failure does not discard the others."
  static let severity = LintSeverity.off
  static let example = "type Query { bird: Bird! } type Bird { id: ID }"

  static func check(_ context: inout LintContext) {
    for root in [context.schema.queryType, context.schema.mutationType].compactMap({ $0 }) {
      for field in root.fields where field.type.isNonNull && !field.type.isList {
        context.report(
          "The root field \(field.coordinate) is non-null, so its failure discards the whole result.",
          field.coordinate, at: field.node.name)
      }
    }
  }
}
