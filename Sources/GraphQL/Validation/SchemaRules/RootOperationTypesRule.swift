import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A schema must have a query type. Its root operation types must be different object types. Invalid:
/// `schema { query: A mutation: A }`.
///
/// Specification: Root Operation Types.
enum RootOperationTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let declared = context.schemaDefinitions.flatMap(\.rootOperations)
    func node(_ operation: OperationType) -> NamedTypeNode? { declared.first { $0.operation == operation }?.type }
    var operations: [TypeDefinition: [OperationType]] = [:]
    var roots: [TypeDefinition] = []
    for operation in OperationType.allCases {
      guard let type = context.schema?.rootType(operation) else {
        // An undefined root type is reported by another rule.
        // Amplify generates the root types from the models.
        if operation == .query, node(.query) == nil, context.schema?.has(.appSync) != true {
          context.report("Query root type must be provided.", nodes: Array(context.schemaDefinitions.prefix(1)))
        }
        continue
      }
      if type.kind != .object {
        let title = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
        let nodes: [any SyntaxView] = node(operation).map { [$0] } ?? Array(context.parts(of: type).prefix(1))
        context.report(
          "\(title) root type must be Object type\(operation == .query ? "" : " if provided"), it cannot be \(type.name).",
          nodes: nodes)
      } else {
        if operations[type] == nil { roots.append(type) }
        operations[type, default: []].append(operation)
      }
    }
    for type in roots {
      guard let shared = operations[type], shared.count > 1 else { continue }
      let names = shared.map(\.rawValue)
      let list = names.count == 2 ? "\(names[0]) and \(names[1])" : "\(names[0]), \(names[1]), and \(names[2])"
      context.report(
        "All root types must be different, \"\(type.name)\" type is used as \(list) root types.",
        nodes: shared.compactMap(node))
    }
  }
}
