import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// A `@defer` found while collecting fields, shared by all objects at its position.
final class DeferUsage {
  let label: String?
  let parent: DeferUsage?

  init(label: String?, parent: DeferUsage?) {
    self.label = label
    self.parent = parent
  }
}

/// A field node, with the deferral in which it was found.
struct FieldDetails {
  let node: FieldNode
  let deferUsage: DeferUsage?
  /// The coercion with the variables in scope: those of the operation, or of a fragment.
  let coercion: InputCoercion
}

/// The fields to execute on an object, by response key, in order: `{ name a: name name }` has the keys `name` and `a`.
struct CollectedFields {
  private(set) var groups: [(responseKey: String, details: [FieldDetails])] = []
  fileprivate(set) var newDeferUsages: [DeferUsage] = []
  private var places: [String: Int] = [:]

  fileprivate mutating func append(_ details: FieldDetails) {
    let key = details.node.responseKey
    if let place = places[key] {
      groups[place].details.append(details)
    } else {
      places[key] = groups.count
      groups.append((key, [details]))
    }
  }
}

/// CollectFields (section 6.3.2) with the deferrals of the incremental delivery draft.
struct FieldCollector {
  let schema: Schema
  let document: Document
  let coercion: InputCoercion
  /// Whether `@defer` is supported. Otherwise it is ignored.
  let allowsDefer: Bool

  func fields(of selectionSet: SelectionSetNode, on type: TypeDefinition) throws(ExecutionError) -> CollectedFields {
    var collected = CollectedFields()
    var visited = Set<String>()
    try collect(selectionSet, on: type, under: nil, coercion, into: &collected, visited: &visited)
    return collected
  }

  /// Collects the fields below several nodes of one field.
  func subfields(of details: [FieldDetails], on type: TypeDefinition) throws(ExecutionError) -> CollectedFields {
    var collected = CollectedFields()
    // A fragment collected with deferral must be collected again where it is spread without.
    var visited: [(usage: DeferUsage?, names: Set<String>)] = [(nil, [])]
    for detail in details {
      guard let selectionSet = detail.node.selectionSet else { continue }
      let index = visited.firstIndex { $0.usage === detail.deferUsage }
      var names = visited[index ?? 0].names
      try collect(
        selectionSet, on: type, under: detail.deferUsage, detail.coercion, into: &collected, visited: &names)
      if let index { visited[index].names = names } else { visited.append((detail.deferUsage, names)) }
    }
    return collected
  }

  private func collect(
    _ selectionSet: SelectionSetNode, on type: TypeDefinition, under deferUsage: DeferUsage?,
    _ coercion: InputCoercion, into collected: inout CollectedFields, visited: inout Set<String>
  ) throws(ExecutionError) {
    for selection in selectionSet.selections {
      guard try isIncluded(selection.directives, coercion) else { continue }
      switch selection {
      case .field(let node): collected.append(FieldDetails(node: node, deferUsage: deferUsage, coercion: coercion))
      case .inlineFragment(let fragment):
        if let condition = fragment.typeCondition, !applies(condition, to: type) { continue }
        let usage = try newUsage(fragment.directives, under: deferUsage, coercion)
        guard let usage else {
          try collect(
            fragment.selectionSet, on: type, under: deferUsage, coercion, into: &collected, visited: &visited)
          continue
        }
        collected.newDeferUsages.append(usage)
        var visitedInside = visited
        try collect(fragment.selectionSet, on: type, under: usage, coercion, into: &collected, visited: &visitedInside)
      case .fragmentSpread(let spread):
        let name = spread.name.value
        let usage = try newUsage(spread.directives, under: deferUsage, coercion)
        // A fragment collected without deferral has nothing left to defer.
        guard !visited.contains(name), let fragment = document.fragment(named: name),
          applies(fragment.typeCondition, to: type)
        else { continue }
        let scope = try scope(of: fragment, spread, in: coercion)
        guard let usage else {
          visited.insert(name)
          try collect(fragment.selectionSet, on: type, under: deferUsage, scope, into: &collected, visited: &visited)
          continue
        }
        collected.newDeferUsages.append(usage)
        // A fragment visited with deferral must be collected again where it is spread without.
        var visitedInside = visited
        visitedInside.insert(name)
        try collect(fragment.selectionSet, on: type, under: usage, scope, into: &collected, visited: &visitedInside)
      }
    }
  }

  /// Returns the variables in scope of a fragment: the operation's, and the fragment's own with the values from the
  /// spread or the defaults.
  private func scope(
    of fragment: FragmentDefinitionNode, _ spread: FragmentSpreadNode, in outer: InputCoercion
  ) throws(ExecutionError) -> InputCoercion {
    var inner = coercion
    for definition in fragment.variableDefinitions {
      let name = definition.variable.name.value
      let type = VariableType(node: definition.type, schema: schema)
      let given = spread.arguments.first { $0.name.hasValue(name) }?.value
      if let given, !outer.isWithoutValue(given) {
        inner.variables[name] = try outer.literal(given, as: type)
      } else if let value = definition.defaultValue {
        inner.variables[name] = try outer.literal(value, as: type)
      } else if type.isNonNull {
        throw ExecutionError(
          "Argument \"\(name)\" of required type \"\(type)\" was not provided to the fragment \"\(fragment.name.value)\".",
          at: [spread])
      } else {
        inner.variables[name] = nil
      }
    }
    return inner
  }

  private func applies(_ condition: NamedTypeNode, to type: TypeDefinition) -> Bool {
    let name = condition.name.value
    if name == type.name { return true }
    guard let definition = schema.type(named: name), definition.isAbstract else { return false }
    return schema.isPossibleType(type, of: definition)
  }

  private func isIncluded(_ directives: [DirectiveNode], _ coercion: InputCoercion) throws(ExecutionError) -> Bool {
    guard !directives.isEmpty else { return true }
    if let skip = directives.first(where: { $0.name.value == "skip" }), try flag("if", of: skip, coercion) {
      return false
    }
    if let include = directives.first(where: { $0.name.value == "include" }), try !flag("if", of: include, coercion) {
      return false
    }
    return true
  }

  private func newUsage(
    _ directives: [DirectiveNode], under parent: DeferUsage?, _ coercion: InputCoercion
  ) throws(ExecutionError) -> DeferUsage? {
    guard allowsDefer, let directive = directives.first(where: { $0.name.value == "defer" }),
      try flag("if", of: directive, otherwise: true, coercion)
    else { return nil }
    return DeferUsage(label: label(of: directive, coercion), parent: parent)
  }

  func flag(
    _ argument: String, of directive: DirectiveNode, otherwise: Bool? = nil, _ coercion: InputCoercion
  ) throws(ExecutionError) -> Bool {
    let node = directive.argument(named: argument)?.value
    if let flag = node.flatMap({ coercion.untyped($0).bool }) { return flag }
    // The default replaces an omitted value, but not null.
    if let otherwise, node.map(coercion.isWithoutValue) ?? true { return otherwise }
    throw ExecutionError(
      "Argument \"\(argument)\" of directive \"@\(directive.name.value)\" must be a Boolean.", at: [directive])
  }

  func label(of directive: DirectiveNode, _ coercion: InputCoercion) -> String? {
    directive.argument(named: "label").flatMap { coercion.untyped($0.value).string }
  }
}
