import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusJSON

extension WorkspaceSnapshot {
  /// Handles `textDocument/hover`.
  func hover(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params), let occurrence = place.service.occurrence(at: place.offset) else {
      return .null
    }
    let hover = place.service.hover(at: place.offset) ?? hoverElsewhere(occurrence, place)
    guard let hover else { return .null }
    return [
      "contents": markup(hover.contents), "range": json(occurrence.range, of: place.unit, in: place.file),
    ]
  }

  /// Returns the hover for a fragment in another file, or for a variable that the operations using this fragment
  /// declare.
  private func hoverElsewhere(_ occurrence: Occurrence, _ place: GraphQLLocation) -> Hover? {
    switch occurrence.symbol {
    case .fragment(let name):
      guard let (_, unit, fragment) = fragment(named: name, in: place.project) else { return nil }
      return LanguageService(document: unit.document, schema: place.schema)
        .hover(at: fragment.name.range.lowerBound)
    case .fragmentVariable(let name, _):
      guard let (_, unit, _) = fragment(named: name, in: place.project) else { return nil }
      return LanguageService(document: unit.document, schema: place.schema).hover(of: occurrence)
    case .variable:
      let joined = place.project.joined(place.unit, of: place.file)
      return LanguageService(document: joined.document, schema: place.schema).hover(at: place.offset)
    case .operation, .alias, .element: return nil
    }
  }

  func fragment(
    named name: String, in project: Project
  ) -> (file: TextFile, unit: GraphQLRegion, fragment: FragmentDefinitionNode)? {
    for path in project.index.files(definingFragment: name) {
      guard let file = project.files[path] else { continue }
      for unit in file.units {
        if let fragment = unit.document.fragment(named: name) { return (file, unit, fragment) }
      }
    }
    return nil
  }

  /// Handles `textDocument/definition`, in the workspace or in the text of the schema.
  func definition(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params), let occurrence = place.service.occurrence(at: place.offset) else {
      return .null
    }
    switch occurrence.symbol {
    case .element(let element): return location(of: element, place)
    case .alias(_, let field): return field.map { location(of: .field($0), place) } ?? .null
    case .fragment(let name):
      if let local = place.unit.document.fragment(named: name) {
        return location(shifted(local.name.range, place.unit), in: place.file)
      }
      guard let found = fragment(named: name, in: place.project) else { return .null }
      return location(shifted(found.fragment.name.range, found.unit), in: found.file)
    case .operation: return location(shifted(occurrence.range, place.unit), in: place.file)
    case .fragmentVariable(let fragment, let name):
      guard let found = self.fragment(named: fragment, in: place.project),
        let declaration = found.fragment.declaration(ofVariable: name)
      else { return .null }
      return location(shifted(declaration.name, found.unit), in: found.file)
    case .variable:
      let joined = place.project.joined(place.unit, of: place.file)
      let service = LanguageService(document: joined.document, schema: place.schema)
      guard let definition = service.definition(at: place.offset), let found = joined.location(of: definition.name)
      else {
        return .null
      }
      return location(found.range, in: found.file)
    }
  }

  /// Handles `textDocument/typeDefinition`: returns the type of the element at a position.
  func typeDefinition(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params) else { return .null }
    // The variables of a fragment are those of the operations that need it.
    let joined = place.project.joined(place.unit, of: place.file)
    let service = LanguageService(document: joined.document, schema: place.schema)
    return service.typeDefinition(at: place.offset).map { location(of: .type($0), place) } ?? .null
  }

  /// Handles `textDocument/implementation`: returns the implementations of an interface, the members of a union, or
  /// their fields.
  func implementations(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params) else { return .null }
    let found = place.service.implementations(at: place.offset).map { location(of: $0, place) }
    return .array(found.filter { $0 != .null })
  }

  private func location(of element: SchemaElement, _ place: GraphQLLocation) -> JSONValue {
    guard let found = element.place else { return .null }
    let source = found.document.source
    for file in [place.project.files[FilePath(source.name)], place.file].compactMap({ $0 }) {
      if let unit = file.units.first(where: { $0.document === found.document }) {
        return location(shifted(found.name, unit), in: file)
      }
    }
    // The source is a file in the cache folder, or a changed file that has syntax errors.
    guard source.name.hasPrefix("/") else { return .null }
    return [
      "uri": JSONValue(DocumentURI.of(path: source.name)), "range": client.encoding.range(of: found.name, in: source),
    ]
  }

  func shifted(_ range: Range<Int>, _ unit: GraphQLRegion) -> Range<Int> {
    range.lowerBound + unit.start..<range.upperBound + unit.start
  }

  // MARK: References

  /// A location where a symbol is named.
  struct Reference {
    let file: TextFile
    /// The range in the file, in bytes.
    let range: Range<Int>
    let isDefinition: Bool
  }

  /// Returns all references to the symbol at a location in the project.
  func references(to occurrence: Occurrence, _ place: GraphQLLocation) throws(RPCError) -> [Reference] {
    let project = place.project
    let files: [TextFile]
    switch occurrence.symbol {
    case .alias:
      return [Reference(file: place.file, range: shifted(occurrence.range, place.unit), isDefinition: true)]
    case .variable:
      let joined = project.joined(place.unit, of: place.file)
      let service = LanguageService(document: joined.document, schema: project.schema)
      return service.references(at: place.offset).compactMap { found in
        joined.location(of: found.range).map {
          Reference(file: $0.file, range: $0.range, isDefinition: found.isDefinition)
        }
      }
    case .operation(let name):
      files = project.index.files(definingOperation: name).compactMap { project.files[$0] }
    case .fragment(let name), .fragmentVariable(let name, _):
      files = project.index.files(naming: [name]).sorted().compactMap { project.files[$0] }
    case .element:
      files = project.files.keys.sorted().compactMap { project.files[$0] }
    }
    var found: [Reference] = []
    for file in files {
      try Self.checkCancellation()
      for unit in file.units {
        let service = LanguageService(document: unit.document, schema: project.schema)
        for other in service.occurrences() where other.symbol == occurrence.symbol {
          found.append(
            Reference(file: file, range: shifted(other.range, unit), isDefinition: other.isDefinition))
        }
      }
    }
    return found
  }

  /// Handles `textDocument/references`.
  func references(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params), let occurrence = place.service.occurrence(at: place.offset) else {
      return .null
    }
    let includesDefinition = params["context"]?["includeDeclaration"]?.bool ?? true
    return .array(
      try references(to: occurrence, place).filter { includesDefinition || !$0.isDefinition }
        .map { location($0.range, in: $0.file) })
  }

  /// Handles `textDocument/documentHighlight`.
  func highlights(_ params: JSONValue) throws(RPCError) -> JSONValue {
    guard let place = try sourceLocation(params) else { return .null }
    return .array(
      place.service.references(at: place.offset).map { found in
        [
          "range": json(found.range, of: place.unit, in: place.file), "kind": found.isDefinition ? 3 : 2,
        ]
      })
  }
}
