import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every input object must have a finite value.
///
/// Specification: Circular References (InputObjectHasUnbreakableCycle).
enum FiniteInputObjectsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let types = context.ownTypes.filter { context.kind(ofType: $0) == .inputObject }
    let needs = types.reduce(into: [UInt32: [CycleSearch.Edge]]()) { $0[$1] = needed(by: $1, context) }
    let finite = finiteTypes(types, needs, context)
    var search = CycleSearch(nodeCount: context.typeCount) { type in
      (needs[UInt32(type)] ?? []).filter { !finite.contains(UInt32($0.target)) }
    }
    let places = Dictionary(uniqueKeysWithValues: context.inputValueDefinitions.map { ($0.node, $0) })
    for type in types where !finite.contains(type) {
      search.search(from: Int(type)) { start, cycle in
        let fields = cycle.compactMap { places[$0.label]?.coordinate(context) }
        context.report(
          "Input Object \(context.typeName(UInt32(start))) cannot be provided a finite value because it references itself through fields: \(fields.joined(separator: ", ")).",
          nodes: cycle.map(\.label))
        return !context.isStopped
      }
    }
  }

  /// Returns an edge for each field whose value must contain another input object; for a `@oneOf` type, for each
  /// alternative.
  private static func needed(by type: UInt32, _ context: ValidationContext) -> [CycleSearch.Edge] {
    let isOneOf = context.isOneOf(type)
    return context.inputFields(of: type).compactMap { index in
      let field = context.inputValue(at: index)
      guard !field.type.isList, field.type.isNonNull != isOneOf, let target = context.type(of: field.type),
        context.kind(ofType: target) == .inputObject
      else { return nil }
      return CycleSearch.Edge(target: Int(target), label: field.place.node)
    }
  }

  /// Returns the types with finite values: those that need no other type, then those that need only these, and so on.
  private static func finiteTypes(
    _ types: [UInt32], _ needs: [UInt32: [CycleSearch.Edge]], _ context: ValidationContext
  ) -> Set<UInt32> {
    var dependents: [UInt32: [UInt32]] = [:]
    var open: [UInt32: Int] = [:]
    var finite: Set<UInt32> = []
    var pending: [UInt32] = []
    for type in types {
      let isOneOf = context.isOneOf(type)
      let edges = needs[type] ?? []
      for edge in edges { dependents[UInt32(edge.target), default: []].append(type) }
      open[type] = isOneOf ? 1 : edges.count
      let isFree = edges.isEmpty || isOneOf && edges.count < context.inputFields(of: type).count
      if isFree, finite.insert(type).inserted { pending.append(type) }
    }
    while let type = pending.popLast() {
      for dependent in dependents[type] ?? [] where !finite.contains(dependent) {
        open[dependent, default: 0] -= 1
        if open[dependent] == 0, finite.insert(dependent).inserted { pending.append(dependent) }
      }
    }
    return finite
  }
}
