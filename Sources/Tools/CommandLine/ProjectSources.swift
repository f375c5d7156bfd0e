import ApusClientNetwork
import ApusConfiguration
import ApusExplorerPersistence
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusPlatform
import ApusSecrets
import Synchronization

/// The schema and the documents of the project that a file belongs to.
struct ProjectSources: Equatable, Sendable {
  let definition: ProjectDefinition

  private static let finder = Mutex(
    ProjectFinder(folders: [FilePath(real: HostSystem.workingFolder)?.description ?? HostSystem.workingFolder]))
  /// Messages about unused files that have been printed.
  private static let reported = Mutex<Set<String>>([])

  /// Returns the project of a file; for standard input, the project of the current directory.
  static func find(for file: String) throws(CommandError) -> ProjectSources {
    let path = resolvedPath(of: file)
    let definition = try found { (finder) throws(ConfigurationError) in try finder.project(of: path) }
    // Without a configuration, standard input is unrelated to the files of the folder.
    return ProjectSources(definition: file == "-" && definition.takesSchemaFromDocuments ? .none : definition)
  }

  /// Returns all projects of the current directory's graphql-config file.
  static func all() throws(CommandError) -> [ProjectSources] {
    try found { (finder) throws(ConfigurationError) in
      try finder.projects(of: HostSystem.workingFolder).map(ProjectSources.init)
    }
  }

  private static func found<Result: Sendable>(
    _ body: (inout ProjectFinder) throws(ConfigurationError) -> Result
  ) throws(CommandError) -> Result {
    do throws(ConfigurationError) {
      let (result, notes) = try finder.withLock { (finder) throws(ConfigurationError) in
        (try body(&finder), finder.notes)
      }
      report(notes)
      return result
    } catch {
      throw .file("\(error)")
    }
  }

  /// Returns the absolute path of a file with symbolic links resolved. Standard input counts as a file of the current
  /// directory.
  static func resolvedPath(of file: String) -> FilePath {
    let name = file == "-" ? "\(HostSystem.workingFolder)/-" : FilePattern.absolute(file, in: HostSystem.workingFolder)
    if let real = FilePath(real: name) { return real }
    let path = FilePath(name)
    return FilePath(real: "\(path.folder)").map { $0.appending(path.name.bytes) } ?? path
  }

  /// The reason why a command reads or skips a file that the user did not name individually.
  enum Selection {
    /// The file is a document of its project, or a GraphQL file that no project excludes.
    case document
    /// The file is in another language, and no graphql-config file says whether it is a document.
    case otherLanguage
    /// Like `otherLanguage`, but the language is not searched for GraphQL.
    case unknownLanguage
    /// The file is excluded, or not a document.
    case skipped
  }

  static func selection(of file: LocalFile) throws(CommandError) -> Selection {
    let path = resolvedPath(of: file.path)
    let language = HostLanguage(path: file.path)
    switch try find(for: file.path).definition {
    case .config(_, let project):
      if language == .graphql { return .document }
      // A project that names documents leaves out the other files.
      let isNamed = project.schemaPart(of: "\(path)") != nil || project.isDocument("\(path)")
      guard isNamed || project.documents.isEmpty else { return .skipped }
      return language == .other ? .unknownLanguage : isNamed ? .document : .otherLanguage
    case .folder, .none:
      let isExcluded = try found { (finder) throws(ConfigurationError) in try finder.isExcluded(path) }
      if isExcluded { return .skipped }
      switch language {
      case .graphql: return .document
      case .other: return .unknownLanguage
      case .javascript, .markup, .python, .swift, .markdown: return .otherLanguage
      }
    }
  }

  // MARK: Schema

  /// Returns the project's schema; `nil` if it names none. Endpoints are used only if the user trusts the file.
  func schema(_ arguments: ParsedArguments) async throws(CommandError) -> Schema? {
    try await loadedSchema(arguments)?.read(in: definition.dialects)
  }

  private func loadedSchema(_ arguments: ParsedArguments) async throws(CommandError) -> Schema? {
    switch definition {
    case .none: return nil
    case .folder:
      let definitions = try documents().flatMap(\.units).map(\.document).filter(\.isTypeSystem)
      return definitions.isEmpty ? nil : Schema.load(sdl: definitions)
    case .config(let config, let project):
      guard !project.schemaParts.isEmpty else { return nil }
      return try await schema(of: config, project, arguments)
    }
  }

  /// Whether a file is part of the project's schema.
  func isPartOfSchema(_ file: GraphQLSourceFile) -> Bool {
    definition.takesSchemaFromDocuments
      || definition.schemaPart(of: "\(Self.resolvedPath(of: file.source.name))") != nil
  }

  /// Whether the project names a file as part of its schema or documents.
  func names(_ file: GraphQLSourceFile) -> Bool { definition.names("\(Self.resolvedPath(of: file.source.name))") }

  /// Whether the project is part of a graphql-config file.
  var isConfigured: Bool {
    switch definition {
    case .config: true
    case .folder, .none: false
    }
  }

  private func schema(
    of config: GraphQLConfig, _ project: GraphQLConfig.Project, _ arguments: ParsedArguments
  ) async throws(CommandError) -> Schema {
    let found = definition.schemaFiles()
    let refusal = found.refusals.first { $0.reason != .linkToFolder }
    guard !found.files.isEmpty || !project.schemaEndpoints.isEmpty else {
      throw .file(
        "\(config.file.path): no file of the project matches its schema '\(project.schema.map(FilePattern.path).joined(separator: ", "))'"
          + (refusal.map { "; \($0)" } ?? ""))
    }
    // With an incomplete schema, valid documents would have errors.
    if let refusal { throw .file("\(config.file.path): a part of the schema is missing: \(refusal)") }
    Self.report(found.refusals)
    report(unmatched: found.unmatched, of: config.file, "schema")
    if found.parts.count == 1, case .endpoint(let endpoint) = found.parts[0].source {
      return try await Self.fetch(endpoint, of: config.file, arguments)
    }
    var definitions = SchemaDefinitions()
    for part in found.parts {
      switch part.source {
      case .endpoint(let endpoint): definitions.add(try await Self.fetch(endpoint, of: config.file, arguments))
      case .files: for file in files(part.files) { try definitions.add(file) }
      }
    }
    return try definitions.schema()
  }

  private static func fetch(
    _ endpoint: GraphQLConfig.Endpoint, of file: ProjectFile, _ arguments: ParsedArguments
  ) async throws(CommandError) -> Schema {
    try await SchemaSource.fetch(try Self.reached(endpoint.request, of: file, arguments))
  }

  /// Returns the endpoint of a request that a project's file defines. Throws if the user has not trusted it.
  static func reached(
    _ request: ProjectRequest, of file: ProjectFile, _ arguments: ParsedArguments
  ) throws(CommandError) -> EndpointRequest.Reached {
    let profile: Profile
    do {
      let trust = try TrustStore().trust(in: file)
      profile = try request.profile(in: file, trust: trust, isNamed: false, environment: arguments.environment)
    } catch {
      throw .file("the schema is at \(HTTPRequest(url: request.url.source).redactedURL), and \(error)")
    }
    let secrets = StandardStreams.secrets
    var reached = try EndpointRequest.reached(profile, arguments.environment, secrets)
    reached.request = try EndpointRequest.request(reached.request, arguments, secrets)
    return reached
  }

  // MARK: Documents

  /// Returns the project's schema files with definitions. Introspection results are left out.
  func schemaFiles() -> [LocalFile] { files(definition.schemaFiles().files.filter { !$0.hasSuffix(".json") }) }

  /// Returns the files of the project's documents, sorted.
  ///
  /// - Throws: For a check, if a file with GraphQL cannot be read.
  func documentFiles(isCheck: Bool = false) throws(CommandError) -> [LocalFile] {
    let found = definition.documentFiles()
    try Self.check(found.refusals, mustReadAll: isCheck)
    if isCheck { try Self.check(unread: files(found.otherLanguages)) }
    if case .config(let config, _) = definition { report(unmatched: found.unmatched, of: config.file, "documents") }
    if let first = found.otherLanguages.first {
      let more = found.otherLanguages.count - 1
      Self.report([
        "\(first)\(more > 0 ? " and \(more) more documents" : ""): files in this language are not searched for GraphQL"
      ])
    }
    return files(found.files)
  }

  /// Reads the project's documents. Without a graphql-config file, unreadable files are skipped.
  func documents() throws(CommandError) -> [GraphQLSourceFile] {
    var documents: [GraphQLSourceFile] = []
    for file in try documentFiles() {
      if definition.takesSchemaFromDocuments {
        guard let document = try? file.load(limit: ProjectDefinition.fileLimit) else {
          try CommandError.checkInterruption()
          continue
        }
        documents.append(document)
      } else {
        documents.append(try file.load())
      }
    }
    return documents
  }

  /// Returns the project's other documents and the imported files.
  func others(than files: [GraphQLSourceFile]) throws(CommandError) -> [GraphQLSourceFile] {
    let named = Set(files.map { Self.resolvedPath(of: $0.source.name) })
    let others = try documents().filter { !named.contains(Self.resolvedPath(of: $0.source.name)) }
    return others + Self.imports(of: files + others)
  }

  /// Returns the files that `#import` comments refer to. Reports those that cannot be read.
  static func imports(of files: [GraphQLSourceFile]) -> [GraphQLSourceFile] {
    var imported: [GraphQLSourceFile] = []
    var groups: [ProjectRoot: [GraphQLSourceFile]] = [:]
    for file in files where file.units.contains(where: { !$0.document.imports.isEmpty }) {
      let definition = try? find(for: file.source.name).definition
      let root = definition?.root ?? .project(in: "\(resolvedPath(of: file.source.name).folder)")
      groups[root, default: []].append(file)
    }
    let namedPaths = Set(files.map { resolvedPath(of: $0.source.name) })
    var seen: Set<FilePath> = []
    for (root, files) in groups.sorted(by: { $0.key.folder < $1.key.folder }) {
      let found = root.imports(of: files) { shortened("\($0)") }
      report(found.refusals.map(\.description))
      imported += found.files.filter { file in
        let place = resolvedPath(of: file.source.name)
        return !namedPaths.contains(place) && seen.insert(place).inserted
      }
    }
    return imported
  }

  private func files(_ paths: [String]) -> [LocalFile] {
    guard let root = definition.root else { return [] }
    return paths.map { LocalFile(Self.shortened($0), in: root) }
  }

  /// Returns a path relative to the current directory if it is inside it: `queries/a.graphql`.
  static func shortened(_ path: String) -> String {
    guard let names = FilePath(real: ".")?.components(of: FilePath(path)), !names.isEmpty else { return path }
    return "\(FilePath(names.joined(separator: "/".utf8)))"
  }

  /// Whether a graphql-config file defines which files are documents.
  var hasDocumentPatterns: Bool {
    switch definition {
    case .config(_, let project): !project.documents.isEmpty
    case .folder, .none: false
    }
  }

  /// The name for a report: the project's, or the configuration's path if it has only one project.
  var title: String {
    switch definition {
    case .config(let config, let project): project.name ?? Self.shortened(config.file.path)
    case .folder, .none: "no project"
    }
  }

  /// The part of the project's schema that is in files; `nil` if it names none or they cannot be read.
  var schemaInFiles: Schema? {
    let paths = definition.schemaFiles().files
    return paths.isEmpty ? nil : try? SchemaSource.load(files: files(paths))
  }

  // MARK: Notes

  /// Reports that the descriptions of documents are left out of the text for servers.
  static func report(descriptionsOf documents: [Document]) {
    let count = documents.reduce(0) { $0 + $1.executableDescriptions.count }
    guard count > 0 else { return }
    report([
      "\(count == 1 ? "1 description is" : "\(count) descriptions are") not part of the documents for the server: servers "
        + "from before September 2025 refuse descriptions of operations, fragments and variables"
    ])
  }

  private func report(unmatched patterns: [String], of file: ProjectFile, _ key: String) {
    Self.report(
      patterns.map { "\(file.path): no file matches the \(key) pattern '\(Self.shortened(FilePattern.path(of: $0)))'" })
  }

  /// Reports the files that a search rejected. Throws if the search was incomplete.
  ///
  /// - Parameter mustReadAll: Whether a file that cannot be read is an error too. Files outside a project and of other
  ///   users are not part of it, and the files of linked folders are usually found directly.
  static func check(_ refusals: [FileRefusal], mustReadAll: Bool = false) throws(CommandError) {
    if let refusal = refusals.first(where: { $0.isOfSearch || mustReadAll && $0.isOfContent }) {
      throw .file("\(refusal)")
    }
    report(refusals)
  }

  /// Throws if files in languages that Apus does not read contain GraphQL: a check would pass over it.
  static func check(unread files: [LocalFile]) throws(CommandError) {
    var marked: [String] = []
    for file in files where UnreadLanguage.isCode(file.path) {
      try CommandError.checkInterruption()
      guard let root = file.root, let bytes = try? root.read(file.path, limit: ProjectDefinition.fileLimit),
        UnreadLanguage.isMarked(bytes)
      else { continue }
      marked.append(file.path)
    }
    guard let first = marked.first else { return }
    let more = marked.count > 1 ? " and \(marked.count - 1) more files have" : " has"
    throw .file(
      "\(first)\(more) GraphQL in a language that Apus does not read: move it to a .graphql file, or list the file under "
        + "'exclude' in a graphql-config file")
  }

  private static func report(_ refusals: [FileRefusal]) {
    let new = report(refusals.map(\.description), limit: 10)
    if new > 10 { StandardStreams.narrate("apus: \(new - 10) more files are skipped for similar reasons") }
  }

  /// Prints lines on standard error, each once per run. Returns the number of new lines.
  @discardableResult
  static func report(_ lines: [String], limit: Int = .max) -> Int {
    let new = lines.filter { line in reported.withLock { $0.insert(line).inserted } }
    for line in new.prefix(limit) { StandardStreams.narrate("apus: \(SingleLineText.line(line, limit: 2000))") }
    return new.count
  }
}
