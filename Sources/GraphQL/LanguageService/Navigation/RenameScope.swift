import ApusAlgorithms
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The documents in which a symbol is renamed, and their schema.
///
/// 1. Find the symbol in the first document, with the elements that must have the same name.
/// 2. Reject reserved names and names of other symbols.
/// 3. Create the edits, with a `schema` definition if a root operation type would be lost.
/// 4. Validate the edited documents and schema. The edits must not introduce errors.
package struct RenameScope {
  let documents: [Document]
  /// All documents joined.
  let service: LanguageService
  private let starts: [Int]

  package init(_ documents: [Document], schema: Schema?) {
    self.documents = documents
    let joined = documents.count == 1 ? documents[0] : Document(joining: documents)
    let definitions = documents.filter { $0.definitions.contains { !$0.isExecutable } }
    let definedSchema = schema == nil && !definitions.isEmpty ? Schema.load(sdl: definitions) : nil
    service = LanguageService(document: joined, schema: schema ?? definedSchema)
    var start = 0
    starts = documents.map { document in
      // A line feed separates the documents.
      defer { start += document.source.bytes.count + 1 }
      return start
    }
  }

  /// Returns the symbol at a byte offset of the first document if it can be renamed.
  package func renamable(at offset: Int) throws(RenameError) -> Occurrence {
    guard let occurrence = service.occurrence(at: offset) else { throw .nothingHere }
    guard case .element(let element) = occurrence.symbol else { return occurrence }
    let definition = service.document.nodes(containing: offset).dropFirst().first
    let isExecutable = definition.flatMap { DefinitionNode($0.document, $0.id) }?.isExecutable ?? false
    // In a query, a field of a schema in another file cannot be renamed.
    let isOwn = !isExecutable || element.place?.document === documents[0]
    guard isOwn, family(of: element).allSatisfy(isDefinedHere) else { throw .schemaName(element.name) }
    return occurrence
  }

  /// Returns the edits of each document that rename the symbol at a byte offset of the first document.
  package func rename(at offset: Int, to name: String) throws(RenameError) -> [[TextEdit]] {
    let occurrence = try renamable(at: offset)
    guard Document.isName(name) else { throw .notAName(name) }
    guard name != service.document.source.text(occurrence.range) else { return documents.map { _ in [] } }
    if Self.isReserved(name, for: occurrence.symbol) { throw .reserved(name) }
    let references = references(to: occurrence, at: offset)
    if isTaken(name, like: occurrence, near: references) { throw .taken(name) }
    var edits = documents.map { _ in [TextEdit]() }
    for range in references {
      let index = max(0, starts.partitioningIndex { $0 > range.lowerBound } - 1)
      let local = range.lowerBound - starts[index]..<range.upperBound - starts[index]
      edits[index].append(TextEdit(range: local, text: name))
    }
    if case .element(.type(let type)) = occurrence.symbol,
      let edit = schemaDefinition(keepingRootsOf: type, named: name)
    {
      edits[edit.document].append(edit.edit)
    }
    try RenameCheck(scope: self, edits: edits).check(name)
    return edits
  }

  // MARK: Elements of one name

  /// Returns the ranges of the names to change, in the order of the joined documents.
  private func references(to occurrence: Occurrence, at offset: Int) -> [Range<Int>] {
    guard case .element(let element) = occurrence.symbol else { return service.references(at: offset).map(\.range) }
    let family = Set(family(of: element))
    return service.occurrences().filter { other in
      if case .element(let element) = other.symbol { family.contains(element) } else { false }
    }.map(\.range)
  }

  /// Returns the elements that must have the same name: fields of an interface and its implementations, or their arguments.
  func family(of element: SchemaElement) -> [SchemaElement] {
    switch element {
    case .field(let field): return fields(like: field).map { .field($0) }
    case .argument(let argument):
      guard case .field(let field) = service.owner(of: element) else { return [element] }
      return fields(like: field).compactMap { $0.argument(named: argument.name) }.map { .argument($0) }
    case .type, .inputField, .enumValue, .directive: return [element]
    }
  }

  private func fields(like field: FieldDefinition) -> [FieldDefinition] {
    guard let schema = service.schema else { return [field] }
    var found: [FieldDefinition] = []
    var types: Set = [field.parentType]
    var pending = [field.parentType]
    while let type = pending.popLast() {
      guard let same = type.field(named: field.name) else { continue }
      found.append(same)
      let others =
        type.interfaces + (type.kind == .interface ? schema.types.filter { $0.interfaces.contains(type) } : [])
      for other in others where types.insert(other).inserted { pending.append(other) }
    }
    return found
  }

  /// Whether the documents contain all definitions and extensions of the element.
  private func isDefinedHere(_ element: SchemaElement) -> Bool {
    let places: [Document]
    if case .type(let type) = element {
      places = type.nodes.map(\.document)
    } else {
      places = element.place.map { [$0.document] } ?? []
    }
    return !places.isEmpty && places.allSatisfy { place in documents.contains { $0 === place } }
  }

  // MARK: Root types

  /// Returns an edit that adds a `schema` definition to keep the root operation types when a type is renamed; `nil` if the
  /// schema has a definition or if the types' names still imply it.
  private func schemaDefinition(
    keepingRootsOf type: TypeDefinition, named name: String
  ) -> (document: Int, edit: TextEdit)? {
    let schema = type.schema
    let parts = schema.documents.flatMap(\.definitions).compactMap { definition -> SchemaDefinitionNode? in
      if case .schema(let node) = definition { node } else { nil }
    }
    guard parts.allSatisfy(\.isExtension) else { return nil }
    let declared = Set(parts.flatMap(\.rootOperations).map(\.operation))
    let operations = OperationType.allCases.filter { !declared.contains($0) }
    let roots = operations.compactMap { operation in
      schema.rootType(operation).map { (operation, $0 == type ? name : $0.name) }
    }
    let implied = operations.compactMap { operation -> (OperationType, String)? in
      let word = operation.rawValue
      let implied = word.prefix(1).uppercased() + word.dropFirst()
      let isThere = implied == name || implied != type.name && schema.type(named: implied) != nil
      return isThere ? (operation, implied) : nil
    }
    guard !roots.isEmpty, !roots.elementsEqual(implied, by: ==), let place = type.nodes.first?.document,
      let index = documents.firstIndex(where: { $0 === place })
    else { return nil }
    let bytes = documents[index].source.bytes
    let lines = roots.map { "  \($0.rawValue): \($1)\n" }.joined()
    let text = (bytes.last == UInt8(ascii: "\n") ? "\n" : "\n\n") + "schema {\n\(lines)}\n"
    return (index, TextEdit(range: bytes.count..<bytes.count, text: text))
  }
}
