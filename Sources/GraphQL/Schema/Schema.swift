import ApusAlgorithms
import ApusGraphQLLanguage
import Synchronization

/// A GraphQL schema: types and directives in flat storage with interned names. Immutable.
///
/// An invalid schema is still usable: of duplicate definitions the first one counts, and references to missing or
/// unsuitable types are dropped. The schema validator reports such errors.
package final class Schema: Sendable {
  package let storage: SchemaStorage
  /// Versions of the schema with additional dialects, by those dialects.
  private let variants = Mutex<[Set<Dialect>: Schema]>([:])

  init(_ storage: SchemaStorage) {
    self.storage = storage
  }

  /// Builds a schema from SDL documents, including extensions. It never fails.
  ///
  /// - Parameters:
  /// - impliesIncremental: Whether `@defer` and `@stream` are available without being declared.
  /// - dialects: The dialects whose definitions are added.
  package static func load(
    sdl documents: [Document], impliesIncremental: Bool = true, dialects: DialectSelection = .automatic
  ) -> Schema {
    var builder = SchemaBuilder(documents, impliesIncremental: impliesIncremental, dialects: dialects)
    return Schema(builder.build())
  }

  /// Builds a schema from one SDL text.
  package static func load(sdl text: String) -> Schema {
    load(sdl: [Document(parsing: text, name: "schema")])
  }

  /// Documents that the schema was built from.
  package var documents: [Document] { Array(storage.documents.prefix(storage.ownDocumentCount)) }

  // MARK: Dialects

  /// Dialects that are on, with the reasons.
  package var dialects: [DialectUse] { storage.dialects }

  package func has(_ dialect: Dialect) -> Bool { storage.dialects.contains { $0.dialect == dialect } }

  /// Returns the schema with the dialects that the directives of documents imply; the schema itself if there are none
  /// to add or detection is off.
  package func read(for documents: [Document]) -> Schema {
    guard storage.selection.detects else { return self }
    let shown = ClientDefinitions.dialects(shownBy: documents, notIn: self)
    return shown.isEmpty ? self : adding(shown)
  }

  /// Returns the schema with a different selection of dialects.
  package func read(in selection: DialectSelection) -> Schema {
    if selection == storage.selection { return self }
    return Schema.load(sdl: documents, impliesIncremental: storage.impliesIncremental, dialects: selection)
  }

  private func adding(_ shown: [Dialect: String]) -> Schema {
    let key = Set(shown.keys)
    if let variant = variants.withLock({ $0[key] }) { return variant }
    var selection = storage.selection
    selection.dialects.formUnion(key)
    selection.reasons.merge(shown) { first, _ in first }
    let variant = Schema.load(sdl: documents, impliesIncremental: storage.impliesIncremental, dialects: selection)
    variants.withLock { $0[key] = variant }
    return variant
  }

  /// The selection of dialects that the schema was built with.
  package var dialectSelection: DialectSelection { storage.selection }

  /// The use of federation; nil unless the schema is a subgraph.
  package var federation: Federation? { storage.federation }

  /// Returns the directives and fields in a document that only a client knows, each once.
  package func clientNames(in document: Document) -> [String] {
    let clients = dialects.filter { $0.dialect.isClient }.compactMap { ClientDefinitions.document(of: $0.dialect) }
    let linked = storage.links.filter { link in LinkedSpecification.clients.contains { $0.identity == link.identity } }
    var names: [String] = []
    for (index, node) in document.nodes.enumerated() {
      var name: String?
      if node.kind == .directive {
        let directive = DirectiveNode(document, NodeID(index)).name.value
        guard let definition = self.directive(named: directive) else { continue }
        let source = storage.documents[Int(storage.directives[Int(definition.index)].place.document)]
        let isLinked = linked.contains { source.source.name == Self.linkedSource && $0.defines("@\(directive)") }
        if isLinked || clients.contains(where: { $0 === source }) { name = "@\(directive)" }
      } else if node.kind == .field, storage.clientField != nil {
        let field = FieldNode(document, NodeID(index)).name.value
        if field == "__id" { name = field }
      }
      if let name, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The name of the document with the definitions of linked specifications.
  static let linkedSource = "linked definitions"

  /// Specifications that the schema links.
  package var links: [FeatureLink] { storage.links }

  package var description: String? {
    for part in storage.schemaParts {
      let node = SchemaDefinitionNode(storage.documents[Int(part.document)], part.node)
      if let description = node.description { return description }
    }
    return nil
  }

  // MARK: Names

  package var names: NameTable { storage.names }

  // MARK: Types

  package var queryType: TypeDefinition? { rootType(.query) }
  package var mutationType: TypeDefinition? { rootType(.mutation) }
  package var subscriptionType: TypeDefinition? { rootType(.subscription) }

  package func rootType(_ operation: OperationType) -> TypeDefinition? {
    storage.rootTypes[operation.index].map { TypeDefinition(schema: self, index: $0) }
  }

  /// All types in the order of declaration, followed by the built-in ones.
  package var types: [TypeDefinition] {
    storage.types.indices.map { TypeDefinition(schema: self, index: UInt32($0)) }
  }

  package func type(named name: String) -> TypeDefinition? {
    storage.names.find(name).flatMap { type(named: $0) }
  }

  package func type(named name: NameID) -> TypeDefinition? {
    typeIndex(of: name).map { TypeDefinition(schema: self, index: $0) }
  }

  package func typeIndex(of name: NameID) -> UInt32? {
    let index = storage.typeOfName[Int(name)]
    return index == 0 ? nil : index - 1
  }

  package static func isIntrospectionType(_ name: String) -> Bool {
    BuiltInDefinitions.introspectionTypes.contains(name)
  }

  // MARK: Directives

  /// The declared and the specified directives, and `@defer` and `@stream` if implied.
  package var directives: [DirectiveDefinition] {
    storage.directives.indices.map { DirectiveDefinition(schema: self, index: UInt32($0)) }
  }

  package func directive(named name: String) -> DirectiveDefinition? {
    storage.names.find(name).flatMap { directive(named: $0) }
  }

  package func directive(named name: NameID) -> DirectiveDefinition? {
    storage.directive(named: name).map { DirectiveDefinition(schema: self, index: UInt32($0)) }
  }

  // MARK: Possible types

  /// Returns the object types that a value of the type can have at run time.
  package func possibleTypes(of type: TypeDefinition) -> [TypeDefinition] {
    switch type.kind {
    case .object: return [type]
    case .interface, .union:
      return storage.typeLists[storage.types[Int(type.index)].possibleTypes.indices].map {
        TypeDefinition(schema: self, index: $0)
      }
    case .scalar, .enum, .inputObject: return []
    }
  }

  package func isPossibleType(_ object: TypeDefinition, of abstract: TypeDefinition) -> Bool {
    isPossible(object.index, of: abstract.index)
  }

  package func isPossible(_ object: UInt32, of abstract: UInt32) -> Bool {
    guard let possible = possibleSet(of: abstract) else { return object == abstract }
    let index = storage.typeLists[possible].partitioningIndex { $0 >= object }
    return index < possible.upperBound && storage.typeLists[index] == object
  }

  /// Returns the sorted possible types of an abstract type, as a range in `typeLists`; nil for other types.
  private func possibleSet(of type: UInt32) -> Range<Int>? {
    let record = storage.types[Int(type)]
    return record.kind == .interface || record.kind == .union ? record.possibleSet.indices : nil
  }

  /// Whether two types have a common possible type.
  package func overlaps(_ left: TypeDefinition, _ right: TypeDefinition) -> Bool {
    overlaps(left.index, right.index)
  }

  package func overlaps(_ left: UInt32, _ right: UInt32) -> Bool {
    if left == right { return true }
    guard let first = possibleSet(of: left) else { return possibleSet(of: right) != nil && isPossible(left, of: right) }
    guard let second = possibleSet(of: right) else { return isPossible(right, of: left) }
    var one = first.lowerBound
    var other = second.lowerBound
    while one < first.upperBound, other < second.upperBound {
      if storage.typeLists[one] == storage.typeLists[other] { return true }
      if storage.typeLists[one] < storage.typeLists[other] { one += 1 } else { other += 1 }
    }
    return false
  }

  // MARK: Fields

  /// Returns the index of a field that the type declares.
  package func fieldIndex(of type: UInt32, named name: NameID) -> Int? {
    let mask = storage.fieldSlots.count - 1
    var slot = SchemaBuilder.fieldHash(type, name) & mask
    while storage.fieldSlots[slot] != 0 {
      let index = Int(storage.fieldSlots[slot] - 1)
      let field = storage.fields[index]
      if field.parent == type, field.name == name { return index }
      slot = (slot + 1) & mask
    }
    return nil
  }

  package func text(_ type: PackedType) -> String {
    var suffix = ""
    var prefix = ""
    var rest = type
    while true {
      if rest.isNonNull { suffix = "!" + suffix }
      guard let element = rest.element else { break }
      prefix += "["
      suffix = "]" + suffix
      rest = element
    }
    return prefix + storage.names[type.name] + suffix
  }
}

extension OperationType {
  var index: Int {
    switch self {
    case .query: 0
    case .mutation: 1
    case .subscription: 2
    }
  }
}
