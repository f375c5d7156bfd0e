import ApusGraphQLLanguage
import ApusGraphQLSchema

/// If a root operation type does not have its default name, no other type has it. Invalid: `schema { query: Root }`
/// with a type `Query`.
///
/// Source: Apollo Federation, error codes `ROOT_QUERY_USED`, `ROOT_MUTATION_USED` and `ROOT_SUBSCRIPTION_USED`.
enum FederationRootTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, schema.federation != nil else { return }
    for root in context.schemaDefinitions.flatMap(\.rootOperations) {
      let name = root.operation.rawValue.prefix(1).uppercased() + root.operation.rawValue.dropFirst()
      guard !root.type.name.hasValue(name), let other = context.typeDefinitions.first(where: { $0.name.hasValue(name) })
      else { continue }
      context.report(
        "The \(root.operation.rawValue) root type is \"\(root.type.name.value)\", so no other type can be named \"\(name)\" in a subgraph.",
        other.name, root.type)
    }
  }
}
