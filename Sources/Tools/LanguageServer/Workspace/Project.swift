import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLSchema

/// A schema and the documents that belong to it, as they are at one moment.
struct Project: Sendable {
  let origin: ProjectDefinition
  let dialects: DialectSelection
  /// What the documents are judged by.
  private(set) var schema: Schema?
  /// The files of the schema that are in the schema language, in the order in which they make it.
  private(set) var schemaFiles: [FilePath] = []
  /// The definitions of introspection results that are files of the schema.
  private var introspection: [FilePath: Document] = [:]
  /// The schemas that were asked for, by their addresses.
  private var fetched: [SchemaAddress: TimedSchema] = [:]
  private(set) var files: [FilePath: TextFile] = [:]
  private(set) var index = ProjectIndex()

  init(origin: ProjectDefinition) {
    self.origin = origin
    dialects = origin.dialects
  }

  /// Whether its own definitions make its schema.
  var takesSchemaFromDocuments: Bool {
    switch origin {
    case .config: false
    case .folder, .none: fetched.isEmpty
    }
  }

  /// Whether a schema was asked for.
  var hasFetchedSchema: Bool { !fetched.isEmpty }

  var endpoint: GraphQLConfig.Endpoint? {
    guard case .config(let config, let project) = origin else { return nil }
    return project.schemaEndpoints.first
      ?? config.endpoints.first { endpoint in
        project.name.map { endpoint.name == $0 || endpoint.name.hasPrefix("\($0)/") } ?? true
      }
  }

  // MARK: Changes

  /// What a change of one file may have made different.
  struct Effect {
    /// Files that must be judged again, the changed one among them.
    var files: Set<FilePath>
    var isOfSchema: Bool
  }

  /// Takes a file's text; nil for a file that is gone.
  mutating func set(_ file: TextFile?, at path: FilePath) -> Effect {
    let old = index.summaries[path] ?? []
    let wasTypeSystem = files[path].map { !$0.definitions.isEmpty } ?? false
    let isTypeSystem = file.map { !$0.definitions.isEmpty } ?? false
    var affected: Set = [path]
    affected.formUnion(index.dependents(of: [path]))
    files[path] = file
    let new = file.map(DefinitionSummary.all) ?? []
    // Most edits change nothing of what others may name.
    if old != new {
      index.set(file == nil ? nil : new, for: path)
      affected.formUnion(index.dependents(of: [path]))
      let both = old + new
      affected.formUnion(index.files(naming: Set(both.compactMap(\.name)).union(both.flatMap(\.spreads))))
    }
    // A file that the schema's patterns match may have come just now.
    if file != nil, !path.isJSON, !schemaFiles.contains(path), origin.schemaPart(of: "\(path)") != nil {
      schemaFiles.append(path)
    }
    let touchesSchema =
      schemaFiles.contains(path) || takesSchemaFromDocuments && (wasTypeSystem || isTypeSystem)
    if touchesSchema, rebuildSchema() { return Effect(files: Set(files.keys), isOfSchema: true) }
    // Definitions outside the schema are validated together.
    if wasTypeSystem || isTypeSystem { affected.formUnion(definitionsApart.map(\.file.path)) }
    return Effect(files: affected, isOfSchema: false)
  }

  /// Takes many files at once, before anything was judged.
  mutating func add(_ added: [TextFile]) {
    for file in added {
      files[file.path] = file
      index.set(DefinitionSummary.all(in: file), for: file.path)
    }
  }

  /// Takes a schema that was asked for at an address.
  mutating func take(_ schema: TimedSchema, from address: SchemaAddress) {
    fetched[address] = schema
    rebuildSchema()
  }

  /// Takes the files that make the schema: those with definitions, which are among the project's, and the definitions of
  /// introspection results.
  mutating func takeSchema(ofFiles paths: [FilePath], introspection: [FilePath: Document]) {
    schemaFiles = paths
    self.introspection = introspection
    rebuildSchema()
  }

  /// Makes the schema of its sources, in their order. While one of its files does not parse, the schema before stays: what
  /// is not yet written would be missed in every document.
  @discardableResult
  mutating func rebuildSchema() -> Bool {
    switch origin {
    case .config(_, let project): return rebuild(project)
    case .folder, .none:
      if let named = fetched.values.first {
        schemaFiles = []
        schema = named.schema.read(in: dialects)
      } else {
        schemaFiles = files.values.filter { !$0.definitions.isEmpty }.map(\.path).sorted()
        return takeSchema(of: schemaFiles.compactMap { files[$0] }.flatMap(\.definitions))
      }
      return true
    }
  }

  private mutating func rebuild(_ project: GraphQLConfig.Project) -> Bool {
    let parts = Dictionary(grouping: schemaFiles + introspection.keys) { path in
      // The files that others import come last.
      origin.schemaPart(of: "\(path)") ?? project.schemaParts.count
    }.mapValues { $0.sorted() }
    schemaFiles = parts.sorted { $0.key < $1.key }.flatMap(\.value).filter { introspection[$0] == nil }
    var documents: [Document] = []
    for (index, part) in project.schemaParts.enumerated() {
      switch part {
      case .endpoint(let endpoint):
        let schema = fetched.first { $0.key.endpoint == endpoint }?.value.schema
        if let schema, project.schemaParts.count == 1 {
          self.schema = schema.read(in: dialects)
          return true
        }
        documents += schema?.documents ?? []
      case .files: documents += self.documents(of: parts[index] ?? [])
      }
    }
    return takeSchema(of: documents + self.documents(of: parts[project.schemaParts.count] ?? []))
  }

  private func documents(of paths: [FilePath]) -> [Document] {
    paths.flatMap { path -> [Document] in
      if let definitions = introspection[path] { return [definitions] }
      guard let file = files[path] else { return [] }
      // A file of another language holds documents too.
      return file.language == .graphql ? file.units.map(\.document) : file.definitions
    }
  }

  private mutating func takeSchema(of documents: [Document]) -> Bool {
    if schema != nil, documents.contains(where: \.hasErrors) { return false }
    schema = documents.isEmpty ? nil : Schema.load(sdl: documents, dialects: dialects)
    return true
  }

  // MARK: Questions

  func isSchemaFile(_ path: FilePath) -> Bool { schemaFiles.contains(path) }

  /// The definitions of types in files outside the project's schema.
  var definitionsApart: [(file: TextFile, document: Document)] {
    guard !takesSchemaFromDocuments else { return [] }
    return files.values.filter { !isSchemaFile($0.path) }.sorted { $0.path < $1.path }.flatMap { file in
      file.definitions.map { (file, $0) }
    }
  }

  /// The service for a piece of one of the project's files.
  func service(_ unit: GraphQLUnit, of file: TextFile) -> LanguageService {
    var service = LanguageService(document: unit.document, schema: schema)
    service.fragmentsSpreadElsewhere = Set(
      unit.document.fragments.map(\.name.value).filter { name in
        index.files(spreading: name).contains { $0 != file.path } || file.units.count > 1
      })
    return service
  }

  /// A piece of a file with the fragments that it needs, and with all that comes by the fragments it defines: what the
  /// specification judges and names together.
  func joined(_ unit: GraphQLUnit, of file: TextFile) -> JoinedUnits {
    let dependents = index.dependents(of: [file.path])
    let others = dependents.union(index.needed(by: dependents.union([file.path]))).sorted()
    return JoinedUnits(
      JoinedUnits.Member(file: file, unit: unit), and: [file] + others.compactMap { files[$0] })
  }
}
