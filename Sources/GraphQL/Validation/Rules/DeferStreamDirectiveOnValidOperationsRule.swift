import ApusGraphQLLanguage

/// Subscriptions must not use `@defer` and `@stream` unless they can be disabled by `if`.
///
/// Specification: Defer And Stream Directives Are Used On Valid Operations.
enum DeferStreamDirectiveOnValidOperationsRule: ValidationRule {
  static var needsSchema: Bool { false }

  /// A list of selections that is being visited, and the fragment spread that leads to it.
  private struct Level {
    let selections: [NodeID]
    let spread: NodeID?
    var next = 0
  }

  static func check(_ context: ValidationContext) {
    for operation in context.operations where context.flags(operation).contains(.isSubscription) {
      check(operation, context)
    }
  }

  /// Searches depth first with an explicit stack, because chains of fragments may be longer than the call stack.
  private static func check(_ operation: NodeID, _ context: ValidationContext) {
    var seen: Set<NodeID> = []
    var levels = [level(operation, nil, context)]
    while let level = levels.last {
      guard level.next < level.selections.count else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      let selection = level.selections[level.next]
      if canBeLeftOut(selection, context) { continue }
      for (name, title) in [("defer", "Defer"), ("stream", "Stream")] {
        guard let directive = context.directive(name, on: selection), !canBeOff(directive, context) else { continue }
        let spreads = levels.reversed().compactMap(\.spread)
        guard context.spend(levels.count) else { return }
        context.report(
          "\(title) directive not supported on subscription operations. Disable `@\(name)` by setting the `if` argument to `false`.",
          nodes: [directive] + spreads)
      }
      if context.kind(selection) != .fragmentSpread {
        levels.append(self.level(selection, nil, context))
      } else if let fragment = context.fragment(of: selection), seen.insert(fragment).inserted {
        levels.append(self.level(fragment, selection, context))
      }
    }
  }

  private static func level(_ owner: NodeID, _ spread: NodeID?, _ context: ValidationContext) -> Level {
    let set = context.selectionSet(of: owner)
    return Level(selections: set.map { Array(context.document.children(of: $0)) } ?? [], spread: spread)
  }

  /// Whether `@skip` or `@include` can exclude the selection.
  private static func canBeLeftOut(_ selection: NodeID, _ context: ValidationContext) -> Bool {
    func condition(_ name: String) -> ValueNode? {
      context.directive(name, on: selection).flatMap {
        DirectiveNode(context.document, $0).argument(named: "if")?.value
      }
    }
    if context.directive("skip", on: selection) != nil {
      guard let value = condition("skip"), value.kind == .boolean, !value.boolValue else { return true }
    }
    guard let value = condition("include") else { return false }
    return value.kind != .boolean || !value.boolValue
  }

  private static func canBeOff(_ id: NodeID, _ context: ValidationContext) -> Bool {
    guard let condition = DirectiveNode(context.document, id).argument(named: "if")?.value else { return false }
    switch condition.kind {
    case .boolean: return !condition.boolValue
    case .variable: return true
    default: return false
    }
  }
}
