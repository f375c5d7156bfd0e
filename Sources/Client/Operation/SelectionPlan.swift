import ApusJSON
import Synchronization

/// An operation with its variables applied: the selections of each object with fragments resolved and fields merged.
///
/// The compiled form is a tree of fields and fragments. Walking data requires the list of fields for an object's type,
/// so the plan computes that list once per position and type, and ten thousand objects of a list share it. The
/// executor, normalizer, cache reader and merger all walk plans.
///
/// For `{ bird { id ... on Owl { prey } ... @defer { nest { eggs } } } }`, the node of `bird` gives an owl the fields
/// `id`, `prey` and `nest`, and any other bird `id` and `nest`; `nest` is used by the deferred fragment only.
package final class SelectionPlan: Sendable {
  package let operation: CompiledOperation
  /// Includes the defaults of omitted variables.
  package let variables: JSONValue
  package let root: PlanNode

  package init(operation: CompiledOperation, variables: JSONValue) {
    let root = operation.planRoot(variables)
    self.operation = operation
    self.variables = root.variables
    self.root = root.node
  }
}

/// The part of a plan that does not refer to the operation, so that the operation can cache it.
final class PlanRoot: Sendable {
  /// Includes the defaults of omitted variables.
  let variables: JSONValue
  let node: PlanNode

  init(_ operation: CompiledOperation, _ given: JSONValue) {
    variables = operation.effectiveVariables(given)
    node = PlanNode(
      sources: [PlanNode.Source(set: operation.selections, usage: nil, conditions: [])], depth: 0,
      concreteType: operation.rootIsAbstract ? nil : operation.rootTypeName, variables: variables)
  }
}

/// A use of a deferred fragment: the fragment, the depth of its object, and the enclosing deferral.
package final class PlanDeferral: Sendable {
  package let fragment: CompiledFragment
  /// Counts the objects above the fragment's object: 0 at the root, 1 in `bird { ... @defer { … } }`.
  package let depth: Int
  package let parent: PlanDeferral?

  init(fragment: CompiledFragment, depth: Int, parent: PlanDeferral?) {
    self.fragment = fragment
    self.depth = depth
    self.parent = parent
  }

  /// Whether both are the same deferral at the same depth. A plan may contain one deferral for several types.
  package func isSame(as other: PlanDeferral) -> Bool {
    fragment === other.fragment && depth == other.depth
  }
}

/// The selections at one position of the response, merged from all fields with the same response key.
package final class PlanNode: Sendable {
  struct Source: Sendable {
    let set: CompiledSelectionSet
    let usage: PlanDeferral?
    /// Enclosing type conditions that may or may not hold, because the object's type is unknown or not in the schema.
    let conditions: [String]
  }

  /// The number of objects above this one.
  package let depth: Int
  /// The object's type if it has only one possible type.
  package let concreteType: String?
  /// Whether there is a `@defer` or `@stream` at or below this object.
  package let hasIncremental: Bool
  /// Whether fields at or below this object were added for the cache.
  package let hasAdded: Bool
  /// `__typename`, or its alias: a document may select `kind: __typename`.
  package let typenameKey: String?

  /// Possible object types; `nil` without a schema.
  package let possibleTypes: Set<String>?
  /// Whether the fields depend on the object's type; if not, `fields(for: nil)` is valid for all types.
  package let dependsOnType: Bool

  private let sources: [Source]
  private let variables: JSONValue
  /// Used if the fields do not depend on the object's type. Read once per object, and therefore without a lock.
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

  /// Creates the plan of selections outside an operation, without variables.
  package convenience init(sets: [CompiledSelectionSet], concreteType: String?) {
    self.init(
      sources: sets.map { Source(set: $0, usage: nil, conditions: []) }, depth: 0, concreteType: concreteType,
      variables: .object([]))
  }

  /// Returns the type name of an object: its `__typename`, or else its only possible type.
  package func typename(of object: JSONValue) -> String? {
    if let name = object[typenameKey ?? "__typename"]?.string { return name }
    return concreteType
  }

  /// Whether an object type is possible here. Abstract types may have gained object types, so they accept any.
  package func isPossible(_ typename: String?) -> Bool {
    guard possibleTypes != nil, let concreteType, let typename else { return true }
    return typename == concreteType
  }

  /// Whether the schema lists an object type here, given by its bytes. Without a schema, it lists every type.
  package func lists(typename name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let possibleTypes else { return true }
    // Nearly always there is only one possible type. Comparing it does not create a string.
    if let concreteType {
      return concreteType.utf8.count == name.count && concreteType.utf8.elementsEqual(name)
    }
    return possibleTypes.contains(String(decoding: name, as: UTF8.self))
  }

  /// Returns the fields and fragments for an object, depending on its type.
  package func fields(of object: JSONValue) -> PlanFields {
    fields(for: dependsOnType ? typename(of: object) : nil)
  }

  /// Returns the fields and fragments for an object type; `nil` for an unknown type.
  package func fields(for typename: String?) -> PlanFields {
    guard dependsOnType, let typename else { return single.value { self.made(for: nil) } }
    if let fields = byType.withLock({ $0[typename] }) { return fields }
    // Made outside of the lock: two threads may do it at once, and the plan that is stored first is used.
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
    // An invalid document may spread a fragment in itself.
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

/// The fields and deferred fragments of an object with a given type.
package final class PlanFields: Sendable {
  /// Fields in response order.
  package let fields: [PlanField]
  /// Deferred fragments that are not excluded by `@skip` or `@include`, in document order.
  package let fragments: [PlanFragment]
  /// Generated models of the other fragments that cover the object.
  package let models: Set<ObjectIdentifier>

  package let typenameIndex: Int?

  /// Fields in the form for walking a tape.
  package let table: FieldTable
  private let indexes: [String: Int]

  package subscript(responseKey: String) -> PlanField? { indexes[responseKey].map { fields[$0] } }

  init(
    sources: [PlanNode.Source], typename: String?, fallbackTypename: String?, typenameKey: String?, depth: Int,
    variables: JSONValue
  ) {
    var collector = PlanFieldCollector(typename: typename ?? fallbackTypename, depth: depth, variables: variables)
    for source in sources { collector.collect(source) }
    fields = collector.entries.map { $0.field(depth: depth, variables: variables) }
    fragments = collector.fragments
    models = collector.models
    indexes = collector.indexes
    typenameIndex = typenameKey.flatMap { collector.indexes[$0] }
    table = FieldTable(fields, indexes: collector.indexes)
  }
}

/// A field of an object, merged from all selections with the same response key.
package final class PlanField: Sendable {
  package let responseKey: String
  /// One of the selections, with a type if any has one. In a valid document all have the same name and arguments.
  package let field: CompiledField
  /// Names the field in a record: `birds({"first":10})`.
  package let argumentsKey: String
  /// Selections of the field's object; `nil` for a leaf.
  package let child: PlanNode?
  /// Whether only the client added the field, as a key for the cache or `__typename`; results omit it.
  package let isAdded: Bool
  /// Deferred fragments that select the field; empty if it comes with the object itself.
  package let usages: [PlanDeferral]
  /// Whether the field may come with the object itself, because a fragment that is not deferred and may cover the
  /// object has it.
  package let mayComeWithObject: Bool
  /// Whether the object has the field; false if only fragments that may or may not cover the object have it.
  package var isCertain: Bool { conditions.isEmpty }
  /// Whether a response without the field is invalid. Key fields added by the client may be missing.
  package var isRequired: Bool { isCertain && (!isAdded || field.name == "__typename") }

  /// Whether an object must have the field after the deferred fragments for which the condition holds were delivered.
  package func isRequired(whereDelivered isDelivered: (PlanDeferral) -> Bool) -> Bool {
    isRequired && (usages.isEmpty || usages.contains(where: isDelivered))
  }

  /// Type conditions of each fragment with the field that may or may not cover the object, outermost first; empty
  /// if the object has the field.
  package let conditions: [[String]]
  /// Used instead of conditions if fragments spread each other in too many ways to list.
  package static let tooManyWays = ["…"]
  /// The stream that delivers further items.
  package let stream: CompiledStream?

  /// The type in the form for checking values.
  package let shape: TypeShape

  package var type: CompiledType? { field.type }

  init(
    field: CompiledField, argumentsKey: String, child: PlanNode?, isAdded: Bool, usages: [PlanDeferral],
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

/// A deferred fragment on an object with a given type.
package struct PlanFragment: Sendable {
  package let fragment: CompiledFragment
  package let application: CompiledFragment.Application
  /// `nil` if `if: false` makes it an ordinary fragment.
  package let usage: PlanDeferral?
  /// The enclosing deferred fragment.
  package let parentUsage: PlanDeferral?
  /// Type conditions of enclosing fragments that may or may not cover the object.
  package let enclosingConditions: [String]
  /// Enclosing conditions, and its own if it may or may not cover the object.
  package let conditions: [String]
  /// Selections of the fragment.
  package let node: PlanNode

  package var isDeferred: Bool { usage != nil }
}

/// Collects the fields of an object (CollectFields, GraphQL specification, section 6.3.2) and records deferrals.
private struct PlanFieldCollector {
  struct Entry {
    /// The first selection with a type. Fields added for the cache may have none.
    var first: CompiledField
    var sources: [PlanNode.Source] = []
    var usages: [PlanDeferral] = []
    var comesWithObject = false
    var mayComeWithObject = false
    var isAdded: Bool
    /// Type conditions for `PlanField.conditions`; nil if the object has the field.
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
  /// The number of conditions that concern the objects above this one.
  private var inheritedCount = 0
  /// Sets that were already collected. Otherwise, fragments that spread each other twice would double the work at
  /// each level.
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

  private mutating func collect(_ set: CompiledSelectionSet, usage: PlanDeferral?, conditions: [String]) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if field.isIncluded(variables: variables) { add(field, usage: usage, conditions) }
      case .fragment(let fragment):
        if fragment.isIncluded(variables: variables) { open(fragment, usage: usage, conditions) }
      }
    }
  }

  private mutating func add(_ field: CompiledField, usage: PlanDeferral?, _ conditions: [String]) {
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

  private mutating func open(_ fragment: CompiledFragment, usage: PlanDeferral?, _ conditions: [String]) {
    var application = fragment.application(to: typename)
    // Inside a fragment that may or may not cover the object, no field is certain.
    var inside = conditions
    if application == .mayCover, let condition = fragment.typeCondition,
      !inside.dropFirst(inheritedCount).contains(condition)
    {
      inside.append(condition)
    }
    // Fragments that spread each other in many ways would produce as many lists of conditions.
    if visited.count > 1000, !inside.isEmpty { inside = PlanField.tooManyWays }
    if application == .covers && !conditions.isEmpty { application = .mayCover }
    var inner = usage
    if fragment.deferral != nil {
      if fragment.isDeferred(variables: variables) {
        inner = PlanDeferral(fragment: fragment, depth: depth, parent: usage)
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
