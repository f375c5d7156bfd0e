import GraphQLLanguage

/// A GraphQL schema: types and directives with their names interned, in flat storage under views. Immutable.
///
/// A schema that is not valid is still a schema: what is wrong with it is in `defects`.
package final class Schema: Sendable {
  package let storage: SchemaStorage

  init(_ storage: SchemaStorage) {
    self.storage = storage
  }

  /// Builds a schema from documents in the schema language, extensions included. It never fails.
  ///
  /// - Parameter impliesIncremental: `@defer` and `@stream` are known even where the documents do not define them.
  package static func load(sdl documents: [Document], impliesIncremental: Bool = true) -> Schema {
    var builder = SchemaBuilder(documents, impliesIncremental: impliesIncremental)
    return Schema(builder.build())
  }

  /// The same, from one text.
  package static func load(sdl text: String) -> Schema {
    load(sdl: [Document(parsing: text, name: "schema")])
  }

  package var defects: [SchemaDefect] { storage.defects }
  /// The documents the schema was built from.
  package var documents: [Document] { Array(storage.documents.dropLast()) }

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

  /// In the order of their declaration, the built-in ones last.
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

  // MARK: Directives

  /// Those that are declared, the specification's, and `@defer` and `@stream` where they are implied.
  package var directives: [DirectiveDefinition] {
    storage.directives.indices.map { DirectiveDefinition(schema: self, index: UInt32($0)) }
  }

  package func directive(named name: String) -> DirectiveDefinition? {
    storage.names.find(name).flatMap { directive(named: $0) }
  }

  package func directive(named name: NameID) -> DirectiveDefinition? {
    storage.directives.firstIndex { $0.name == name }.map { DirectiveDefinition(schema: self, index: UInt32($0)) }
  }

  /// Whether documents may use `@defer` and `@stream`.
  package var allowsIncremental: Bool { directive(named: "defer") != nil }
  /// Whether the schema itself declares `@defer` or `@stream`.
  package var declaresIncremental: Bool {
    directives.contains { Prelude.incrementalDirectives.contains($0.name) && !$0.isImplied }
  }

  // MARK: Possible types

  /// What a value of the type may be at run time: the type itself if it is an object.
  package func possibleTypes(of type: TypeDefinition) -> [TypeDefinition] {
    switch type.kind {
    case .object: return [type]
    case .interface, .union:
      return storage.typeLists[storage.types[Int(type.index)].possibleTypes.indices].map {
        TypeDefinition(schema: self, index: $0)
      }
    default: return []
    }
  }

  /// Whether a value of the abstract type may be of the object type.
  package func isPossibleType(_ object: TypeDefinition, of abstract: TypeDefinition) -> Bool {
    isPossible(object.index, of: abstract.index)
  }

  package func isPossible(_ object: UInt32, of abstract: UInt32) -> Bool {
    let row = storage.possibleRow[Int(abstract)]
    guard row != 0 else { return object == abstract }
    let width = (storage.types.count + 63) / 64
    return storage.possibleBits[Int(row - 1) * width + Int(object) / 64] & (1 << UInt64(object % 64)) != 0
  }

  /// Whether some object type can be both.
  package func overlaps(_ left: TypeDefinition, _ right: TypeDefinition) -> Bool {
    overlaps(left.index, right.index)
  }

  package func overlaps(_ left: UInt32, _ right: UInt32) -> Bool {
    if left == right { return true }
    let leftRow = storage.possibleRow[Int(left)]
    let rightRow = storage.possibleRow[Int(right)]
    if leftRow == 0 { return rightRow != 0 && isPossible(left, of: right) }
    if rightRow == 0 { return isPossible(right, of: left) }
    let width = (storage.types.count + 63) / 64
    let first = Int(leftRow - 1) * width
    let second = Int(rightRow - 1) * width
    for word in 0..<width where storage.possibleBits[first + word] & storage.possibleBits[second + word] != 0 {
      return true
    }
    return false
  }

  // MARK: Fields

  /// The index of a field that the type declares.
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
