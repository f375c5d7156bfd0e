import ApusGraphQLLanguage
import ApusGraphQLSchema

/// What all structs of models are made from: the documents as one, and the schema.
final class ModelContext {
  let document: Document
  let schema: Schema
  private let hiddenKeys: [Int: KeyedText.HiddenKeys]
  private let fragments: [String: FragmentSource]
  private var selections: [NodeID: [DocumentSelection]] = [:]
  private var keys: [String: KeyID] = [:]
  /// For whoever collects fields.
  let places: KeyPlaces

  init(_ source: DocumentSource, schema: Schema) {
    document = source.document
    hiddenKeys = source.hiddenKeys
    self.schema = schema
    places = KeyPlaces()
    fragments = Dictionary(
      source.document.fragments.map { node in
        let condition = TypeCondition(node.typeCondition, in: schema)
        return (node.name.value, FragmentSource(condition: condition, set: node.selectionSet.id))
      }, uniquingKeysWith: { first, _ in first })
  }

  func fragment(_ name: String) -> FragmentSource? { fragments[name] }

  /// The key fields of a selection set that models do not show.
  func hiddenKeys(of set: NodeID) -> [KeyedText.HiddenKey] {
    hiddenKeys[SelectionSetNode(document, set).range.lowerBound]?.keys ?? []
  }

  /// The selections of a set that models show. A fragment's set is read once, wherever the fragment is used.
  func selections(of set: NodeID) -> [DocumentSelection] {
    if let known = selections[set] { return known }
    let node = SelectionSetNode(document, set)
    let hidden = hiddenKeys[node.range.lowerBound]?.range ?? 0..<0
    let read = node.selections.filter { !hidden.contains($0.range.lowerBound) }.map(read)
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

/// The selections of a named fragment, and the type that they are made on.
struct FragmentSource {
  let condition: TypeCondition
  let set: NodeID
}

/// Which objects a fragment's selections are made on.
enum TypeCondition {
  /// Every object that the fragment stands on.
  case none
  case type(TypeDefinition)
  /// A type that the schema does not have.
  case unknown

  init(_ node: NamedTypeNode?, in schema: Schema) {
    guard let node else {
      self = .none
      return
    }
    self = schema.type(named: node.name.value).map { .type($0) } ?? .unknown
  }

  /// Whether every object of the type meets the condition.
  func covers(_ type: TypeDefinition) -> Bool {
    switch self {
    case .none: true
    case .type(let condition): type.isSubtype(of: condition)
    case .unknown: false
    }
  }
}

/// One selection of the documents, as it is read.
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
}

/// A field of the documents, as it is read.
final class DocumentField {
  let node: FieldNode
  let responseKey: String
  let id: KeyID
  /// What is selected on the object that the field gives.
  let set: NodeID?
  /// Whether it has nothing but its name: no alias, no arguments, no directives.
  let isPlain: Bool
  /// Whether a struct may have another use of its own for the response key: what it names begins with a capital.
  let mayBeTaken: Bool
  /// nil where no type of the schema has such a field.
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

  /// The field of this type; nearly always the same type asks.
  func definition(on type: TypeDefinition) -> FieldDefinition? {
    if let last, last.type == type { return last.definition }
    let found = name.flatMap { type.field(named: $0) }
    last = (type, found)
    return found
  }
}

/// A number for a response key, the same wherever the key stands.
typealias KeyID = Int32

/// Where the fields of one object are, by their response keys: a table over all keys that is emptied by counting on,
/// so that collecting an object's fields hashes nothing.
final class KeyPlaces {
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
