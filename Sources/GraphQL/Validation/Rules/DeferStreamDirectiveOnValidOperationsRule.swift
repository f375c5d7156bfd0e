import ApusGraphQLLanguage

/// Subscriptions must not use `@defer` and `@stream` unless they can be disabled by `if`. Invalid:
/// `subscription { birdAdded { ... @defer { name } } }`.
///
/// Specification: Defer And Stream Directives Are Used On Valid Operations.
enum DeferStreamDirectiveOnValidOperationsRule: ValidationRule {
  static var needsSchema: Bool { false }

  /// A list of selections that is being visited, and the fragment spread that leads to it.
  private struct Level {
    let selections: [SelectionNode]
    let spread: FragmentSpreadNode?
    var next = 0
  }

  static func check(_ context: ValidationContext) {
    for operation in context.operations where operation.operation == .subscription {
      check(operation, context)
    }
  }

  /// Searches depth first with an explicit stack, because chains of fragments may be longer than the call stack.
  private static func check(_ operation: OperationDefinitionNode, _ context: ValidationContext) {
    var seen: Set<NodeID> = []
    var levels = [Level(selections: operation.selectionSet.selections, spread: nil)]
    while let level = levels.last {
      guard level.next < level.selections.count else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      let selection = level.selections[level.next]
      if canBeLeftOut(selection) { continue }
      for (name, title) in [("defer", "Defer"), ("stream", "Stream")] {
        guard let directive = selection.directive(named: name), !canBeOff(directive) else { continue }
        let spreads = levels.reversed().compactMap(\.spread)
        guard context.spend(levels.count) else { return }
        context.report(
          "\(title) directive not supported on subscription operations. Disable `@\(name)` by setting the `if` argument to `false`.",
          nodes: [directive] + spreads,
          note: operation.name.map { "It is part of the subscription \"\($0.value)\"." } ?? "")
      }
      switch selection {
      case .field(let field):
        levels.append(Level(selections: field.selectionSet?.selections ?? [], spread: nil))
      case .inlineFragment(let fragment):
        levels.append(Level(selections: fragment.selectionSet.selections, spread: nil))
      case .fragmentSpread(let spread):
        guard let fragment = context.fragment(of: spread), seen.insert(fragment.id).inserted else { continue }
        levels.append(Level(selections: fragment.selectionSet.selections, spread: spread))
      }
    }
  }

  /// Whether `@skip` or `@include` can exclude the selection.
  private static func canBeLeftOut(_ selection: SelectionNode) -> Bool {
    if let skip = selection.directive(named: "skip") {
      guard let value = skip.argument(named: "if")?.value, value.kind == .boolean, !value.boolValue else { return true }
    }
    guard let value = selection.directive(named: "include")?.argument(named: "if")?.value else { return false }
    return value.kind != .boolean || !value.boolValue
  }

  private static func canBeOff(_ directive: DirectiveNode) -> Bool {
    guard let condition = directive.argument(named: "if")?.value else { return false }
    switch condition.kind {
    case .boolean: return !condition.boolValue
    case .variable: return true
    case .int, .float, .string, .null, .enum, .list, .object: return false
    }
  }
}
