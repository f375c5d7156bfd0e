import ApusConfiguration
import ApusDigest
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// Reads a project from the disk: its files at the same time, with those that are open as the client has them.
struct ProjectLoader: Sendable {
  let world: ServerWorld
  /// Texts that the client has open, by path.
  let open: [FilePath: TextFile]
  /// The open ones that belong to the project, whatever it says of its documents.
  let members: [TextFile]

  /// More files, and longer ones, are not looked at: a folder may be anybody's.
  static let maximumFiles = 50_000
  static let maximumSize = 16 << 20

  struct Loaded: Sendable {
    var project: Project
    /// What a person should know, such as why there is no schema.
    var notes: [String] = []
    /// Where the schema is to be asked for.
    var address: SchemaAddress?
  }

  func load(_ origin: Project.Origin) async -> Loaded {
    switch origin {
    case .config(let config, let project): await load(config, project)
    case .folder(let folder): await load(folder: folder)
    }
  }

  private func load(_ config: GraphQLConfig, _ definition: GraphQLConfig.Project) async -> Loaded {
    var loaded = Loaded(project: Project(origin: .config(config, definition)))
    let root = config.file.root
    let schemaList = config.schemaFiles(of: definition)
    let documentList = config.documentFiles(of: definition, endings: HostLanguage.endings)
    let schemaFiles = Self.real(schemaList.files)
    let documents = Self.real(documentList.files.prefix(Self.maximumFiles))
    let definitions = schemaFiles.filter { !$0.isJSON }
    let files = await read(Set(definitions + documents).sorted(), in: root)
    loaded.project.add(files)
    loaded.project.add(members.filter { file in !files.contains { $0.path == file.path } })
    if let introspection = schemaFiles.first(where: \.isJSON) {
      do throws(WorldFailure) {
        loaded.project.take(
          schema: try schema(ofIntrospection: introspection, in: root), introspectionFile: introspection)
      } catch {
        loaded.project.take(schema: nil, introspectionFile: introspection)
        loaded.notes.append("\(introspection): \(error)")
      }
    } else if !definitions.isEmpty {
      loaded.project.takeSchema(ofFiles: definitions.filter { loaded.project.files[$0] != nil })
      if loaded.project.schema == nil { loaded.notes.append("\(definitions[0]): the schema cannot be read") }
    } else if !definition.schema.isEmpty {
      loaded.notes.append(
        "\(config.file.path): no file of the project matches its schema "
          + "'\(definition.schema.joined(separator: ", "))'")
    } else if let endpoint = definition.schemaEndpoint {
      take(.project(config, endpoint), into: &loaded)
    }
    loaded.notes += Self.notes(schemaList.refusals + documentList.refusals)
    return loaded
  }

  /// A folder without a graphql-config file: the documents in it, and the schema that they define or the person named.
  private func load(folder: String?) async -> Loaded {
    var loaded = Loaded(project: Project(origin: .folder(folder)))
    var files: [TextFile] = []
    if let folder, let root = ProjectRoot.folder(folder), root.folder != FilePath("/"),
      root.folder != FilePath(real: UserFolders.home)
    {
      let list = root.files([GraphQLConfig.pattern(of: GraphQLConfig.documentEndings)], in: folder)
      files = await read(
        Self.real(list.files.prefix(Self.maximumFiles).map { FilePattern.absolute($0, in: folder) }), in: root)
    }
    loaded.project.add(files + members.filter { file in !files.contains { $0.path == file.path } })
    if let source = world.schemaSource {
      take(.named(source), into: &loaded)
    } else {
      loaded.project.rebuildSchema()
    }
    return loaded
  }

  private func take(_ address: SchemaAddress, into loaded: inout Loaded) {
    loaded.address = address
    if let kept = world.keptSchema(address) { loaded.project.take(schema: kept.schema, time: kept.time) }
  }

  // MARK: Files

  /// The paths with links followed, each once, sorted.
  private static func real(_ paths: some Sequence<String>) -> [FilePath] {
    Set(paths.map { FilePath(real: $0) ?? FilePath($0) }).sorted()
  }

  /// The messages about the first refused files. There is none for a link to a folder, which many projects have.
  private static func notes(_ refusals: [FileRefusal]) -> [String] {
    refusals.filter { $0.reason != .linkToFolder }.prefix(10).map(\.description)
  }

  private func read(_ paths: [FilePath], in root: ProjectRoot) async -> [TextFile] {
    let portion = 64
    return await withTaskGroup(of: [TextFile].self) { group in
      for start in stride(from: 0, to: paths.count, by: portion) {
        let some = paths[start..<min(start + portion, paths.count)]
        group.addTask { some.compactMap { open[$0] ?? Self.file(at: $0, in: root) } }
      }
      var files: [TextFile] = []
      for await some in group { files += some }
      return files
    }
  }

  /// A file as it is on the disk; nil for one that the root refuses or that is too long.
  static func file(at path: FilePath, in root: ProjectRoot?) -> TextFile? {
    guard let bytes = try? root?.read("\(path)", limit: maximumSize) else { return nil }
    return TextFile(
      path: path, uri: DocumentURI.of(path: path), language: HostLanguage(path: "\(path)"), version: nil, bytes: bytes)
  }

  /// The schema of an introspection result, by a text of it in the cache folder, so that its definitions can be gone to.
  private func schema(
    ofIntrospection path: FilePath, in root: ProjectRoot
  ) throws(WorldFailure) -> Schema {
    let schema: Schema
    do {
      schema = try Schema.load(introspection: JSONDocument(parsing: try root.read("\(path)", limit: 64 << 20)).root)
    } catch {
      throw WorldFailure("\(error)")
    }
    let text = Array(schema.printSDL().utf8)
    let name = "\(world.cacheFolder)/lsp/\(SHA256Digest.hexadecimal(of: path.bytes)).graphql"
    do throws(ConfigurationError) {
      try UserFile.makePrivateFolder("\(world.cacheFolder)/lsp")
      if try UserFile.read(name, limit: 64 << 20) != text { try UserFile.replace(name, with: text, mode: 0o400) }
    } catch {
      // Without the text, its definitions cannot be gone to: nothing else is lost.
      return schema
    }
    return Schema.load(sdl: [Document(parsing: text, name: name)])
  }
}

extension FilePath {
  /// Whether an introspection result is expected in the file.
  fileprivate var isJSON: Bool { bytes.suffix(5).elementsEqual(".json".utf8) }
}
