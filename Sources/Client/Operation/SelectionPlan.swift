import ApusJSON
import Synchronization

/// An operation with its variables applied: what is selected at each place, fragments resolved and fields merged.
///
/// The compiled form is a tree of fields and fragments; whoever walks data along it needs, for one object of one type,
/// the list of its fields. The plan makes that list once for each place and type, so that ten thousand objects of
/// a list cost one. Executor, normalizer, cache reader and merger walk along plans.
package final class SelectionPlan: Sendable {
  package let operation: CompiledOperation
  /// With the defaults of variables that were left out.
  package let variables: JSONValue
  package let root: PlanNode

  package init(operation: CompiledOperation, variables: JSONValue) {
    let root = operation.planRoot(variables)
    self.operation = operation
    self.variables = root.variables
    self.root = root.node
  }
}

/// What a plan is made of, apart from the operation, which may keep it.
final class PlanRoot: Sendable {
  /// With the defaults of variables that were left out.
  let variables: JSONValue
  let node: PlanNode

  init(_ operation: CompiledOperation, _ given: JSONValue) {
    variables = operation.effectiveVariables(given)
    node = PlanNode(
      sources: [PlanNode.Source(set: operation.selections, usage: nil, conditions: [])], depth: 0,
      concreteType: operation.rootIsAbstract ? nil : operation.rootTypeName, variables: variables)
  }
}

/// A place where a deferred fragment is opened: which fragment, how many objects deep, inside which other one.
package final class DeferUsage: Sendable {
  package let fragment: CompiledFragment
  /// The depth of the object that the fragment stands on; the root object has 0.
  package let depth: Int
  package let parent: DeferUsage?

  init(fragment: CompiledFragment, depth: Int, parent: DeferUsage?) {
    self.fragment = fragment
    self.depth = depth
    self.parent = parent
  }

  /// Whether both are the same deferral at the same depth; a plan may hold it more than once, for several types.
  package func isSame(as other: DeferUsage) -> Bool {
    fragment === other.fragment && depth == other.depth
  }
}

/// What is selected at one place of the response: the selections of every field that meets there, merged.
package final class PlanNode: Sendable {
  struct Source: Sendable {
    let set: CompiledSelectionSet
    let usage: DeferUsage?
    /// The type conditions around it of which nobody knows whether they hold.
    let conditions: [String]
  }

  /// How many objects stand above the object here.
  package let depth: Int
  /// The object's type where it can have only one.
  package let concreteType: String?
  /// Whether something is deferred or streamed here or beneath.
  package let hasIncremental: Bool
  /// Whether something here or beneath was added for the cache's sake.
  package let hasAdded: Bool
  /// The response key under which the object tells its type.
  package let typenameKey: String?

  /// The object types that can stand here; `nil` where no schema tells.
  package let possibleTypes: Set<String>?
  /// Whether the fields depend on the object's type; if not, `fields(for: nil)` holds for all.
  package let dependsOnType: Bool

  private let sources: [Source]
  private let variables: JSONValue
  /// The fields where they do not depend on the object's type: asked for once an object, and so without a lock.
  private let single = OnceReference<PlanFields>()
  private let byType = Mutex<[String: PlanFields]>([:])

  init(sources: [Source], depth: Int, concreteType: String?, variables: JSONValue) {
    self.sources = sources
    self.depth = depth
    self.concreteType = concreteType
    self.variables = variables
    dependsOnType = sources.contains { $0.set.hasFragments }
    possibleTypes = sources.first?.set.possibleTypes
    hasIncremental = sources.contains { $0.set.hasIncremental }
    hasAdded = sources.contains { $0.set.hasAdded }
    typenameKey = PlanNode.typenameKey(in: sources, variables: variables)
  }

  /// What some selections have on one object, apart from any operation and its variables.
  package convenience init(sets: [CompiledSelectionSet], concreteType: String?) {
    self.init(
      sources: sets.map { Source(set: $0, usage: nil, conditions: []) }, depth: 0, concreteType: concreteType,
      variables: .object([]))
  }

  /// The type that an object says it has, else the only one that it can have.
  package func typename(of object: JSONValue) -> String? {
    if let name = object[typenameKey ?? "__typename"]?.string { return name }
    return concreteType
  }

  /// Whether an object of a type can stand here. An abstract type may have got another object type since.
  package func isPossible(_ typename: String?) -> Bool {
    guard possibleTypes != nil, let concreteType, let typename else { return true }
    return typename == concreteType
  }

  /// The fields and fragments of an object, by the type that it says it has.
  package func fields(of object: JSONValue) -> PlanFields {
    fields(for: dependsOnType ? typename(of: object) : nil)
  }

  /// The fields and fragments of an object of this type; `nil` when its type is not known.
  package func fields(for typename: String?) -> PlanFields {
    guard dependsOnType, let typename else { return single.value { self.made(for: nil) } }
    if let known = byType.withLock({ $0[typename] }) { return known }
    let made = made(for: typename)
    return byType.withLock { byType in
      if let other = byType[typename] { return other }
      byType[typename] = made
      return made
    }
  }

  private func made(for typename: String?) -> PlanFields {
    PlanFields(
      sources: sources, typename: typename, fallbackTypename: concreteType, typenameKey: typenameKey, depth: depth,
      variables: variables)
  }

  private static func typenameKey(in sources: [Source], variables: JSONValue) -> String? {
    var visited: Set<ObjectIdentifier> = []
    for source in sources {
      if let key = typenameKey(in: source.set, variables: variables, visited: &visited) { return key }
    }
    return nil
  }

  private static func typenameKey(
    in set: CompiledSelectionSet, variables: JSONValue, visited: inout Set<ObjectIdentifier>
  ) -> String? {
    guard visited.insert(ObjectIdentifier(set)).inserted else { return nil }
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if field.name == "__typename", field.isIncluded(variables: variables) { return field.responseKey }
      case .fragment(let fragment):
        guard fragment.isIncluded(variables: variables) else { continue }
        if let key = typenameKey(in: fragment.selectionSet, variables: variables, visited: &visited) { return key }
      }
    }
    return nil
  }
}

/// The fields and the deferred fragments of an object of one type.
package final class PlanFields: Sendable {
  /// In the order in which a server answers them.
  package let fields: [PlanField]
  /// Every `@defer` on this object that is not left out by `@skip` or `@include`, in the order of the document.
  package let fragments: [PlanFragment]
  /// The generated models of the fragments that cover the object and are not deferred.
  package let models: Set<ObjectIdentifier>

  /// The field that tells the object's type.
  package let typenameIndex: Int?

  /// The fields again, for walks along a tape.
  package let table: FieldTable
  private let indexes: [String: Int]

  package subscript(responseKey: String) -> PlanField? { indexes[responseKey].map { fields[$0] } }

  init(
    sources: [PlanNode.Source], typename: String?, fallbackTypename: String?, typenameKey: String?, depth: Int,
    variables: JSONValue
  ) {
    var collector = FieldCollector(typename: typename ?? fallbackTypename, depth: depth, variables: variables)
    for source in sources { collector.collect(source) }
    fields = collector.entries.map { $0.field(depth: depth, variables: variables) }
    fragments = collector.fragments
    models = collector.models
    indexes = collector.indexes
    typenameIndex = typenameKey.flatMap { collector.indexes[$0] }
    table = FieldTable(fields)
  }
}

/// One field of an object: every selection with the same response key in one.
package final class PlanField: Sendable {
  package let responseKey: String
  /// One of the selections, which tells its type if any does; they all have the same name and arguments in a valid document.
  package let field: CompiledField
  /// The field's canonical key in a record, for the plan's variables.
  package let argumentsKey: String
  /// What is selected beneath; `nil` for a leaf.
  package let child: PlanNode?
  /// Whether only the client asked for it.
  package let isAdded: Bool
  /// The deferred fragments that bring it; empty when it comes with the object itself.
  package let usages: [DeferUsage]
  /// Whether it may come with the object itself: a fragment that is not deferred has it, and may cover the object.
  package let mayComeWithObject: Bool
  /// Whether the object has it; false when it is only in fragments of which nobody knows whether they cover the object.
  package var isCertain: Bool { conditions.isEmpty }
  /// Whether a response without it is wrong. A key field that the caller did not ask for may be left out.
  package var isRequired: Bool { isCertain && (!isAdded || field.name == "__typename") }
  /// The type conditions of such fragments, those around them first; empty when the object has the field.
  package let conditions: [[String]]
  /// In place of conditions where the fragments use one another in too many ways to follow them all.
  package static let tooManyWays = ["…"]
  /// The stream that brings the rest of the list.
  package let stream: CompiledStream?

  /// The type in the form for checking values.
  package let shape: TypeShape

  package var type: CompiledType? { field.type }

  init(
    field: CompiledField, argumentsKey: String, child: PlanNode?, isAdded: Bool, usages: [DeferUsage],
    mayComeWithObject: Bool, conditions: [[String]], stream: CompiledStream?
  ) {
    responseKey = field.responseKey
    self.field = field
    shape = field.type.map { TypeShape($0, isChecked: field.leafCheck != nil) } ?? .unknown
    self.argumentsKey = argumentsKey
    self.child = child
    self.isAdded = isAdded
    self.usages = usages
    self.mayComeWithObject = mayComeWithObject
    self.conditions = conditions
    self.stream = stream
  }
}

/// A fragment with `@defer` on an object of one type.
package struct PlanFragment: Sendable {
  package let fragment: CompiledFragment
  package let application: CompiledFragment.Application
  /// `nil` when `if: false` makes it an ordinary fragment.
  package let usage: DeferUsage?
  /// The deferred fragment that it stands in.
  package let parentUsage: DeferUsage?
  /// The type conditions of the fragments around it that may or may not cover the object.
  package let enclosingConditions: [String]
  /// The enclosing conditions, and its own where that may or may not cover the object.
  package let conditions: [String]
  /// What the fragment itself selects.
  package let node: PlanNode

  package var isDeferred: Bool { usage != nil }
}

/// Collects the fields of one object: CollectFields of the specification's section 6.3.2, with every deferral noted.
private struct FieldCollector {
  struct Entry {
    /// The first of the selections that tells its type; one that was added for the cache's sake may not.
    var first: CompiledField
    var sources: [PlanNode.Source] = []
    var usages: [DeferUsage] = []
    var comesWithObject = false
    var mayComeWithObject = false
    var isAdded: Bool
    /// As a field's; nil when the object has it.
    var conditions: [[String]]?
    var stream: CompiledStream?

    func field(depth: Int, variables: JSONValue) -> PlanField {
      var child: PlanNode?
      if !sources.isEmpty {
        child = PlanNode(
          sources: sources, depth: depth + 1, concreteType: first.type?.objectName, variables: variables)
      }
      return PlanField(
        field: first, argumentsKey: first.argumentsKey(variables: variables), child: child, isAdded: isAdded,
        usages: comesWithObject ? [] : usages, mayComeWithObject: comesWithObject || mayComeWithObject,
        conditions: conditions ?? [], stream: stream)
    }
  }

  let typename: String?
  let depth: Int
  let variables: JSONValue
  var entries: [Entry] = []
  var indexes: [String: Int] = [:]
  var fragments: [PlanFragment] = []
  var models: Set<ObjectIdentifier> = []
  /// The number of conditions that are on the objects above, and not on this one.
  private var inheritedCount = 0
  /// What was collected already: fragments that use one another twice would otherwise double the work at each step.
  private var visited: Set<Visit> = []

  private struct Visit: Hashable {
    let set: ObjectIdentifier
    let usage: ObjectIdentifier?
    let conditions: [String]
  }

  init(typename: String?, depth: Int, variables: JSONValue) {
    self.typename = typename
    self.depth = depth
    self.variables = variables
  }

  mutating func collect(_ source: PlanNode.Source) {
    inheritedCount = source.conditions.count
    collect(source.set, usage: source.usage, conditions: source.conditions)
  }

  private mutating func collect(_ set: CompiledSelectionSet, usage: DeferUsage?, conditions: [String]) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if field.isIncluded(variables: variables) { add(field, usage: usage, conditions) }
      case .fragment(let fragment):
        if fragment.isIncluded(variables: variables) { open(fragment, usage: usage, conditions) }
      }
    }
  }

  private mutating func add(_ field: CompiledField, usage: DeferUsage?, _ conditions: [String]) {
    let index: Int
    if let known = indexes[field.responseKey] {
      index = known
      if entries[index].first.type == nil, field.type != nil { entries[index].first = field }
    } else {
      index = entries.count
      indexes[field.responseKey] = index
      entries.append(Entry(first: field, isAdded: field.isAdded, conditions: []))
    }
    if let set = field.selectionSet {
      entries[index].sources.append(PlanNode.Source(set: set, usage: usage, conditions: conditions))
    }
    if let usage {
      if !entries[index].usages.contains(where: { $0 === usage }) { entries[index].usages.append(usage) }
    } else if conditions.isEmpty {
      entries[index].comesWithObject = true
    } else {
      entries[index].mayComeWithObject = true
    }
    if let stream = field.stream, stream.isActive(variables: variables) { entries[index].stream = stream }
    entries[index].isAdded = entries[index].isAdded && field.isAdded
    if conditions.isEmpty {
      entries[index].conditions = nil
    } else if entries[index].conditions?.contains(conditions) == false {
      entries[index].conditions?.append(conditions)
    }
  }

  private mutating func open(_ fragment: CompiledFragment, usage: DeferUsage?, _ conditions: [String]) {
    var application = fragment.application(to: typename)
    // Inside a fragment of which nobody knows whether it covers the object, nothing is sure.
    var inside = conditions
    if application == .mayCover, let condition = fragment.typeCondition,
      !inside.dropFirst(inheritedCount).contains(condition)
    {
      inside.append(condition)
    }
    // Fragments that use one another in many ways have as many ways to each field.
    if visited.count > 1000, !inside.isEmpty { inside = PlanField.tooManyWays }
    if application == .covers && !conditions.isEmpty { application = .mayCover }
    var inner = usage
    if fragment.deferral != nil {
      if fragment.isDeferred(variables: variables) {
        inner = DeferUsage(fragment: fragment, depth: depth, parent: usage)
      }
      let isKnown = fragments.contains {
        $0.fragment === fragment
          || ($0.fragment.selectionSet === fragment.selectionSet && $0.fragment.deferral == fragment.deferral
            && $0.parentUsage === usage)
      }
      if isKnown { return }
      let source = PlanNode.Source(set: fragment.selectionSet, usage: inner, conditions: [])
      let node = PlanNode(sources: [source], depth: depth, concreteType: typename, variables: variables)
      fragments.append(
        PlanFragment(
          fragment: fragment, application: application, usage: inner === usage ? nil : inner, parentUsage: usage,
          enclosingConditions: conditions, conditions: inside, node: node))
    }
    if application == .never { return }
    if let model = fragment.model, application == .covers, inner === usage { models.insert(model) }
    let visit = Visit(
      set: ObjectIdentifier(fragment.selectionSet), usage: inner.map { ObjectIdentifier($0) }, conditions: inside)
    guard visited.insert(visit).inserted else { return }
    collect(fragment.selectionSet, usage: inner, conditions: inside)
  }
}
