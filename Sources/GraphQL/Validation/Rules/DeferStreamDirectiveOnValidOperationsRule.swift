import GraphQLLanguage

/// Subscriptions defer and stream nothing, unless it can be switched off.
///
/// Specification: Defer And Stream Directives Are Used On Valid Operations.
enum DeferStreamDirectiveOnValidOperationsRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    let subscriptions = context.operations.filter { context.flags($0).contains(.isSubscription) }
    guard !subscriptions.isEmpty else { return }
    var definitions = Set(subscriptions)
    for subscription in subscriptions { definitions.formUnion(context.reachableFragments(from: subscription)) }
    for definition in definitions.sorted() {
      let directives = context.within(definition, context.directives)
      for (index, directive) in zip(directives.indices, directives) where !canBeOff(directive, context) {
        // Where they may stand at all is another rule's matter.
        switch context.directiveOwners[index].location {
        case .field, .fragmentSpread, .inlineFragment: break
        default: continue
        }
        switch context.name(directive + 1) {
        case "defer":
          context.report(
            "Defer directive not supported on subscription operations. Disable `@defer` by setting the `if` argument to `false`.",
            directive)
        case "stream":
          context.report(
            "Stream directive not supported on subscription operations. Disable `@stream` by setting the `if` argument to `false`.",
            directive)
        default: break
        }
      }
    }
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
