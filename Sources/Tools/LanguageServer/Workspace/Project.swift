import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLSchema

/// A schema and the documents that belong to it, as they are at one moment.
struct Project: Sendable {
  /// Where a project's definition comes from: a graphql-config file, or a folder without one.
  enum Origin: Sendable, Equatable {
    case config(GraphQLConfig, GraphQLConfig.Project)
    /// nil for documents of no folder.
    case folder(String?)

    /// The root of the project's files; nil for documents of no folder.
    var root: ProjectRoot? {
      switch self {
      case .config(let config, _): config.file.root
      case .folder(let folder): folder.flatMap(ProjectRoot.folder)
      }
    }
  }

  let origin: Origin
  /// What the documents are judged by.
  private(set) var schema: Schema?
  /// The files of the schema that are in the schema language, in their order.
  private(set) var schemaFiles: [FilePath] = []
  /// The file with an introspection result that the schema is read from.
  private(set) var introspectionFile: FilePath?
  /// When the schema was asked for at its endpoint, in seconds since 1970.
  private(set) var schemaTime: Int?
  private(set) var files: [FilePath: TextFile] = [:]
  private(set) var index = ProjectIndex()

  init(origin: Origin) { self.origin = origin }

  /// A folder's own definitions make its schema.
  var takesSchemaFromDocuments: Bool {
    if case .folder = origin { schemaTime == nil } else { false }
  }

  var endpoint: GraphQLConfig.Endpoint? {
    guard case .config(let config, let project) = origin else { return nil }
    return project.schemaEndpoint
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
    let wasTypeSystem = files[path]?.isTypeSystem ?? false
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
    let touchesSchema =
      schemaFiles.contains(path) || takesSchemaFromDocuments && (wasTypeSystem || file?.isTypeSystem ?? false)
    if touchesSchema, rebuildSchema() { return Effect(files: Set(files.keys), isOfSchema: true) }
    return Effect(files: affected, isOfSchema: false)
  }

  /// Takes many files at once, before anything was judged.
  mutating func add(_ added: [TextFile]) {
    for file in added {
      files[file.path] = file
      index.set(DefinitionSummary.all(in: file), for: file.path)
    }
  }

  mutating func take(schema: Schema?, time: Int? = nil, introspectionFile: FilePath? = nil) {
    self.schema = schema
    schemaTime = time
    self.introspectionFile = introspectionFile
    schemaFiles = []
  }

  /// The schema that these files make, which are among the project's.
  mutating func takeSchema(ofFiles paths: [FilePath]) {
    schemaFiles = paths
    rebuildSchema()
  }

  /// Makes the schema anew of its files. While one of them does not parse, the schema before stays: what is not yet
  /// written would be missed in every document.
  @discardableResult
  mutating func rebuildSchema() -> Bool {
    if takesSchemaFromDocuments {
      schemaFiles = files.values.filter(\.isTypeSystem).map(\.path).sorted()
    }
    let documents = schemaFiles.compactMap { files[$0] }.flatMap { $0.units.map(\.document) }
    if schema != nil, documents.contains(where: \.hasErrors) { return false }
    schema = documents.isEmpty ? nil : Schema.load(sdl: documents)
    return true
  }

  // MARK: Questions

  func isSchemaFile(_ path: FilePath) -> Bool { schemaFiles.contains(path) }

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
