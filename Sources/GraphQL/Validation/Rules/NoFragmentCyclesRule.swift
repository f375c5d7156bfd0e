import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Fragments must not spread themselves, directly or indirectly.
///
/// Specification: Fragment Spreads Must Not Form Cycles.
enum NoFragmentCyclesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var search = CycleSearch(nodeCount: context.names.count) { name in
      guard context.fragmentOfName[name] != 0 else { return [] }
      let fragment = context.fragments[Int(context.fragmentOfName[name]) - 1]
      return spreads(of: fragment, context).map {
        CycleSearch.Edge(target: Int(context.nameID(of: $0)), label: $0)
      }
    }
    for fragment in context.fragments {
      let name = context.nameOf[context.bodyID(fragment)]
      guard name != ValidationContext.none else { continue }
      search.search(from: Int(name)) { name, cycle in
        let via = cycle.dropLast().map { "\"\(context.name($0.label + 1))\"" }.joined(separator: ", ")
        context.report(
          "Cannot spread fragment \"\(context.names[NameID(name)])\" within itself\(via.isEmpty ? "" : " via \(via)").",
          nodes: cycle.map(\.label))
        return !context.isStopped
      }
    }
  }

  /// Returns the spreads of a fragment in the order of the reference implementation: set by set, the last nested set first.
  private static func spreads(of fragment: NodeID, _ context: ValidationContext) -> [NodeID] {
    var found: [NodeID] = []
    var pending = context.selectionSet(of: fragment).map { [$0] } ?? []
    while let set = pending.popLast() {
      for selection in context.document.children(of: set) {
        if context.kind(selection) == .fragmentSpread {
          if context.fragment(of: selection) != nil { found.append(selection) }
        } else if let inner = context.selectionSet(of: selection) {
          pending.append(inner)
        }
      }
    }
    return found
  }
}
