import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The joined documents and the schema, shared by all structs.
final class ModelContext {
  let document: Document
  let schema: Schema
  private let hiddenKeys: [Int: KeyFieldInserter.HiddenKeys]
  private let fragments: [String: FragmentSource]
  private var selections: [NodeID: (all: [DocumentSelection], size: Int)] = [:]
  private var keys: [String: KeyID] = [:]
  /// The table for code that collects fields.
  let places: KeyFieldPaths
  /// Bytes of names that models may still show. A model shows every field and fragment below it, so that a chain of
  /// fragments is written in proportion to the square of its length. This is about 200 MB of Swift.
  private var room = 1 << 26
  /// Whether the models are too large. Selections are not returned anymore.
  private(set) var isFull = false

  /// Bytes that a selection counts in addition to its name.
  private static let selectionSize = 16

  init(_ source: DocumentSource, schema: Schema) {
    document = source.document
    hiddenKeys = source.hiddenKeys
    self.schema = schema
    places = KeyFieldPaths()
    fragments = Dictionary(
      source.document.fragments.map { node in
        let condition = TypeCondition(node.typeCondition, in: schema)
        return (node.name.value, FragmentSource(condition: condition, set: node.selectionSet.id))
      }, uniquingKeysWith: { first, _ in first })
  }

  func fragment(_ name: String) -> FragmentSource? { fragments[name] }

  /// Returns the key fields of a selection set that have no properties.
  func hiddenKeys(of set: NodeID) -> [KeyFieldInserter.HiddenKey] {
    hiddenKeys[SelectionSetNode(document, set).range.lowerBound]?.keys ?? []
  }

  /// Returns the selections of a set, without hidden keys. Each set is read only once.
  func selections(of set: NodeID) -> [DocumentSelection] {
    let found = selections[set] ?? read(set)
    count(found.size)
    return isFull ? [] : found.all
  }

  /// Counts text that models have.
  func count(_ size: Int) {
    room -= size
    if room < 0 { isFull = true }
  }

  /// Counts the names of fragments that an operation lists.
  func count(_ fragments: [FragmentDefinitionNode]) {
    count(fragments.reduce(0) { $0 + $1.name.value.utf8.count + Self.selectionSize })
  }

  private func read(_ set: NodeID) -> (all: [DocumentSelection], size: Int) {
    let node = SelectionSetNode(document, set)
    let hidden = hiddenKeys[node.range.lowerBound]?.range ?? 0..<0
    let all = node.selections.filter { !hidden.contains($0.range.lowerBound) }.map(read)
    let read = (all, all.reduce(0) { $0 + $1.nameSize + Self.selectionSize })
    selections[set] = read
    return read
  }

  private func read(_ selection: SelectionNode) -> DocumentSelection {
    let directives = selection.directives
    let content: DocumentSelection.Content
    switch selection {
    case .field(let field):
      let key = field.responseKey
      let id = keys[key] ?? KeyID(keys.count)
      keys[key] = id
      places.add(id)
      content = .field(DocumentField(field, key: key, id: id, isPlain: directives.isEmpty, in: schema))
    case .inlineFragment(let fragment):
      content = .inlineFragment(TypeCondition(fragment.typeCondition, in: schema), set: fragment.selectionSet.id)
    case .fragmentSpread(let spread): content = .fragment(spread.name.value)
    }
    return DocumentSelection(
      content: content, conditions: directives.isEmpty ? [] : directives.conditions,
      deferral: directives.isEmpty ? nil : directives.deferral)
  }
}

/// The selections of a named fragment, with its type condition.
struct FragmentSource {
  let condition: TypeCondition
  let set: NodeID
}

/// The objects to which a fragment applies: for `... on Bird` those of the type `Bird`.
enum TypeCondition {
  /// Every object in its scope, as for `... @include(if: $a)`.
  case none
  case type(TypeDefinition)
  /// A type that the schema does not define.
  case unknown

  init(_ node: NamedTypeNode?, in schema: Schema) {
    guard let node else {
      self = .none
      return
    }
    self = schema.type(named: node.name.value).map { .type($0) } ?? .unknown
  }

  /// Whether every object of the type satisfies the condition.
  func covers(_ type: TypeDefinition) -> Bool {
    switch self {
    case .none: true
    case .type(let condition): type.isSubtype(of: condition)
    case .unknown: false
    }
  }
}

final class DocumentSelection {
  enum Content {
    case field(DocumentField)
    case inlineFragment(TypeCondition, set: NodeID)
    case fragment(String)
  }

  let content: Content
  let conditions: [ModelConditions.Condition]
  let deferral: DirectiveNode?

  init(content: Content, conditions: [ModelConditions.Condition], deferral: DirectiveNode?) {
    self.content = content
    self.conditions = conditions
    self.deferral = deferral
  }

  /// The size in bytes of the selection's name in a model.
  var nameSize: Int {
    switch content {
    case .field(let field): field.responseKey.utf8.count
    case .inlineFragment: 0
    case .fragment(let name): name.utf8.count
    }
  }
}

final class DocumentField {
  let node: FieldNode
  let responseKey: String
  let id: KeyID
  /// The selection set, if the field has one.
  let set: NodeID?
  /// Whether the field has no alias, arguments and directives.
  let isPlain: Bool
  /// Whether the response key may conflict with the name of a nested type, which begins with an uppercase letter.
  let mayBeTaken: Bool
  /// The interned name; nil if the schema has no field with it.
  private let name: NameID?
  private var last: (type: TypeDefinition, definition: FieldDefinition?)?

  init(_ node: FieldNode, key: String, id: KeyID, isPlain: Bool, in schema: Schema) {
    self.node = node
    self.id = id
    responseKey = key
    set = node.selectionSet?.id
    self.isPlain = isPlain && node.alias == nil && node.arguments.isEmpty
    mayBeTaken = key.first?.isUppercase == true || Self.takenNames.contains(key)
    name = schema.storage.names.find(node.name.value)
  }

  static let takenNames: Set<String> = ["fragments", "__data", "hashValue", "self", "debugDescription"]

  /// Returns the field definition on a type. The last result is cached, because the type is usually the same.
  func definition(on type: TypeDefinition) -> FieldDefinition? {
    if let last, last.type == type { return last.definition }
    let found = name.flatMap { type.field(named: $0) }
    last = (type, found)
    return found
  }
}

/// The number of a response key.
typealias KeyID = Int32

/// The index of each field of an object by its response key. The table covers all keys and is cleared by incrementing a
/// counter, so that collecting fields needs no hashing.
final class KeyFieldPaths {
  private var places: [(round: Int32, index: Int32)] = []
  private var round: Int32 = 0

  func add(_ key: KeyID) {
    if key == places.count { places.append((0, 0)) }
  }

  func removeAll() { round += 1 }

  subscript(key: KeyID) -> Int? {
    get {
      let place = places[Int(key)]
      return place.round == round ? Int(place.index) : nil
    }
    set { places[Int(key)] = (newValue == nil ? 0 : round, Int32(newValue ?? 0)) }
  }
}
