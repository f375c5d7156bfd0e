import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every type should be reachable from a root operation type or from a directive's arguments.
///
/// A lint: the specification does not require it.
enum UnusedTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let reached = context.schema?.reachableTypes else { return }
    for type in context.ownTypes where !reached[Int(type.index)] && context.hasDefinition(type) {
      context.report(
        "The type \"\(type.name)\" is never used.", nodes: Array(context.parts(of: type).prefix(1)))
    }
  }
}
