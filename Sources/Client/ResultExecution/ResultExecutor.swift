import ApusClientOperation
import ApusJSON

/// Checks a response's data against the types of its operation.
///
/// Data is not copied. Each error is recorded with its path, and its null propagates to the nearest nullable field
/// (GraphQL specification, section 6.4.4). In a deferred fragment it propagates no further than the fragment: the
/// fragment failed, and its object is unchanged.
package struct ResultExecutor {
  /// The errors found.
  private(set) var notes: [NullPropagation] = []
  /// Whether fields of deferred fragments are required.
  private var isOpen = false
  /// Whether an ID was a number.
  private(set) var hasNumberIDs = false

  package struct Result: Sendable {
    /// The data with nulls at errors.
    package let data: JSONValue
    /// The data with nulls at errors and IDs as strings, for models.
    package let coerced: JSONValue
    /// The errors in response order.
    package let errors: [ResultError]
    /// The deferred fragments that failed, with their errors.
    package let failures: [FragmentError]
    /// The errors whose values must not be cached, with the path of each value.
    package let contradictions: [ResultError]
  }

  private init() {}

  /// Checks data and propagates nulls. `fulfilled` are the deferred fragments that have arrived.
  package static func execute(
    _ data: JSONValue, plan: SelectionPlan, fulfilled: [(fragmentID: Int, path: ResponsePath)] = []
  ) -> Result {
    var result = IncrementalResultExecutor(plan: plan)
    return result.receive(data, changedPaths: [.root], fulfilled: fulfilled)
  }

  package static func check(_ data: JSONValue, plan: SelectionPlan) -> [ResultError] {
    run(data, plan: plan).notes.map(\.error)
  }

  /// Returns the errors whose values must not be cached: all except missing fields, and objects whose type may have
  /// been added to the schema later.
  package static func contradictions(in data: JSONValue, plan: SelectionPlan) -> [ResultError] {
    run(data, plan: plan).notes.filter(\.isContradiction).map(\.error)
  }

  /// Returns the error of a single leaf value; `nil` if it is valid.
  package static func problem(of value: JSONValue, field: PlanField) -> ResultError.Problem? {
    var executor = ResultExecutor()
    executor.check(value, field: field, shape: field.shape, level: 0)
    return executor.notes.first?.problem
  }

  static func run(_ data: JSONValue, plan: SelectionPlan) -> ResultExecutor {
    var executor = ResultExecutor()
    switch data.kind {
    case .null: break
    case .object: executor.checkObject(data, node: plan.root, context: [])
    default:
      let found = LeafCheck.name(of: data.kind)
      executor.record(.wrongType(expected: plan.root.concreteType ?? "an object", found: found), isNullable: false)
    }
    return executor
  }

  /// Checks the data at and below a path.
  static func run(_ data: JSONValue, at path: ResponsePath, plan: SelectionPlan) -> ResultExecutor {
    var executor = ResultExecutor()
    // An item of a stream has all its fields, whichever fragment selected the list.
    if case .index? = path.components.last { executor.isOpen = true }
    executor.follow(path.components[...], object: data, node: plan.root, context: [])
    return executor
  }

  /// Returns the errors of a deferred fragment that has arrived, including missing fields.
  static func notes(ofFragment id: Int, at path: ResponsePath, in data: JSONValue, plan: SelectionPlan)
    -> [NullPropagation]
  {
    guard let (node, object) = node(at: path, in: data, plan: plan) else { return [] }
    let typename = node.typename(of: object)
    guard let fragment = node.fields(for: typename).fragments.first(where: { $0.fragment.id == id }) else { return [] }
    var executor = ResultExecutor()
    executor.findMissing(in: fragment.node, value: object, typename: typename, usage: fragment.usage)
    for index in executor.notes.indices {
      let pathLength = executor.notes[index].reversedPath.count
      if executor.notes[index].stop == .none {
        executor.notes[index].stop = .fragments
        executor.notes[index].edges = [.init(fragmentID: id, depth: node.depth, pathLength: pathLength)]
      }
      executor.notes[index].reversedPath += path.components.reversed()
    }
    return executor.notes
  }

  private static func node(
    at path: ResponsePath, in data: JSONValue, plan: SelectionPlan
  ) -> (PlanNode, JSONValue)? {
    var node = plan.root
    var value = data
    for component in path.components {
      switch component {
      case .key(let key):
        guard let child = node.fields(of: value)[key]?.child, let member = value[key] else { return nil }
        node = child
        value = member
      case .index(let index):
        guard let element = value[index] else { return nil }
        value = element
      }
    }
    return value.kind == .object ? (node, value) : nil
  }

  // MARK: - Checking

  /// Checks an object. `context` contains the deferred fragments that delivered the object; empty if it came with its
  /// parent.
  private mutating func checkObject(_ object: JSONValue, node: PlanNode, context: [PlanDeferral]) {
    // Nearly every response is valid, and the check on the tape is much faster.
    if let (document, place) = object.position, TapeCheck(document, isOpen: isOpen).isRight(object: place, node: node) {
      return
    }
    if node.possibleTypes != nil, let key = node.typenameKey { checkTypename(object, key: key, node: node) }
    let fields = node.fields(of: object)
    var seen: UInt64 = 0
    fields.forEachField(of: object) { index, field, value in
      if index < 64 { seen |= 1 << UInt64(index) }
      let before = notes.count
      check(value, field: field, shape: field.shape, level: 0)
      if notes.count > before { leave(field, depth: node.depth, context: context, from: before) }
    }
    // A repeated member sets its bit only once, so this detects missing fields.
    guard seen.nonzeroBitCount < fields.fields.count else { return }
    for (index, field) in fields.fields.enumerated() {
      // Fields that only fragments of unknown type select may be missing, and so may fields of deferred fragments,
      // unless `isOpen`.
      guard field.isRequired(whereDelivered: { isOpen && isDelivered($0, by: context) }) else { continue }
      guard index < 64 ? seen >> UInt64(index) & 1 == 0 : object[field.responseKey] == nil else { continue }
      record(.missing, isNullable: !field.shape.isNonNull(level: 0))
      leave(field, depth: node.depth, context: context, from: notes.count - 1)
    }
  }

  private mutating func check(_ value: JSONValue, field: PlanField, shape: TypeShape, level: Int) {
    let isNullable = !shape.isNonNull(level: level)
    let before = notes.count
    let kind = value.kind
    var isValid = true
    switch ValueRule(for: kind, shape, level: level, hasSelections: field.child != nil) {
    case .valid: return
    case .wrong: isValid = false
    case .custom: isValid = field.field.leafCheck?(value) != false
    case .elements: checkElements(value, field: field, shape: shape, level: shape.levelOfElements(at: level))
    case .selections: if let child = field.child { checkObject(value, node: child, context: field.usages) }
    case .whole: isValid = LeafCheck.isWhole(value)
    case .finite: isValid = LeafCheck.isFinite(value)
    case .integer:
      isValid = LeafCheck.isInteger(value)
      if isValid { hasNumberIDs = true }
    }
    if !isValid { wrong(kind, field: field, level: level, isNullable: isNullable) }
    if isNullable, notes.count > before { stop(from: before) }
  }

  private mutating func checkElements(_ list: JSONValue, field: PlanField, shape: TypeShape, level: Int) {
    var index = 0
    for element in list.elements {
      let before = notes.count
      check(element, field: field, shape: shape, level: level)
      if notes.count > before { add(.index(index), from: before) }
      index += 1
    }
  }

  private mutating func checkTypename(_ object: JSONValue, key: String, node: PlanNode) {
    guard let possible = node.possibleTypes, let value = object[key],
      value.withStringBytes(node.lists(typename:)) == false, let name = value.string
    else { return }
    record(
      .unexpectedTypename(name, expected: node.concreteType ?? possible.sorted().joined(separator: ", ")),
      isNullable: false)
    // The type may have been added to an abstract type later, so the object is reported but kept.
    if node.concreteType == nil { notes[notes.count - 1].stop = .reported }
  }

  // MARK: - One path alone

  /// Follows a path, checks the value at its end, and propagates errors up as if everything had been checked.
  private mutating func follow(
    _ path: ArraySlice<PathComponent>, object: JSONValue, node: PlanNode, context: [PlanDeferral]
  ) {
    guard let component = path.first else { return checkObject(object, node: node, context: context) }
    guard case .key(let key) = component, let field = node.fields(of: object)[key], let value = object[key] else {
      return
    }
    let before = notes.count
    follow(path.dropFirst(), value: value, field: field, level: 0)
    if notes.count > before { leave(field, depth: node.depth, context: context, from: before) }
  }

  private mutating func follow(
    _ path: ArraySlice<PathComponent>, value: JSONValue, field: PlanField, level: Int
  ) {
    guard let component = path.first else { return check(value, field: field, shape: field.shape, level: level) }
    let before = notes.count
    switch component {
    case .index(let index):
      guard let element = value[index] else { return }
      follow(path.dropFirst(), value: element, field: field, level: field.shape.isKnown ? level + 1 : level)
      if notes.count > before { add(.index(index), from: before) }
    case .key:
      guard let child = field.child, value.kind == .object else { return }
      follow(path, object: value, node: child, context: field.usages)
    }
    if notes.count > before, !field.shape.isNonNull(level: level) { stop(from: before) }
  }

  /// Finds the missing fields of a fragment's own selections.
  private mutating func findMissing(in node: PlanNode, value: JSONValue, typename: String?, usage: PlanDeferral?) {
    switch value.kind {
    case .array:
      var index = 0
      for element in value.elements {
        let before = notes.count
        findMissing(in: node, value: element, typename: nil, usage: usage)
        if notes.count > before { add(.index(index), from: before) }
        index += 1
      }
    case .object:
      for field in node.fields(for: typename ?? node.typename(of: value)).fields
      where field.isRequired && FragmentCoverage.isOwn(field, usage: usage) {
        let before = notes.count
        if let member = value[field.responseKey] {
          if let child = field.child { findMissing(in: child, value: member, typename: nil, usage: usage) }
        } else {
          record(.missing, isNullable: !field.shape.isNonNull(level: 0))
        }
        if notes.count > before { add(.key(field.responseKey), from: before) }
      }
    default: break
    }
  }

  // MARK: - Notes

  private mutating func wrong(_ kind: JSONValue.Kind, field: PlanField, level: Int, isNullable: Bool) {
    let type = field.typeDescription(level: level)
    record(
      kind == .null
        ? .nullForNonNull(type: type) : .wrongType(expected: type, found: LeafCheck.name(of: kind)),
      isNullable: isNullable)
  }

  private mutating func record(_ problem: ResultError.Problem, isNullable: Bool) {
    notes.append(NullPropagation(problem: problem, stop: isNullable ? .place(pathLength: 0) : .none))
  }

  /// Stops null propagation at the current value, which is nullable.
  private mutating func stop(from first: Int) {
    for index in first..<notes.count where notes[index].stop == .none {
      notes[index].stop = .place(pathLength: notes[index].reversedPath.count)
    }
  }

  /// Propagates errors out of a field. If the field is from a deferred fragment and its object is not, propagation
  /// stops at the fragment.
  private mutating func leave(_ field: PlanField, depth: Int, context: [PlanDeferral], from first: Int) {
    add(.key(field.responseKey), from: first)
    let isEdge = !field.usages.isEmpty && !isShared(field.usages, context)
    for index in first..<notes.count {
      if isEdge, notes[index].stop == .none {
        notes[index].stop = .fragments
        notes[index].edges = field.usages.map { .init(fragmentID: $0.fragment.id, depth: $0.depth, pathLength: nil) }
      }
      for edge in notes[index].edges.indices
      where notes[index].edges[edge].pathLength == nil && notes[index].edges[edge].depth == depth {
        notes[index].edges[edge].pathLength = notes[index].reversedPath.count
      }
    }
  }

  private func isShared(_ usages: [PlanDeferral], _ context: [PlanDeferral]) -> Bool {
    usages.contains { isDelivered($0, by: context) }
  }

  private func isDelivered(_ usage: PlanDeferral, by context: [PlanDeferral]) -> Bool {
    context.contains { $0.isSame(as: usage) }
  }

  private mutating func add(_ component: PathComponent, from first: Int) {
    for index in first..<notes.count { notes[index].reversedPath.append(component) }
  }
}

extension PlanField {
  /// Returns the type of the field's values, or of the items at a list depth.
  package func typeDescription(level: Int) -> String {
    var type = type
    for _ in 0..<level {
      if case .list(let inner)? = type?.nullable { type = inner }
    }
    return type?.description ?? "unknown"
  }
}
