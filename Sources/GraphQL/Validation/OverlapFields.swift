import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Comparisons of two fields with the same response key, without their selection sets.
struct OverlapFields {
  /// A field of a selection set.
  struct Entry {
    let field: NodeID
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

  private let context: ValidationContext
  /// The fields with `@stream`.
  private let streamed: Set<NodeID>

  init(_ context: ValidationContext) {
    self.context = context
    let stream = context.names.find("stream")
    streamed = Set(
      zip(context.directives, context.directiveOwners).lazy.filter { context.nameOf[Int($0.0) + 1] == stream }.map {
        $0.1.node
      })
  }

  func entry(_ field: NodeID, _ parent: Int32) -> Entry {
    let name = context.fieldName(field)
    return Entry(
      field: field, parent: parent, definition: definition(field),
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
  func differenceInMeaning(_ left: NodeID, _ right: NodeID) -> OverlapConflict.Reason? {
    if context.nameOf[Int(context.fieldName(left))] != context.nameOf[Int(context.fieldName(right))] {
      return .differentFields(left, right)
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

  private func haveSameArguments(_ left: NodeID, _ right: NodeID) -> Bool {
    haveSameMembers(context.arguments(of: left), context.arguments(of: right))
  }

  /// Whether two spreads of the same fragment pass equal arguments.
  func areSameSpreads(_ left: NodeID, _ right: NodeID) -> Bool {
    left == right || haveSameMembers(context.children(left, .argument), context.children(right, .argument))
  }

  /// Returns the size of a field's name and arguments in bytes, which is the cost of a comparison.
  func size(_ field: NodeID) -> Int {
    let start = context.nodes[Int(field)].start
    return Int(context.nodes[Int(context.arguments(of: field).last ?? context.fieldName(field))].end - start)
  }

  /// Whether two lists of named values are equal, ignoring their order.
  private func haveSameMembers(_ left: [NodeID], _ right: [NodeID]) -> Bool {
    func sorted(_ members: [NodeID]) -> [NodeID] {
      members.sorted { (context.nameOf[Int($0) + 1], $0) < (context.nameOf[Int($1) + 1], $1) }
    }
    guard left.count == right.count else { return false }
    return zip(sorted(left), sorted(right)).allSatisfy {
      context.nameOf[Int($0) + 1] == context.nameOf[Int($1) + 1] && isSame($0 + 2, $1 + 2)
    }
  }

  private func isSame(_ left: NodeID, _ right: NodeID) -> Bool {
    let kind = context.kind(left)
    guard kind == context.kind(right) else { return false }
    switch kind {
    case .variable: return context.nameOf[Int(left) + 1] == context.nameOf[Int(right) + 1]
    case .stringValue:
      let one = ValueNode(context.document, left)
      let other = ValueNode(context.document, right)
      return one.isBlockString == other.isBlockString && one.stringValue == other.stringValue
    case .listValue:
      return context.document.children(of: left).elementsEqual(context.document.children(of: right), by: isSame)
    case .objectValue:
      return haveSameMembers(context.children(left, .objectField), context.children(right, .objectField))
    default: return context.text(left) == context.text(right)
    }
  }
}
