import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Fragments must not spread themselves, directly or indirectly. Invalid: `fragment Card on Bird { mate { ...Card } }`.
///
/// Specification: Fragment Spreads Must Not Form Cycles.
enum NoFragmentCyclesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var search = CycleSearch<FragmentSpreadNode>(nodeCount: context.names.count) { name in
      guard let fragment = context.fragment(named: NameID(name)) else { return [] }
      return spreads(of: fragment, context).map {
        CycleSearch.Edge(target: Int(context.nameID(of: $0.name)), label: $0)
      }
    }
    for fragment in context.fragments {
      let name = context.nameID(of: fragment.name)
      guard name != ValidationContext.none else { continue }
      search.search(from: Int(name)) { name, cycle in
        let via = cycle.dropLast().map { "\"\($0.label.name.value)\"" }.joined(separator: ", ")
        context.report(
          "Cannot spread fragment \"\(context.names[NameID(name)])\" within itself\(via.isEmpty ? "" : " via \(via)").",
          nodes: cycle.map(\.label))
        return !context.isStopped
      }
    }
  }

  /// Returns the spreads of a fragment in the order of the reference implementation: set by set, the last nested set first.
  private static func spreads(of fragment: FragmentDefinitionNode, _ context: ValidationContext) -> [FragmentSpreadNode]
  {
    var found: [FragmentSpreadNode] = []
    var pending = [fragment.selectionSet]
    while let set = pending.popLast() {
      for selection in set.selections {
        switch selection {
        case .field(let field):
          if let inner = field.selectionSet { pending.append(inner) }
        case .fragmentSpread(let spread):
          if context.fragment(of: spread) != nil { found.append(spread) }
        case .inlineFragment(let fragment): pending.append(fragment.selectionSet)
        }
      }
    }
    return found
  }
}
