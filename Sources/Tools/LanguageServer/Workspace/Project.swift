import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLSchema

/// A version of a schema and the documents that belong to it.
struct Project: Sendable {
  let origin: ProjectDefinition
  let dialects: DialectSelection
  /// The schema that documents are validated against.
  private(set) var schema: Schema?
  /// The schema files in SDL, in the order in which they are combined.
  private(set) var schemaFiles: [FilePath] = []
  /// The definitions from schema files that are introspection results.
  private var introspection: [FilePath: Document] = [:]
  /// The schema sources that the user named, in the order in which they are combined.
  var schemaSources: [String] = []
  /// The fetched schemas, by address.
  private var fetched: [SchemaEndpoint: TimestampedSchema] = [:]
  private(set) var files: [FilePath: TextFile] = [:]
  /// Files with definitions that no project names, in the folders of such files of the project.
  private var neighbors: [FilePath: TextFile] = [:]
  private var foldersWithNeighbors: Set<FilePath> = []
  /// The schemas of files that the project does not name, by file.
  private(set) var separateSchemas: [FilePath: SeparateSchema] = [:]
  private(set) var index = ProjectIndex()

  init(origin: ProjectDefinition) {
    self.origin = origin
    dialects = origin.dialects
  }

  /// Whether the schema consists of the type definitions in the project's documents.
  var takesSchemaFromDocuments: Bool {
    switch origin {
    case .config, .none: false
    case .folder: fetched.isEmpty
    }
  }

  /// The schema of files that no project names, with the first of them that the project has.
  struct SeparateSchema: Sendable {
    let schema: Schema
    let first: FilePath
  }

  var hasFetchedSchema: Bool { !fetched.isEmpty }

  var endpoint: GraphQLConfig.Endpoint? {
    guard case .config(let config, let project) = origin else { return nil }
    return project.schemaEndpoints.first
      ?? config.endpoints.first { endpoint in
        project.name.map { endpoint.name == $0 || endpoint.name.hasPrefix("\($0)/") } ?? true
      }
  }

  // MARK: Changes

  /// The effect of changing a file.
  struct ChangeImpact {
    /// The files to validate again, including the changed one.
    var files: Set<FilePath>
    var isOfSchema: Bool
  }

  /// Updates a file; nil if it was deleted.
  mutating func set(_ file: TextFile?, at path: FilePath) -> ChangeImpact {
    let old = index.summaries[path] ?? []
    let wasTypeSystem = files[path].map { !$0.definitions.isEmpty } ?? false
    let isTypeSystem = file.map { !$0.definitions.isEmpty } ?? false
    var affected: Set = [path]
    affected.formUnion(index.dependents(of: [path]))
    files[path] = file
    let new = file.map(DefinitionSummary.all) ?? []
    // Most changes do not affect other files.
    if old != new {
      index.set(file == nil ? nil : new, for: path)
      affected.formUnion(index.dependents(of: [path]))
      let both = old + new
      affected.formUnion(index.files(naming: Set(both.compactMap(\.name)).union(both.flatMap(\.spreads))))
    }
    // A new file may match the schema's patterns.
    if file != nil, !path.isJSON, !schemaFiles.contains(path), origin.schemaPart(of: "\(path)") != nil {
      schemaFiles.append(path)
    }
    let touchesSchema =
      schemaFiles.contains(path) || takesSchemaFromDocuments && (wasTypeSystem || isTypeSystem)
    if touchesSchema, rebuildSchema() { return ChangeImpact(files: Set(files.keys), isOfSchema: true) }
    // Definitions outside the schema are validated together.
    if wasTypeSystem || isTypeSystem {
      affected.formUnion(definitionsApart.map(\.file.path))
      affected.formUnion(rebuildSeparateSchemas(ofFolder: path.folder))
    }
    return ChangeImpact(files: affected, isOfSchema: false)
  }

  /// Adds a file that another one imports. Imports of a schema file are part of the schema.
  mutating func addImport(_ file: TextFile, of importing: FilePath) -> ChangeImpact {
    if isSchemaFile(importing), !isSchemaFile(file.path) { schemaFiles.append(file.path) }
    return set(file, at: file.path)
  }

  /// Whether the project has a file that another one imports.
  func hasImport(_ path: FilePath, of importing: FilePath) -> Bool {
    files[path] != nil && (isSchemaFile(path) || !isSchemaFile(importing))
  }

  /// Adds many files at once, before the first validation.
  mutating func add(_ added: [TextFile]) {
    for file in added {
      files[file.path] = file
      index.set(DefinitionSummary.all(in: file), for: file.path)
    }
  }

  // MARK: Separate definitions

  /// Whether a file has definitions that no project names.
  func isUnnamed(_ file: TextFile) -> Bool {
    !file.definitions.isEmpty && !isSchemaFile(file.path) && !origin.names("\(file.path)")
  }

  /// The folders of unnamed files whose other files have not been read.
  var foldersWithoutNeighbors: Set<FilePath> {
    Set(files.values.filter(isUnnamed).map(\.path.folder)).subtracting(foldersWithNeighbors)
  }

  func hasNeighbors(ofFolder folder: FilePath) -> Bool { foldersWithNeighbors.contains(folder) }

  /// Takes the other unnamed files of a folder. Returns the files to validate again.
  mutating func setNeighbors(_ found: [TextFile], ofFolder folder: FilePath) -> Set<FilePath> {
    foldersWithNeighbors.insert(folder)
    for file in found { neighbors[file.path] = file }
    return rebuildSeparateSchemas(ofFolder: folder)
  }

  /// Updates an unnamed file of another project in a folder; nil if it was deleted. Returns the files to validate again.
  mutating func setNeighbor(_ file: TextFile?, at path: FilePath) -> Set<FilePath> {
    neighbors[path] = file
    return rebuildSeparateSchemas(ofFolder: path.folder)
  }

  /// Returns the files of the project in the folder that no project names.
  private mutating func rebuildSeparateSchemas(ofFolder folder: FilePath) -> Set<FilePath> {
    let own = files.values.filter { $0.path.folder == folder && isUnnamed($0) }
    separateSchemas = separateSchemas.filter { $0.key.folder != folder }
    guard !own.isEmpty else { return [] }
    let others = neighbors.values.filter {
      $0.path.folder == folder && files[$0.path] == nil && !$0.definitions.isEmpty
    }
    let all = (own + others).sorted { $0.path < $1.path }
    for group in SeparateDefinitions.groups(of: all.map { ($0.path, $0.definitions) }) {
      guard let first = group.first(where: { files[all[$0].path] != nil }) else { continue }
      let schema = SeparateSchema(
        schema: Schema.load(sdl: group.flatMap { all[$0].definitions }), first: all[first].path)
      for index in group { separateSchemas[all[index].path] = schema }
    }
    return Set(own.map(\.path))
  }

  /// Updates a fetched schema.
  mutating func setSchema(_ schema: TimestampedSchema, from address: SchemaEndpoint) {
    fetched[address] = schema
    rebuildSchema()
  }

  /// Sets the schema files: SDL files, which are also among the project's files, and the definitions of introspection
  /// results.
  mutating func takeSchema(ofFiles paths: [FilePath], introspection: [FilePath: Document]) {
    schemaFiles = paths
    self.introspection = introspection
    rebuildSchema()
  }

  /// Rebuilds the schema from its sources. While a schema file has syntax errors, the previous schema is kept;
  /// otherwise its missing types would cause errors in every document.
  @discardableResult
  mutating func rebuildSchema() -> Bool {
    switch origin {
    case .config(_, let project): return rebuild(project)
    case .folder, .none:
      let named = schemaSources.compactMap { fetched[.named($0)]?.schema }
      if let first = named.first {
        schemaFiles = []
        // Without all sources, valid documents would have errors.
        if named.count < schemaSources.count {
          schema = nil
        } else {
          schema =
            named.count == 1
            ? first.read(in: dialects) : Schema.load(sdl: named.flatMap(\.documents), dialects: dialects)
        }
      } else {
        schemaFiles =
          takesSchemaFromDocuments ? files.values.filter { !$0.definitions.isEmpty }.map(\.path).sorted() : []
        return takeSchema(of: schemaFiles.compactMap { files[$0] }.flatMap(\.definitions))
      }
      return true
    }
  }

  private mutating func rebuild(_ project: GraphQLConfig.Project) -> Bool {
    let parts = Dictionary(grouping: schemaFiles + introspection.keys) { path in
      // Imported files come last.
      origin.schemaPart(of: "\(path)") ?? project.schemaParts.count
    }.mapValues { $0.sorted() }
    schemaFiles = parts.sorted { $0.key < $1.key }.flatMap(\.value).filter { introspection[$0] == nil }
    var documents: [Document] = []
    for (index, part) in project.schemaParts.enumerated() {
      switch part {
      case .endpoint(let endpoint):
        // Without the schema of an endpoint, valid documents would have errors.
        guard let fetched = fetched.first(where: { $0.key.endpoint == endpoint })?.value.schema else {
          schema = nil
          return true
        }
        if project.schemaParts.count == 1 {
          schema = fetched.read(in: dialects)
          return true
        }
        documents += fetched.documents
      case .files: documents += self.documents(of: parts[index] ?? [])
      }
    }
    return takeSchema(of: documents + self.documents(of: parts[project.schemaParts.count] ?? []))
  }

  private func documents(of paths: [FilePath]) -> [Document] {
    paths.flatMap { path -> [Document] in
      if let definitions = introspection[path] { return [definitions] }
      guard let file = files[path] else { return [] }
      // Source files of other languages contain executable documents too.
      return file.language == .graphql ? file.units.map(\.document) : file.definitions
    }
  }

  private mutating func takeSchema(of documents: [Document]) -> Bool {
    // Documents with interpolated values are never complete.
    if schema != nil, documents.contains(where: { $0.hasErrors && !$0.source.hasValues }) { return false }
    schema = documents.isEmpty ? nil : Schema.load(sdl: documents, dialects: dialects)
    return true
  }

  // MARK: Queries

  func isSchemaFile(_ path: FilePath) -> Bool { schemaFiles.contains(path) }

  /// The type definitions in files that the project names and that are not schema files.
  var definitionsApart: [(file: TextFile, document: Document)] {
    guard !takesSchemaFromDocuments else { return [] }
    return files.values.filter { !isSchemaFile($0.path) && origin.names("\($0.path)") }.sorted { $0.path < $1.path }
      .flatMap { file in
        file.definitions.map { (file, $0) }
      }
  }

  /// Returns the schema that a unit belongs to: that of the project, or the one that the definitions of an unnamed file
  /// form.
  func schema(of unit: GraphQLRegion, in file: TextFile) -> Schema? {
    let separate = unit.document.isTypeSystem ? separateSchemas[file.path]?.schema : nil
    return separate ?? schema
  }

  /// Returns the language service for a unit of the project.
  func service(_ unit: GraphQLRegion, of file: TextFile) -> LanguageService {
    var service = LanguageService(document: unit.document, schema: schema(of: unit, in: file))
    service.fragmentsSpreadElsewhere = Set(
      unit.document.fragments.map(\.name.value).filter { name in
        index.files(spreading: name).contains { $0 != file.path } || file.units.count > 1
      })
    return service
  }

  /// Combines a unit with the fragments that it needs, and with all documents that use its fragments, because
  /// validation and renaming must consider them together.
  func joined(_ unit: GraphQLRegion, of file: TextFile) -> CombinedDocument {
    let dependents = index.dependents(of: [file.path])
    let others = dependents.union(index.needed(by: dependents.union([file.path]))).sorted()
    return CombinedDocument(
      CombinedDocument.Member(file: file, unit: unit), and: [file] + others.compactMap { files[$0] })
  }
}
