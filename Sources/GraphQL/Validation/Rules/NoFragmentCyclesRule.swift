import GraphQLLanguage

/// No fragment spreads itself, be it by way of others.
///
/// Specification: Fragment Spreads Must Not Form Cycles.
enum NoFragmentCyclesRule: ValidationRule {
  static var needsSchema: Bool { false }

  /// A fragment whose spreads are being looked through.
  private struct Visit {
    let name: UInt32
    let spreads: [NodeID]
    var next = 0
  }

  static func check(_ context: ValidationContext) {
    var visited = [Bool](repeating: false, count: context.names.count)
    /// The depth in the current path at which each name is, plus one.
    var depthOfName = [Int](repeating: 0, count: context.names.count)

    for start in context.fragments {
      let name = context.nameOf[context.bodyID(start)]
      guard name != ValidationContext.none, !visited[Int(name)] else { continue }
      // A search in depth with a stack of its own: chains of fragments may be longer than the system's.
      var path: [NodeID] = []
      var visits = [Visit(name: name, spreads: spreads(of: start, context))]
      visited[Int(name)] = true
      depthOfName[Int(name)] = 1
      while let visit = visits.last {
        guard visit.next < visit.spreads.count else {
          depthOfName[Int(visit.name)] = 0
          visits.removeLast()
          if !path.isEmpty { path.removeLast() }
          continue
        }
        visits[visits.count - 1].next += 1
        let spread = visit.spreads[visit.next]
        let target = context.nameOf[Int(spread) + 1]
        guard target != ValidationContext.none else { continue }
        let depth = depthOfName[Int(target)]
        if depth > 0 {
          report(Array(path[(depth - 1)...]) + [spread], context)
        } else if !visited[Int(target)], let fragment = context.fragment(of: spread) {
          visited[Int(target)] = true
          path.append(spread)
          visits.append(Visit(name: target, spreads: spreads(of: fragment, context)))
          depthOfName[Int(target)] = visits.count
        }
      }
    }
  }

  private static func report(_ cycle: [NodeID], _ context: ValidationContext) {
    guard let last = cycle.last else { return }
    let via = cycle.dropLast().map { "\"\(context.name($0 + 1))\"" }.joined(separator: ", ")
    context.report(
      "Cannot spread fragment \"\(context.name(last + 1))\" within itself\(via.isEmpty ? "" : " via \(via)").",
      nodes: cycle)
  }

  /// The spreads of a fragment, in the order the reference implementation finds them: set by set, the last opened
  /// first.
  private static func spreads(of fragment: NodeID, _ context: ValidationContext) -> [NodeID] {
    var found: [NodeID] = []
    var pending = context.child(fragment, .selectionSet).map { [$0] } ?? []
    while let set = pending.popLast() {
      for selection in context.document.children(of: set) {
        if context.kind(selection) == .fragmentSpread {
          found.append(selection)
        } else if let inner = context.child(selection, .selectionSet) {
          pending.append(inner)
        }
      }
    }
    return found
  }
}
