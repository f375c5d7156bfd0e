import ApusGraphQLLanguage

/// A union must contain only object types, each once.
///
/// Specification: Unions, Type Validation.
enum UnionMemberTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for union in context.ownTypes where context.kind(ofType: union) == .union {
      let title = context.typeName(union)
      let nodes = context.parts(of: union).flatMap { context.children($0, .namedType) }
      var places: [UInt32: [NodeID]] = [:]
      for node in nodes {
        if let type = context.type(node) { places[type, default: []].append(node) }
      }
      var seen: Set<UInt32> = []
      for node in nodes where !context.isStopped {
        guard let type = context.type(node) else { continue }
        if context.kind(ofType: type) != .object {
          context.report(
            "Union type \(title) can only include Object types, it cannot include \(context.typeName(type)).",
            nodes: places[type] ?? [])
        } else if !seen.insert(type).inserted {
          context.report(
            "Union type \(title) can only include type \(context.typeName(type)) once.", nodes: places[type] ?? [])
        }
      }
    }
  }
}
