import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The selection sets of a document that may be merged, as a union-find structure (GraphQL, 5.3.2 Field Selection
/// Merging).
///
/// The selection sets of a field that is selected more than once, also through fragments, are merged when the operation
/// is executed, so a field added to one of them must not conflict with the others.
///
/// The analysis is conservative: all selection sets that spread a fragment belong to one group. A key field may be
/// omitted although it could be added, but no field is added that a server would reject.
struct MergedSelectionSets {
  /// The selection sets that may be merged with each other.
  private struct Group {
    /// Response keys that are used by another field, by a field with arguments or with conflicting types.
    var taken: Set<String> = []
    /// Types of the fields that are selected, or may be added, under their own names.
    var types: [String: String] = [:]
    /// A selection set for each response key that has subselections.
    var sets: [String: NodeID] = [:]

    var weight: Int { taken.count + types.count + sets.count }

    mutating func record(_ type: String, of field: String) {
      if let recorded = types[field], recorded != type { taken.insert(field) }
      types[field] = type
    }
  }

  /// Groups by their representative selection set. `leaders` holds the parent of every other set (union-find).
  private var groups: [NodeID: Group] = [:]
  private var leaders: [NodeID: NodeID] = [:]

  /// - Parameter keyFields: The names of the fields that may be added for a type.
  init(
    _ document: Document, definitions: [String: FragmentDefinitionNode], types: CompilerTypes,
    keyFields: (TypeDefinition) -> [String]
  ) {
    var waiting = document.operations.map { ($0.selectionSet, types.root($0.operation)) }
    waiting += definitions.values.map { ($0.selectionSet, types.type(named: $0.typeCondition.name.value)) }
    while let (set, type) = waiting.popLast() {
      if let type { noteKeys(keyFields(type), of: type, in: set) }
      for selection in set.selections {
        switch selection {
        case .field(let field):
          let definition = types.field(field.name.value, of: type)
          record(field, definition, in: set)
          guard let inner = field.selectionSet else { continue }
          waiting.append((inner, definition?.type.definition))
          attach(inner.id, field.responseKey, to: set.id)
        case .inlineFragment(let fragment):
          waiting.append(
            (fragment.selectionSet, fragment.typeCondition.map { types.type(named: $0.name.value) } ?? type))
          join(set.id, fragment.selectionSet.id)
        case .fragmentSpread(let spread):
          if let definition = definitions[spread.name.value] { join(set.id, definition.selectionSet.id) }
        }
      }
    }
    for set in leaders.keys { while let further = leaders[set].flatMap({ leaders[$0] }) { leaders[set] = further } }
  }

  /// Whether a field can be added to a selection set without contradicting another selection on the same object.
  func canHold(_ name: String, in set: SelectionSetNode) -> Bool {
    groups[leaders[set.id] ?? set.id]?.taken.contains(name) != true
  }

  private mutating func noteKeys(_ names: [String], of type: TypeDefinition, in set: SelectionSetNode) {
    for name in names {
      guard let field = type.field(named: name) else { continue }
      groups[leader(of: set.id), default: Group()].record(field.type.description, of: name)
    }
  }

  private mutating func record(_ field: FieldNode, _ definition: FieldDefinition?, in set: SelectionSetNode) {
    let leader = leader(of: set.id)
    // A field with arguments conflicts with the same field without arguments.
    if field.name.value != field.responseKey || !field.arguments.isEmpty {
      groups[leader, default: Group()].taken.insert(field.responseKey)
    } else if let definition {
      groups[leader, default: Group()].record(definition.type.description, of: field.responseKey)
    }
  }

  private mutating func attach(_ inner: NodeID, _ key: String, to set: NodeID) {
    let leader = leader(of: set)
    if let existing = groups[leader]?.sets[key] { return join(existing, inner) }
    groups[leader, default: Group()].sets[key] = inner
  }

  private mutating func join(_ left: NodeID, _ right: NodeID) {
    var pairs = [(left, right)]
    while let (left, right) = pairs.popLast() {
      var (saved, merged) = (leader(of: left), leader(of: right))
      if saved == merged { continue }
      if groups[saved]?.weight ?? 0 < groups[merged]?.weight ?? 0 { swap(&saved, &merged) }
      leaders[merged] = saved
      guard let other = groups.removeValue(forKey: merged) else { continue }
      var group = groups.removeValue(forKey: saved) ?? Group()
      group.taken.formUnion(other.taken)
      for (field, type) in other.types { group.record(type, of: field) }
      for (key, set) in other.sets {
        if let existing = group.sets[key] { pairs.append((existing, set)) } else { group.sets[key] = set }
      }
      groups[saved] = group
    }
  }

  private mutating func leader(of set: NodeID) -> NodeID {
    var set = set
    while let next = leaders[set] {
      // Path halving.
      if let further = leaders[next] { leaders[set] = further }
      set = next
    }
    return set
  }
}
