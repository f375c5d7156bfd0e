import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Comparisons of two fields with the same response key, without their selection sets.
struct OverlapFields {
  /// A field of a selection set.
  struct Entry {
    let field: NodeID
    /// The scope of the variables in its arguments and selections.
    let scope: ArgumentValues.Scope
    /// The index of the parent type, or -1.
    let parent: Int32
    /// The index of the definition, or -1.
    let definition: Int32
    /// The ID of the name of a field without alias, arguments, directives and selections; otherwise `none`.
    let simpleName: UInt32

    /// Whether the two fields are certainly equal.
    func isSame(as other: Entry) -> Bool {
      simpleName == other.simpleName && definition == other.definition && simpleName != ValidationContext.none
    }
  }

  /// A selection set, with the scope of the variables in it.
  struct Selections: Hashable, Comparable {
    let set: NodeID
    let scope: ArgumentValues.Scope

    static func < (left: Self, right: Self) -> Bool { (left.set, left.scope) < (right.set, right.scope) }
  }

  private let context: ValidationContext
  let values: ArgumentValues
  /// The fields with `@stream`.
  private let streamed: Set<NodeID>

  init(_ context: ValidationContext) {
    self.context = context
    values = ArgumentValues(context)
    let stream = context.names.find("stream")
    streamed = Set(
      zip(context.directives, context.directiveOwners).lazy.filter { context.nameOf[Int($0.0) + 1] == stream }.map {
        $0.1.node
      })
  }

  func entry(_ field: NodeID, _ parent: Int32, _ scope: ArgumentValues.Scope) -> Entry {
    let name = context.fieldName(field)
    return Entry(
      field: field, scope: scope, parent: parent, definition: definition(field),
      simpleName: context.next(field) == name + 1 ? context.nameOf[Int(name)] : ValidationContext.none)
  }

  /// Returns the definition's index, or -1 for meta fields, which are the same on every type.
  private func definition(_ field: NodeID) -> Int32 {
    let meaning = context.definitionIndex[Int(field)]
    guard meaning >= 0 else { return -1 }
    let storage = context.storage
    let isMeta =
      Int(meaning) == storage.typenameField || Int(meaning) == storage.schemaField
      || Int(meaning) == storage.typeField
    return isMeta ? -1 : meaning
  }

  /// Whether no object can have both parent types.
  func areExclusive(_ left: Entry, _ right: Entry) -> Bool {
    left.parent != right.parent && isObject(left.parent) && isObject(right.parent)
  }

  func isObject(_ type: Int32) -> Bool {
    type >= 0 && context.storage.types[Int(type)].kind == .object
  }

  /// Returns why the fields have different meanings on the same object; `nil` if they do not.
  func differenceInMeaning(_ left: Entry, _ right: Entry) -> OverlapConflict.Reason? {
    if context.nameOf[Int(context.fieldName(left.field))] != context.nameOf[Int(context.fieldName(right.field))] {
      return .differentFields(left.field, right.field)
    }
    return haveSameArguments(left, right) ? nil : .differingArguments
  }

  /// Returns why the fields' results conflict in the response, whatever their parent types; `nil` if they do not.
  func differenceInShape(_ left: Entry, _ right: Entry) -> OverlapConflict.Reason? {
    if streamed.contains(left.field) || streamed.contains(right.field) { return .streams }
    guard left.definition >= 0, right.definition >= 0, left.definition != right.definition else { return nil }
    let one = context.storage.fields[Int(left.definition)].type
    let other = context.storage.fields[Int(right.definition)].type
    return doConflict(one, other) ? .types(one, other) : nil
  }

  /// Whether no value can have both types.
  private func doConflict(_ left: PackedType, _ right: PackedType) -> Bool {
    var left = left
    var right = right
    while true {
      // Compare `!` before lists, because wrappers are unwrapped from the outside in.
      if left.isNonNull != right.isNonNull { return true }
      switch (left.nullable.element, right.nullable.element) {
      case (let one?, let other?):
        left = one
        right = other
      case (nil, nil):
        guard let one = context.type(of: left), let other = context.type(of: right) else { return false }
        return (!context.isComposite(one) || !context.isComposite(other)) && one != other
      default: return true
      }
    }
  }

  // MARK: Arguments

  private func haveSameArguments(_ left: Entry, _ right: Entry) -> Bool {
    let count = context.arguments(of: left.field).count
    guard count == context.arguments(of: right.field).count else { return false }
    return count == 0
      || values.arguments(of: left.field, in: left.scope) == values.arguments(of: right.field, in: right.scope)
  }

  /// Returns the selections of a field.
  func selections(of entry: Entry) -> Selections? {
    context.selectionSet(of: entry.field).map { Selections(set: $0, scope: entry.scope) }
  }

  /// Returns the size of a field's name and arguments in bytes, which is the cost of a comparison.
  func size(_ field: NodeID) -> Int {
    let start = context.nodes[Int(field)].start
    return Int(context.nodes[Int(context.arguments(of: field).last ?? context.fieldName(field))].end - start)
  }
}
