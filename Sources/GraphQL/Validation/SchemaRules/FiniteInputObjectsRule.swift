import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every input object must have a finite value. Invalid: `input A { b: B! } input B { a: A! }`.
///
/// Specification: Circular References (InputObjectHasUnbreakableCycle).
enum FiniteInputObjectsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let types = context.ownTypes.filter { $0.kind == .inputObject }
    let needs = types.reduce(into: [TypeDefinition: [CycleSearch<NodeID>.Edge]]()) { $0[$1] = needed(by: $1, context) }
    let finite = finiteTypes(types, needs)
    var search = CycleSearch<NodeID>(nodeCount: context.typeCount) { index in
      guard let schema = context.schema else { return [] }
      let type = TypeDefinition(schema: schema, index: UInt32(index))
      return (needs[type] ?? []).filter { !finite.contains(UInt32($0.target)) }
    }
    for type in types where !finite.contains(type.index) {
      search.search(from: Int(type.index)) { start, cycle in
        let fields = cycle.compactMap { edge in context.inputValueDefinitions.first { $0.node.id == edge.label } }
        context.report(
          "Input Object \(TypeDefinition(schema: type.schema, index: UInt32(start)).name) cannot be provided a finite value because it references itself through fields: \(fields.map(\.coordinate).joined(separator: ", ")).",
          nodes: cycle.map { AnyNode(context.document, $0.label) })
        return !context.isStopped
      }
    }
  }

  /// Returns an edge for each field whose value must contain another input object; for a `@oneOf` type, for each
  /// alternative. The label of an edge is the node of the field.
  private static func needed(by type: TypeDefinition, _ context: ValidationContext) -> [CycleSearch<NodeID>.Edge] {
    type.inputFields.compactMap { field in
      guard !field.type.isList, field.type.isNonNull != type.isOneOf,
        let target = context.type(of: field.type.packed), target.kind == .inputObject
      else { return nil }
      return CycleSearch.Edge(target: Int(target.index), label: field.node.id)
    }
  }

  /// Returns the types with finite values: those that need no other type, then those that need only these, and so on.
  private static func finiteTypes(
    _ types: [TypeDefinition], _ needs: [TypeDefinition: [CycleSearch<NodeID>.Edge]]
  ) -> Set<UInt32> {
    var dependents: [UInt32: [UInt32]] = [:]
    var open: [UInt32: Int] = [:]
    var finite: Set<UInt32> = []
    var pending: [UInt32] = []
    for type in types {
      let edges = needs[type] ?? []
      for edge in edges { dependents[UInt32(edge.target), default: []].append(type.index) }
      open[type.index] = type.isOneOf ? 1 : edges.count
      let isFree = edges.isEmpty || type.isOneOf && edges.count < type.inputFields.count
      if isFree, finite.insert(type.index).inserted { pending.append(type.index) }
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
