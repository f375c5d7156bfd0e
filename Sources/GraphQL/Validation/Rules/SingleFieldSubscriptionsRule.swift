import ApusGraphQLLanguage

/// A subscription must have exactly one root field, which is unconditional and not an introspection field.
///
/// Specification: Single Root Field.
enum SingleFieldSubscriptionsRule: ValidationRule {
  /// The root fields by response key, in order, and the directives that make them conditional.
  private struct RootFields {
    var keys: [UInt32] = []
    var fields: [UInt32: [NodeID]] = [:]
    var conditions: [NodeID] = []
  }

  static func check(_ context: ValidationContext) {
    guard let root = context.subscriptionType else { return }
    for operation in context.operations where context.flags(operation).contains(.isSubscription) {
      guard let selections = context.selectionSet(of: operation) else { continue }
      let title =
        context.operationName(operation).map { "Subscription \"\(context.name($0))\"" } ?? "Anonymous Subscription"
      var collected = RootFields()
      collect(selections, root, context, into: &collected)
      if !collected.conditions.isEmpty {
        context.report(
          "\(title) must not use `@skip` or `@include` directives in the top level selection.",
          nodes: collected.conditions)
        continue
      }
      if collected.keys.isEmpty {
        context.report("\(title) must select one top level field.", selections)
      } else if collected.keys.count > 1 {
        context.report(
          "\(title) must select only one top level field.",
          nodes: collected.keys.dropFirst().flatMap { collected.fields[$0] ?? [] })
      }
      for key in collected.keys {
        guard let fields = collected.fields[key], let first = fields.first,
          context.name(context.fieldName(first)).hasPrefix("__")
        else { continue }
        context.report("\(title) must not select an introspection top level field.", nodes: fields)
      }
    }
  }

  private static func collect(
    _ start: NodeID, _ root: UInt32, _ context: ValidationContext, into collected: inout RootFields
  ) {
    var seen = Set<NodeID>()
    // The selections to visit; the next one is the last.
    var pending = Array(context.document.children(of: start)).reversed() as [NodeID]
    while let selection = pending.popLast() {
      for directive in context.document.children(of: selection) where context.kind(directive) == .directive {
        let name = context.name(directive + 1)
        if name == "skip" || name == "include" { collected.conditions.append(directive) }
      }
      switch context.kind(selection) {
      case .field:
        let key = context.nameID(of: selection)
        if collected.fields[key] == nil { collected.keys.append(key) }
        collected.fields[key, default: []].append(selection)
      case .fragmentSpread:
        guard let fragment = context.fragment(of: selection), seen.insert(fragment).inserted,
          let type = context.fragmentType(of: fragment), applies(type.index, root, context),
          let selections = context.selectionSet(of: fragment)
        else { continue }
        pending += Array(context.document.children(of: selections)).reversed()
      default:
        if let condition = context.child(selection, .namedType) {
          guard let type = context.type(condition), applies(type, root, context) else { continue }
        }
        guard let selections = context.selectionSet(of: selection) else { continue }
        pending += Array(context.document.children(of: selections)).reversed()
      }
    }
  }

  private static func applies(_ type: UInt32, _ root: UInt32, _ context: ValidationContext) -> Bool {
    type == root || context.isComposite(type) && context.schema?.isPossible(root, of: type) == true
  }
}
