import ApusGraphQLLanguage
import ApusGraphQLSchema

/// `@defer` and `@stream` must not be used on root fields of mutations and subscriptions. Invalid:
/// `mutation { ... @defer { addBird { id } } }`.
///
/// Specification: Defer And Stream Directives Are Used On Valid Root Field.
enum DeferStreamDirectiveOnRootFieldRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let type = operation.operation
      guard type != .query, let root = context.schema?.rootType(type) else { continue }
      check(operation, "root \(type.rawValue) type \"\(root.name)\"", context)
    }
  }

  /// Checks the selections at the root, including those of fragments.
  private static func check(_ operation: OperationDefinitionNode, _ root: String, _ context: ValidationContext) {
    var seen: Set<NodeID> = []
    var pending = [operation.selectionSet]
    while let set = pending.popLast() {
      for selection in set.selections {
        switch selection {
        case .field(let field):
          report("stream", "Stream", field, root, context)
        case .fragmentSpread(let spread):
          guard let fragment = context.fragment(of: spread), seen.insert(fragment.id).inserted else { continue }
          report("defer", "Defer", spread, root, context)
          pending.append(fragment.selectionSet)
        case .inlineFragment(let fragment):
          report("defer", "Defer", fragment, root, context)
          pending.append(fragment.selectionSet)
        }
      }
    }
  }

  /// Reports a directive at the root. Other rules report other invalid locations.
  private static func report(
    _ name: String, _ title: String, _ selection: some SyntaxView, _ root: String, _ context: ValidationContext
  ) {
    if let directive = selection.directive(named: name) {
      context.report("\(title) directive cannot be used on \(root).", directive)
    }
  }
}
