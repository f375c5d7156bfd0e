import ClientOperation
import JSON

/// Runs a response's data through its operation: every value is checked against the type that the schema promises.
///
/// Nothing is copied. What is wrong is noted with its path, and, as the specification's section 6.4.4 has it for
/// errors, makes the nearest nullable place around it null.
package struct ResultExecutor {
  private let plan: SelectionPlan
  private var notes: [Note] = []

  /// An error on its way up; components are added behind as the path becomes known.
  private struct Note {
    let problem: ResultError.Problem
    var reversedPath: [PathComponent] = []
    /// How many of the components lie beneath the place that becomes null; nil as long as that is not found.
    var beneath: Int?
  }

  package struct Result: Sendable {
    /// The data with nulls where something was wrong.
    package let data: JSONValue
    /// Everything that was wrong, in the order of the response.
    package let errors: [ResultError]
  }

  private init(plan: SelectionPlan) {
    self.plan = plan
  }

  /// Checks data and lets what is wrong bubble.
  package static func execute(_ data: JSONValue, plan: SelectionPlan) -> Result {
    var executor = ResultExecutor(plan: plan)
    if !data.isNull { executor.checkObject(data, node: plan.root) }
    guard !executor.notes.isEmpty else { return Result(data: data, errors: []) }
    var result = data
    for note in executor.notes {
      let path = Array(note.reversedPath.reversed())
      // What never met a nullable place reaches the root.
      let target = note.beneath.map { ResponsePath(Array(path.dropLast($0))) } ?? .root
      // A place inside what another error has made null already is gone: there is nothing to do.
      result = (try? result.replacing(at: target, with: .null)) ?? result
    }
    return Result(data: result, errors: executor.errors)
  }

  /// Checks data and only tells what is wrong.
  package static func check(_ data: JSONValue, plan: SelectionPlan) -> [ResultError] {
    var executor = ResultExecutor(plan: plan)
    if !data.isNull { executor.checkObject(data, node: plan.root) }
    return executor.errors
  }

  private var errors: [ResultError] {
    notes.map { ResultError(problem: $0.problem, path: ResponsePath(Array($0.reversedPath.reversed()))) }
  }

  // MARK: - Checking

  private mutating func checkObject(_ object: JSONValue, node: PlanNode) {
    if node.possibleTypes != nil, let key = node.typenameKey { checkTypename(object, key: key, node: node) }
    checkObject(object, fields: node.fields(of: object))
  }

  private mutating func checkObject(_ object: JSONValue, fields: PlanFields) {
    var seen: UInt64 = 0
    var count = 0
    fields.forEachIndex(of: object) { index, value in
      if index < 64 { seen |= 1 << UInt64(index) }
      count += 1
      let leaf = fields.leafShapes[index]
      if leaf.isLeaf {
        let kind = value.kind
        let isRight = kind == .null ? leaf.nonNull == 0 : ResultExecutor.matches(value, kind: kind, leaf: leaf.leaf)
        if isRight { return }
      }
      let field = fields.fields[index]
      let before = notes.count
      check(value, field: field, shape: field.shape, level: 0)
      if notes.count > before { add(.key(field.responseKey), from: before) }
    }
    guard count < fields.fields.count || fields.fields.count > 64 else { return }
    for (index, field) in fields.fields.enumerated() {
      // What a deferred fragment brings, and what only a fragment of unknown type has, may be missing.
      guard field.usages.isEmpty, field.isCertain else { continue }
      guard index < 64 ? seen >> UInt64(index) & 1 == 0 : object[field.responseKey] == nil else { continue }
      note(.missing, isNullable: !field.shape.isNonNull(level: 0))
      add(.key(field.responseKey), from: notes.count - 1)
    }
  }

  private mutating func check(_ value: JSONValue, field: PlanField, shape: TypeShape, level: Int) {
    let isNullable = !shape.isNonNull(level: level)
    let before = notes.count
    let kind = value.kind
    switch kind {
    case .null:
      if !isNullable { note(.nullForNonNull(type: description(of: field, level: level)), isNullable: false) }
      return
    case .array:
      if shape.isKnown ? level < Int(shape.listDepth) : true {
        checkElements(value, field: field, shape: shape, level: level)
      } else if shape.leaf != .any || level < Int(shape.listDepth) {
        wrong(kind, field: field, level: level, isNullable: isNullable)
      }
    case .object:
      if let child = field.child, level >= Int(shape.listDepth) {
        checkObject(value, node: child)
      } else if level < Int(shape.listDepth) || (shape.isKnown && shape.leaf != .any) {
        wrong(kind, field: field, level: level, isNullable: isNullable)
      }
    default:
      if level < Int(shape.listDepth) || !ResultExecutor.matches(value, kind: kind, leaf: shape.leaf) {
        wrong(kind, field: field, level: level, isNullable: isNullable)
      }
    }
    if isNullable, notes.count > before { stop(from: before) }
  }

  private mutating func checkElements(_ list: JSONValue, field: PlanField, shape: TypeShape, level: Int) {
    let inner = shape.isKnown ? level + 1 : level
    // Objects of a list that all have the same fields need to ask for them once.
    let isPlain = inner >= Int(shape.listDepth)
    let child = isPlain ? field.child : nil
    let shared = child.flatMap { $0.dependsOnType || $0.possibleTypes != nil ? nil : $0.fields(for: nil) }
    var index = 0
    for element in list.elements {
      let before = notes.count
      if let shared, element.kind == .object {
        checkObject(element, fields: shared)
        if notes.count > before, !shape.isNonNull(level: inner) { stop(from: before) }
      } else {
        check(element, field: field, shape: shape, level: inner)
      }
      if notes.count > before { add(.index(index), from: before) }
      index += 1
    }
  }

  private mutating func checkTypename(_ object: JSONValue, key: String, node: PlanNode) {
    guard let possible = node.possibleTypes, let name = object[key]?.string, !possible.contains(name) else { return }
    note(
      .unexpectedTypename(name, expected: node.concreteType ?? possible.sorted().joined(separator: ", ")),
      isNullable: false)
  }

  private static func matches(_ value: JSONValue, kind: JSONValue.Kind, leaf: TypeShape.Leaf) -> Bool {
    switch leaf {
    case .any: true
    case .string, .enumeration: kind == .string
    case .boolean: kind == .bool
    case .id: kind == .string || kind == .number
    case .float: kind == .number
    case .int: kind == .number && isWhole(value)
    case .object: false
    }
  }

  /// Digits alone, but for a sign; or another spelling of a whole number.
  private static func isWhole(_ value: JSONValue) -> Bool {
    let isDigits = value.withNumberBytes { bytes in
      bytes.allSatisfy { ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-") }
    }
    if isDigits == true { return true }
    guard let double = value.double else { return false }
    return double.rounded() == double
  }

  // MARK: - Notes

  private mutating func wrong(_ kind: JSONValue.Kind, field: PlanField, level: Int, isNullable: Bool) {
    let found =
      switch kind {
      case .null: "null"
      case .bool: "a boolean"
      case .number: "a number"
      case .string: "a string"
      case .array: "a list"
      case .object: "an object"
      }
    note(.wrongType(expected: description(of: field, level: level), found: found), isNullable: isNullable)
  }

  private mutating func note(_ problem: ResultError.Problem, isNullable: Bool) {
    notes.append(Note(problem: problem, beneath: isNullable ? 0 : nil))
  }

  /// The place at hand is nullable: what is on its way up stops here.
  private mutating func stop(from first: Int) {
    for index in first..<notes.count where notes[index].beneath == nil {
      notes[index].beneath = notes[index].reversedPath.count
    }
  }

  private mutating func add(_ component: PathComponent, from first: Int) {
    for index in first..<notes.count { notes[index].reversedPath.append(component) }
  }

  private func description(of field: PlanField, level: Int) -> String {
    var type = field.type
    for _ in 0..<level {
      if case .list(let inner)? = type?.nullable { type = inner }
    }
    return type?.description ?? "unknown"
  }
}
