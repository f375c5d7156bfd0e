import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A union must contain only object types, each once. Invalid: `union Animal = Bird | Bird`.
///
/// Specification: Unions, Type Validation.
enum UnionMemberTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for union in context.ownTypes where union.kind == .union {
      let nodes = context.parts(of: union).flatMap(\.memberTypes)
      var nodesOfType: [TypeDefinition: [NamedTypeNode]] = [:]
      for node in nodes {
        if let type = context.type(named: node) { nodesOfType[type, default: []].append(node) }
      }
      var seen: Set<TypeDefinition> = []
      for node in nodes where !context.isStopped {
        guard let type = context.type(named: node) else { continue }
        if type.kind != .object {
          context.report(
            "Union type \(union.name) can only include Object types, it cannot include \(type.name).",
            nodes: nodesOfType[type] ?? [])
        } else if !seen.insert(type).inserted {
          context.report(
            "Union type \(union.name) can only include type \(type.name) once.", nodes: nodesOfType[type] ?? [])
        }
      }
    }
  }
}
