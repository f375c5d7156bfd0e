import ApusGraphQLLanguage

/// A schema must have a query type. Its root operation types must be different object types.
///
/// Specification: Root Operation Types.
enum RootOperationTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let declared = context.schemaDefinitions.flatMap { context.children($0, .rootOperationTypeDefinition) }
    func node(_ operation: OperationType) -> NodeID? {
      declared.first { OperationType(context.flags($0)) == operation }.map { $0 + 1 }
    }
    var operations: [UInt32: [OperationType]] = [:]
    var roots: [UInt32] = []
    for operation in OperationType.allCases {
      guard let type = context.schema?.rootType(operation)?.index else {
        // An undefined root type is reported by another rule.
        if operation == .query, node(.query) == nil {
          context.report("Query root type must be provided.", nodes: Array(context.schemaDefinitions.prefix(1)))
        }
        continue
      }
      if context.kind(ofType: type) != .object {
        let title = operation.rawValue.prefix(1).uppercased() + operation.rawValue.dropFirst()
        context.report(
          "\(title) root type must be Object type\(operation == .query ? "" : " if provided"), it cannot be \(context.typeName(type)).",
          nodes: [node(operation) ?? context.parts(of: type).first].compactMap { $0 })
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
        "All root types must be different, \"\(context.typeName(type))\" type is used as \(list) root types.",
        nodes: shared.compactMap(node))
    }
  }
}
