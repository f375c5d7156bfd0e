import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The depth, the number of aliases and the maximum cost of an operation.
///
/// A field costs the weight of its type plus the cost of its selections, multiplied by the list length, plus the
/// weights of its arguments. If lists have ten items and nothing has `@cost`, `{ birds { name nest { eggs } } }` costs
/// 10 · (1 + (0 + 1)) = 20. A weight is the `@cost(weight:)` on the field or argument, or on its type, or else 1 for
/// composite types and 0 for leaf types. The length of a list is the greatest of its `slicingArguments` in `@listSize`,
/// or else its `assumedSize`; with `sizedFields` it applies to fields one level below. The costs of all fragments are
/// added, even if an object can match only one of them, and so are repeated fields: the cost is an upper bound.
///
/// Source: IBM's GraphQL Cost Directives Specification. Its directives and default weights are used, and its type cost
/// and field cost are added, as routers such as Apollo's do. A router's extra cost for mutations is not included, and
/// `requireOneSlicingArgument` is not enforced.
package struct OperationMetrics: Sendable {
  /// The number of nested fields, not counting introspection.
  package private(set) var depth = 0
  package private(set) var aliases = 0
  package private(set) var cost = 0.0

  init() {}

  fileprivate mutating func add(_ other: OperationMetrics) {
    depth = max(depth, other.depth)
    aliases = aliases.addingReportingOverflow(other.aliases).overflow ? .max : aliases + other.aliases
    cost += other.cost
  }

  /// Adds a field around the selections.
  fileprivate mutating func wrap(isAliased: Bool, weight: Double, count: Double, arguments: Double) {
    depth += 1
    if isAliased, aliases < .max { aliases += 1 }
    cost = (weight + cost) * count + arguments
  }
}

/// Measures operations:
/// 1. The selections are measured, and the required fragments are recorded.
/// 2. Those fragments are measured, each with the list sizes that its enclosing field determines.
/// 3. The selections are measured again with the results.
///
/// Fragments can nest without a limit, so the pending ones are kept in a list instead of on the call stack.
///
/// It can measure any number of operations, and measures shared fields and fragments once.
package struct SizeMeasure {
  private struct Visit: Hashable {
    let fragment: String
    let sizes: [String: Double]
  }

  /// The cost directives of a field.
  private struct FieldCost {
    let weight: Double
    let list: ListSize?
  }

  private let fragments: [String: FragmentDefinitionNode]
  private let schema: Schema?
  private let listSize: Double
  /// Default values of the operation's variables that are numbers.
  private var variables: [String: Double] = [:]
  private var fragmentMetrics: [Visit: OperationMetrics] = [:]
  private var costs: [UInt32: FieldCost] = [:]
  /// Fragments that were required but are not measured yet.
  private var missing: Set<Visit> = []
  /// The remaining number of selections to measure. A fragment is measured once per list size, and again for operations
  /// with other variable values.
  private var steps: Int

  package init(
    fragments: [String: FragmentDefinitionNode], schema: Schema?, listSize: Double, steps: Int = 50_000_000
  ) {
    self.fragments = fragments
    self.schema = schema
    self.listSize = listSize
    self.steps = steps
  }

  /// Returns the size of an operation; nil if it takes too many steps.
  package mutating func size(of operation: OperationDefinitionNode) -> OperationMetrics? {
    var variables: [String: Double] = [:]
    for variable in operation.variableDefinitions {
      if let number = variable.defaultValue.flatMap({ Double($0.text) }) {
        variables[variable.variable.name.value] = number
      }
    }
    if variables != self.variables {
      self.variables = variables
      fragmentMetrics = [:]
    }
    let root = schema?.rootType(operation.operation)
    _ = size(of: operation.selectionSet, on: root, sizes: [:])
    measureMissing()
    let size = size(of: operation.selectionSet, on: root, sizes: [:])
    return steps > 0 ? size : nil
  }

  private mutating func measureMissing() {
    var pending = Array(missing)
    var begun: Set<Visit> = []
    while steps > 0, let visit = pending.last {
      guard let fragment = fragments[visit.fragment], fragmentMetrics[visit] == nil else {
        // An undefined fragment adds nothing.
        fragmentMetrics[visit] = fragmentMetrics[visit] ?? OperationMetrics()
        pending.removeLast()
        continue
      }
      begun.insert(visit)
      missing = []
      let type = schema?.type(named: fragment.typeCondition.name.value)
      let size = size(of: fragment.selectionSet, on: type, sizes: visit.sizes)
      // A fragment cycle adds nothing.
      let needed = missing.filter { !begun.contains($0) }
      if needed.isEmpty { fragmentMetrics[visit] = size } else { pending += needed }
    }
    missing = []
  }

  private mutating func size(
    of set: SelectionSetNode, on type: TypeDefinition?, sizes: [String: Double]
  ) -> OperationMetrics {
    var total = OperationMetrics()
    for selection in set.selections where steps > 0 {
      steps -= 1
      switch selection {
      case .field(let field): total.add(size(of: field, on: type, sizes: sizes))
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.map { schema?.type(named: $0.name.value) } ?? type
        total.add(size(of: fragment.selectionSet, on: inner, sizes: sizes))
      case .fragmentSpread(let spread):
        let visit = Visit(fragment: spread.name.value, sizes: sizes)
        if let size = fragmentMetrics[visit] { total.add(size) } else { missing.insert(visit) }
      }
    }
    return total
  }

  private mutating func size(
    of node: FieldNode, on type: TypeDefinition?, sizes: [String: Double]
  ) -> OperationMetrics {
    let name = node.name.value
    if name.hasPrefix("__") { return OperationMetrics() }
    let field = type?.field(named: name)
    let fieldCost = field.map { cost(of: $0) }
    let list = fieldCost?.list
    let ownSize = list.map { size in elements(of: node, field, size) }
    var inner: [String: Double] = [:]
    for sized in list?.sizedFields ?? [] { inner[sized] = ownSize }
    var size = OperationMetrics()
    if let set = node.selectionSet {
      size = self.size(of: set, on: field?.type.definition, sizes: inner)
    }
    var count = 1.0
    if let field, field.type.isList {
      count = sizes[name] ?? (list?.sizedFields.isEmpty == true ? ownSize : nil) ?? listSize
    }
    size.wrap(
      isAliased: node.alias != nil, weight: fieldCost?.weight ?? (node.selectionSet == nil ? 0 : 1), count: count,
      arguments: field.map { cost(ofArguments: node, $0) } ?? 0)
    return size
  }

  // MARK: Lists

  private func elements(of node: FieldNode, _ field: FieldDefinition?, _ size: ListSize) -> Double {
    let given = size.slicingArguments.compactMap { path -> Double? in
      // A path into an input object has the form `paging.first`.
      let names = path.split(separator: ".").map(String.init)
      guard let name = names.first else { return nil }
      let argument = node.argument(named: name)?.value ?? field?.argument(named: name)?.defaultValue
      return number(
        names.dropFirst().reduce(argument) { value, name in
          value?.fields.first { $0.name.hasValue(name) }?.value
        })
    }
    return max(0, given.max() ?? size.assumedSize ?? listSize)
  }

  /// Returns the value of a number literal, or the default value of a variable.
  private func number(_ value: ValueNode?) -> Double? {
    guard let value else { return nil }
    return value.kind == .variable ? variables[value.variableName] : Double(value.text)
  }

  // MARK: Weights

  private mutating func cost(of field: FieldDefinition) -> FieldCost {
    if let cost = costs[field.index] { return cost }
    let weight = field.node.directives.weight ?? field.type.definition.map(weight) ?? 0
    let cost = FieldCost(weight: weight, list: ListSize(field))
    costs[field.index] = cost
    return cost
  }

  private func weight(_ type: TypeDefinition) -> Double {
    type.nodes.flatMap(\.directives).weight ?? (type.isLeaf ? 0 : 1)
  }

  private func cost(ofArguments node: FieldNode, _ field: FieldDefinition) -> Double {
    node.arguments.reduce(0) { sum, argument in
      guard let definition = field.argument(named: argument.name.value) else { return sum }
      return sum + cost(of: argument.value, definition)
    }
  }

  /// Returns the cost of a given argument or input field.
  private func cost(of value: ValueNode, _ definition: InputValueDefinition) -> Double {
    let type = definition.type.definition
    let weight = definition.node.directives.weight ?? type.map(weight) ?? 0
    let objects = value.kind == .list ? value.elements : [value]
    return objects.reduce(weight) { sum, object in
      object.fields.reduce(sum) { sum, member in
        guard let field = type?.inputField(named: member.name.value) else { return sum }
        return sum + cost(of: member.value, field)
      }
    }
  }
}

/// The `@listSize` of a field.
private struct ListSize {
  let assumedSize: Double?
  let slicingArguments: [String]
  let sizedFields: [String]

  init?(_ field: FieldDefinition) {
    guard let directive = field.node.directives.first(where: { $0.name.hasValue("listSize") }) else { return nil }
    func texts(_ name: String) -> [String] {
      guard let value = directive.argument(named: name)?.value else { return [] }
      return value.kind == .string ? [value.stringValue] : value.elements.map(\.stringValue)
    }
    assumedSize = directive.argument(named: "assumedSize").flatMap { Double($0.value.text) }
    slicingArguments = texts("slicingArguments")
    sizedFields = texts("sizedFields")
  }
}

extension [DirectiveNode] {
  /// The `@cost(weight:)`: a string in the specification, a number in some servers.
  fileprivate var weight: Double? {
    first { $0.name.hasValue("cost") }?.argument(named: "weight").flatMap { Double($0.value.stringValue) }
  }
}
