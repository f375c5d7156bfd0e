import ApusConfiguration
import ApusDigest
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// Loads a project from disk. Files are read concurrently; open documents are used instead of their files.
struct ProjectLoader: Sendable {
  let environment: ServerEnvironment
  /// The documents that the client has open, by path.
  let open: [FilePath: TextFile]
  /// The open documents that belong to the project even if its configuration does not match them.
  let members: [TextFile]

  struct LoadedProject: Sendable {
    var project: Project
    /// Messages for the user, such as the reason why there is no schema.
    var notes: [String] = []
    /// The addresses of schemas that are not files.
    var addresses: [SchemaEndpoint] = []
  }

  func load(_ origin: ProjectDefinition) async -> LoadedProject {
    var loaded = LoadedProject(project: Project(origin: origin))
    switch origin {
    case .config(let config, let project): await load(config, project, into: &loaded)
    case .folder, .none:
      await addDocuments(of: origin, and: [], into: &loaded)
      loaded.project.schemaSources = environment.schemaSources
      for source in environment.schemaSources { load(.named(source), into: &loaded) }
      if environment.schemaSources.isEmpty { loaded.project.rebuildSchema() }
    }
    return loaded
  }

  private func load(
    _ config: GraphQLConfig, _ definition: GraphQLConfig.Project, into loaded: inout LoadedProject
  ) async {
    let found = loaded.project.origin.schemaFiles()
    let schemaFiles = Self.real(found.files)
    let definitions = schemaFiles.filter { !$0.isJSON }
    await addDocuments(of: loaded.project.origin, and: definitions, into: &loaded)
    var introspection: [FilePath: Document] = [:]
    for path in schemaFiles where path.isJSON {
      do throws(ServerEnvironmentError) {
        introspection[path] = try self.definitions(ofIntrospection: path, in: config.file.root)
      } catch {
        loaded.notes.append("\(path): \(error)")
      }
    }
    let sources = definitions.compactMap { loaded.project.files[$0] }
    let imported = files(importedBy: sources, in: config.file.root, into: &loaded)
    loaded.project.takeSchema(ofFiles: sources.map(\.path) + imported, introspection: introspection)
    defer { loaded.notes += Self.notes(found.refusals) }
    loaded.notes += found.unmatched.map {
      "\(config.file.path): no file matches the schema pattern '\(FilePattern.path(of: $0))'"
    }
    if found.files.isEmpty, definition.schemaEndpoints.isEmpty, !definition.schema.isEmpty {
      loaded.notes.append(
        "\(config.file.path): no file of the project matches its schema "
          + "'\(definition.schema.map(FilePattern.path).joined(separator: ", "))'")
    } else if !definitions.isEmpty, loaded.project.schema == nil {
      loaded.notes.append("\(definitions[0]): the schema cannot be read")
    }
    for endpoint in definition.schemaEndpoints { load(.project(config, endpoint), into: &loaded) }
  }

  /// Reads the documents of a project, its schema files, and the files that their comments import.
  private func addDocuments(
    of origin: ProjectDefinition, and schemaFiles: [FilePath], into loaded: inout LoadedProject
  ) async {
    let found = origin.documentFiles()
    loaded.notes += Self.notes(found.refusals)
    loaded.notes += found.unmatched.map { "no file matches '\(FilePattern.path(of: $0))' of the project's documents" }
    let documents = Self.real(found.files.prefix(ProjectDefinition.folderLimit))
    let schema = Set(schemaFiles)
    let root = origin.root ?? members.first.map { .project(in: "\($0.path.folder)") }
    var files: [TextFile] = []
    if let root { files = await read(schema.union(documents).sorted(), in: root, schema: schema) }
    let read = Set(files.map(\.path))
    loaded.project.add(files + members.filter { !read.contains($0.path) })
    if let root { _ = self.files(importedBy: Array(loaded.project.files.values), in: root, into: &loaded) }
  }

  /// Reads the files that comments import and adds them to the project. Returns their paths.
  private func files(
    importedBy files: [TextFile], in root: ProjectRoot, into loaded: inout LoadedProject
  ) -> [FilePath] {
    let importing = files.filter { $0.units.contains { !$0.document.imports.isEmpty } }.sorted { $0.path < $1.path }
    guard !importing.isEmpty else { return [] }
    let found = root.imports(of: importing.map(\.content)) { "\($0)" }
    loaded.notes += Self.notes(found.refusals)
    let new = found.files.map { FilePath($0.source.name) }.filter { loaded.project.files[$0] == nil }
    loaded.project.add(
      found.files.filter { loaded.project.files[FilePath($0.source.name)] == nil }.map { content in
        let path = FilePath(content.source.name)
        return open[path] ?? TextFile(path: path, uri: DocumentURI.of(path: path), version: nil, content: content)
      })
    let projectPaths = Set(files.map(\.path))
    return found.files.map { FilePath($0.source.name) }.filter { new.contains($0) || !projectPaths.contains($0) }
  }

  private func load(_ address: SchemaEndpoint, into loaded: inout LoadedProject) {
    loaded.addresses.append(address)
    if let saved = environment.keptSchema(address) { loaded.project.setSchema(saved, from: address) }
  }

  // MARK: Files

  /// Returns the paths with symbolic links resolved, sorted and without duplicates.
  private static func real(_ paths: some Sequence<String>) -> [FilePath] {
    Set(paths.map { FilePath(real: $0) ?? FilePath($0) }).sorted()
  }

  /// Returns messages about the first refused files, except links to folders, which are common.
  private static func notes(_ refusals: [FileRefusal]) -> [String] {
    refusals.filter { $0.reason != .linkToFolder }.prefix(10).map(\.description)
  }

  private func read(_ paths: [FilePath], in root: ProjectRoot, schema: Set<FilePath>) async -> [TextFile] {
    let portion = 64
    return await withTaskGroup(of: [TextFile].self) { group in
      for start in stride(from: 0, to: paths.count, by: portion) {
        let some = paths[start..<min(start + portion, paths.count)]
        group.addTask { some.compactMap { open[$0] ?? Self.file(at: $0, in: root, isSchema: schema.contains($0)) } }
      }
      var files: [TextFile] = []
      for await some in group { files += some }
      return files
    }
  }

  /// Reads a file; nil if the root refuses it or it is too large.
  ///
  /// - Parameter isSchema: Whether the file is GraphQL regardless of its name.
  static func file(at path: FilePath, in root: ProjectRoot?, isSchema: Bool = false) -> TextFile? {
    guard let bytes = try? root?.read("\(path)", limit: ProjectDefinition.fileLimit) else { return nil }
    let language = HostLanguage(path: "\(path)")
    return TextFile(
      path: path, uri: DocumentURI.of(path: path), language: language == .other && isSchema ? .graphql : language,
      version: nil, bytes: bytes)
  }

  /// Returns the definitions of an introspection result, printed as SDL in the cache folder to allow navigation.
  private func definitions(
    ofIntrospection path: FilePath, in root: ProjectRoot
  ) throws(ServerEnvironmentError) -> Document {
    let schema: Schema
    do {
      schema = try Schema.load(introspection: JSONDocument(parsing: try root.read("\(path)", limit: 64 << 20)).root)
    } catch {
      throw ServerEnvironmentError("\(error)")
    }
    let text = Array(schema.printSDL().utf8)
    let name = "\(environment.cacheFolder)/lsp/\(SHA256Digest.hexadecimal(of: path.bytes)).graphql"
    do throws(ConfigurationError) {
      try UserFile.makePrivateFolder("\(environment.cacheFolder)/lsp")
      if try UserFile.read(name, limit: 64 << 20) != text { try UserFile.replace(name, with: text, mode: 0o400) }
    } catch {
      // Without the file, only navigation to the definitions is unavailable.
      return schema.documents[0]
    }
    return Document(parsing: text, name: name)
  }
}

extension FilePath {
  /// Whether the file should be an introspection result.
  var isJSON: Bool { bytes.suffix(5).elementsEqual(".json".utf8) }
}
