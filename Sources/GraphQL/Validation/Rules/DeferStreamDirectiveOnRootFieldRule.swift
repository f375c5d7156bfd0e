import ApusGraphQLLanguage
import ApusGraphQLSchema

/// `@defer` and `@stream` must not be used on root fields of mutations and subscriptions.
///
/// Specification: Defer And Stream Directives Are Used On Valid Root Field.
enum DeferStreamDirectiveOnRootFieldRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let type = OperationDefinitionNode(context.document, operation).operation
      guard type != .query, let root = context.schema?.rootType(type) else { continue }
      check(operation, "root \(type.rawValue) type \"\(root.name)\"", context)
    }
  }

  /// Checks the selections at the root, including those of fragments.
  private static func check(_ operation: NodeID, _ root: String, _ context: ValidationContext) {
    var seen: Set<NodeID> = []
    var pending = context.selectionSet(of: operation).map { [$0] } ?? []
    while let set = pending.popLast() {
      for selection in context.document.children(of: set) {
        switch context.kind(selection) {
        case .field:
          report("stream", "Stream", selection, root, context)
        case .fragmentSpread:
          guard let fragment = context.fragment(of: selection), seen.insert(fragment).inserted else { continue }
          report("defer", "Defer", selection, root, context)
          if let inner = context.selectionSet(of: fragment) { pending.append(inner) }
        default:
          report("defer", "Defer", selection, root, context)
          if let inner = context.selectionSet(of: selection) { pending.append(inner) }
        }
      }
    }
  }

  /// Reports a directive at the root. Other rules report other invalid locations.
  private static func report(
    _ name: String, _ title: String, _ selection: NodeID, _ root: String, _ context: ValidationContext
  ) {
    if let directive = context.directive(name, on: selection) {
      context.report("\(title) directive cannot be used on \(root).", directive)
    }
  }
}
