import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Comparisons of two fields with the same response key, without their selection sets.
struct OverlapFields {
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
  let nodes: NodeTable
  let values: ArgumentValues
  /// Fields with `@stream`.
  private let streamed: Set<NodeID>

  init(_ context: ValidationContext) {
    self.context = context
    nodes = NodeTable(context.document)
    values = ArgumentValues(context)
    let stream = context.names.find("stream")
    streamed = Set(
      context.directives.lazy.filter { context.nameID(of: $0.node.name) == stream }.map(\.ownerID))
  }

  func entry(_ field: NodeID, _ parent: Int32, _ scope: ArgumentValues.Scope) -> Entry {
    let name = nodes.fieldName(field)
    return Entry(
      field: field, scope: scope, parent: parent, definition: definition(field),
      simpleName: nodes.next(field) == name + 1 ? context.nameID(at: name) : ValidationContext.none)
  }

  func node(of entry: Entry) -> FieldNode { FieldNode(context.document, entry.field) }

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
    if context.nameID(at: nodes.fieldName(left.field)) != context.nameID(at: nodes.fieldName(right.field)) {
      return .differentFields(node(of: left), node(of: right))
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
        guard let one = context.typeIndex(named: left.name), let other = context.typeIndex(named: right.name) else {
          return false
        }
        return (!context.isComposite(one) || !context.isComposite(other)) && one != other
      default: return true
      }
    }
  }

  // MARK: Arguments

  private func haveSameArguments(_ left: Entry, _ right: Entry) -> Bool {
    let count = nodes.arguments(of: left.field).count
    guard count == nodes.arguments(of: right.field).count else { return false }
    return count == 0
      || values.arguments(of: node(of: left), in: left.scope) == values.arguments(of: node(of: right), in: right.scope)
  }

  /// Returns the selections of a field.
  func selections(of entry: Entry) -> Selections? {
    let set = context.selectionSetOf[Int(entry.field)]
    return set == 0 ? nil : Selections(set: set, scope: entry.scope)
  }

  /// Returns the selections of an operation or a fragment.
  func selections(of definition: DefinitionNode) -> Selections {
    Selections(set: context.selectionSetOf[Int(definition.id)], scope: scope(of: definition))
  }

  /// Returns the scope of the selections of an operation or a fragment by themselves.
  func scope(of definition: DefinitionNode) -> ArgumentValues.Scope {
    guard case .fragment(let fragment) = definition, !context.fragmentVariables.isEmpty else {
      return ArgumentValues.operationScope
    }
    return values.scope(of: fragment)
  }

  /// Returns the size of a field's name and arguments in bytes, which is the cost of a comparison.
  func size(of entry: Entry) -> Int {
    let last = nodes.arguments(of: entry.field).last ?? nodes.fieldName(entry.field)
    return Int(nodes[last].end - nodes[entry.field].start)
  }
}
