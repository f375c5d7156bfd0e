import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A subscription must have exactly one root field, which is unconditional and not an introspection field. Invalid:
/// `subscription { birdAdded { id } birdRemoved { id } }`.
///
/// Specification: Single Root Field.
enum SingleFieldSubscriptionsRule: ValidationRule {
  /// The root fields by response key, in order, and the directives that make them conditional.
  private struct RootFields {
    var keys: [NameID] = []
    var fields: [NameID: [FieldNode]] = [:]
    var conditions: [DirectiveNode] = []
  }

  static func check(_ context: ValidationContext) {
    guard let root = context.schema?.subscriptionType else { return }
    for operation in context.operations where operation.operation == .subscription {
      let title = operation.name.map { "Subscription \"\($0.value)\"" } ?? "Anonymous Subscription"
      var collected = RootFields()
      collect(operation.selectionSet, root, context, into: &collected)
      if !collected.conditions.isEmpty {
        context.report(
          "\(title) must not use `@skip` or `@include` directives in the top level selection.",
          nodes: collected.conditions)
        continue
      }
      if collected.keys.isEmpty {
        context.report("\(title) must select one top level field.", operation.selectionSet)
      } else if collected.keys.count > 1 {
        context.report(
          "\(title) must select only one top level field.",
          nodes: collected.keys.dropFirst().flatMap { collected.fields[$0] ?? [] })
      }
      for key in collected.keys {
        guard let fields = collected.fields[key], let first = fields.first,
          first.name.isReserved
        else { continue }
        context.report("\(title) must not select an introspection top level field.", nodes: fields)
      }
    }
  }

  private static func collect(
    _ start: SelectionSetNode, _ root: TypeDefinition, _ context: ValidationContext, into collected: inout RootFields
  ) {
    var seen = Set<NodeID>()
    // The selections to visit; the next one is the last.
    var pending = start.selections.reversed() as [SelectionNode]
    while let selection = pending.popLast() {
      collected.conditions += selection.directives.filter { $0.name.hasValue("skip") || $0.name.hasValue("include") }
      switch selection {
      case .field(let field):
        let key = context.nameID(of: field.responseName)
        if collected.fields[key] == nil { collected.keys.append(key) }
        collected.fields[key, default: []].append(field)
      case .fragmentSpread(let spread):
        guard let fragment = context.fragment(of: spread), seen.insert(fragment.id).inserted,
          let type = context.fragmentType(of: fragment), applies(type, root)
        else { continue }
        pending += fragment.selectionSet.selections.reversed()
      case .inlineFragment(let fragment):
        if let condition = fragment.typeCondition {
          guard let type = context.type(named: condition), applies(type, root) else { continue }
        }
        pending += fragment.selectionSet.selections.reversed()
      }
    }
  }

  private static func applies(_ type: TypeDefinition, _ root: TypeDefinition) -> Bool {
    type == root || type.isComposite && type.schema.isPossibleType(root, of: type)
  }
}
