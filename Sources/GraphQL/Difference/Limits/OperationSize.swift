import ApusGraphQLLanguage
import ApusGraphQLSchema

/// How deep an operation goes, how many aliases it has and what it costs at most.
///
/// The cost of a field is the weight of what it returns and the cost of the selections in it, for each element of a list,
/// and the weights of its arguments, once. A weight is what `@cost(weight:)` says on the field or argument, else on its
/// type, else 1 for objects, interfaces, unions and input objects and 0 for the others. A list has as many elements as
/// `@listSize` says: by the greatest of its `slicingArguments`, else its `assumedSize`; with `sizedFields` it says so of
/// fields one level further down. What fragments on several types ask for is added up, and so is what is asked for twice:
/// it is an upper bound.
///
/// Source: IBM's GraphQL Cost Directives Specification, of which it follows the directives and the default weights, and
/// adds what it calls type cost and field cost up in one number, as Apollo's and other routers do. What a router adds for
/// a mutation is not in it, and `requireOneSlicingArgument` is not enforced.
package struct OperationSize: Sendable {
  /// Levels of fields. Those of introspection are not counted.
  package private(set) var depth = 0
  package private(set) var aliases = 0
  package private(set) var cost = 0.0

  init() {}

  fileprivate mutating func add(_ other: OperationSize) {
    depth = max(depth, other.depth)
    aliases = aliases.addingReportingOverflow(other.aliases).overflow ? .max : aliases + other.aliases
    cost += other.cost
  }

  /// A field around its selections.
  fileprivate mutating func wrap(isAliased: Bool, weight: Double, count: Double, arguments: Double) {
    depth += 1
    if isAliased, aliases < .max { aliases += 1 }
    cost = (weight + cost) * count + arguments
  }
}

/// Measures an operation:
/// 1. its selections are measured, and which fragments are needed for that is noted;
/// 2. those are measured first, each with the sizes that a list around it gives to its fields;
/// 3. then the selections are, with all that they need.
///
/// Fragments may lie in one another as deep as anybody likes, so they wait in a list and not on the stack.
///
/// It measures any number of operations, and measures the fields and fragments that they share once.
package struct SizeMeasure {
  private struct Visit: Hashable {
    let fragment: String
    let sizes: [String: Double]
  }

  /// The schema's words on a field.
  private struct FieldCost {
    let weight: Double
    let list: ListSize?
  }

  private let fragments: [String: FragmentDefinitionNode]
  private let schema: Schema?
  private let listSize: Double
  /// The numbers that variables of the operation have by default.
  private var variables: [String: Double] = [:]
  private var known: [Visit: OperationSize] = [:]
  private var costs: [UInt32: FieldCost] = [:]
  /// What was asked for and is not known yet.
  private var missing: Set<Visit> = []
  /// Selections that are still measured. Fragments are measured once, but for each list around them, and for operations whose
  /// variables have other numbers.
  private var steps: Int

  package init(
    fragments: [String: FragmentDefinitionNode], schema: Schema?, listSize: Double, steps: Int = 50_000_000
  ) {
    self.fragments = fragments
    self.schema = schema
    self.listSize = listSize
    self.steps = steps
  }

  /// Returns the size of an operation; nil when no steps are left to measure it.
  package mutating func size(of operation: OperationDefinitionNode) -> OperationSize? {
    var variables: [String: Double] = [:]
    for variable in operation.variableDefinitions {
      if let number = variable.defaultValue.flatMap({ Double($0.text) }) {
        variables[variable.variable.name.value] = number
      }
    }
    if variables != self.variables {
      self.variables = variables
      known = [:]
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
      guard let fragment = fragments[visit.fragment], known[visit] == nil else {
        // One that nobody defines adds nothing either.
        known[visit] = known[visit] ?? OperationSize()
        pending.removeLast()
        continue
      }
      begun.insert(visit)
      missing = []
      let type = schema?.type(named: fragment.typeCondition.name.value)
      let size = size(of: fragment.selectionSet, on: type, sizes: visit.sizes)
      // A fragment in itself adds nothing.
      let needed = missing.filter { !begun.contains($0) }
      if needed.isEmpty { known[visit] = size } else { pending += needed }
    }
    missing = []
  }

  private mutating func size(
    of set: SelectionSetNode, on type: TypeDefinition?, sizes: [String: Double]
  ) -> OperationSize {
    var total = OperationSize()
    for selection in set.selections where steps > 0 {
      steps -= 1
      switch selection {
      case .field(let field): total.add(size(of: field, on: type, sizes: sizes))
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.map { schema?.type(named: $0.name.value) } ?? type
        total.add(size(of: fragment.selectionSet, on: inner, sizes: sizes))
      case .fragmentSpread(let spread):
        let visit = Visit(fragment: spread.name.value, sizes: sizes)
        if let size = known[visit] { total.add(size) } else { missing.insert(visit) }
      }
    }
    return total
  }

  private mutating func size(
    of node: FieldNode, on type: TypeDefinition?, sizes: [String: Double]
  ) -> OperationSize {
    let name = node.name.value
    if name.hasPrefix("__") { return OperationSize() }
    let field = type?.field(named: name)
    let fieldCost = field.map { cost(of: $0) }
    let list = fieldCost?.list
    let ownSize = list.map { size in elements(of: node, field, size) }
    var inner: [String: Double] = [:]
    for sized in list?.sizedFields ?? [] { inner[sized] = ownSize }
    var size = OperationSize()
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
      // One that stands in an input object is written `paging.first`.
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

  /// A number that is written, or the one that a variable has by default.
  private func number(_ value: ValueNode?) -> Double? {
    guard let value else { return nil }
    return value.kind == .variable ? variables[value.variableName] : Double(value.text)
  }

  // MARK: Weights

  private mutating func cost(of field: FieldDefinition) -> FieldCost {
    if let known = costs[field.index] { return known }
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

  /// Of an argument or input field that is given.
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

/// What `@listSize` says of a field.
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
  /// What `@cost(weight:)` says: the specification has a text there, some servers a number.
  fileprivate var weight: Double? {
    first { $0.name.hasValue("cost") }?.argument(named: "weight").flatMap { Double($0.value.stringValue) }
  }
}
