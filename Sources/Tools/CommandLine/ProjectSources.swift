import ApusClientNetwork
import ApusConfiguration
import ApusExplorerKeeping
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusSecrets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The schema and the documents of the project that a file belongs to, as the nearest graphql-config file names them.
struct ProjectSources: Hashable, Sendable {
  let config: GraphQLConfig
  let project: GraphQLConfig.Project

  /// The project of a file; that of the working folder for standard input. nil where no graphql-config file is near, or
  /// it has no project for the file.
  static func find(for file: String) throws(CommandFailure) -> ProjectSources? {
    let path = realPath(file == "-" ? "." : file) ?? file
    let folder = file == "-" ? path : path.lastIndex(of: "/").map { String(path[..<$0]) } ?? Host.workingFolder
    guard let config = try config(from: folder.isEmpty ? "/" : folder) else { return nil }
    return config.project(of: file == "-" ? folder + "/-" : path).map { ProjectSources(config: config, project: $0) }
  }

  /// Every project of the working folder.
  static func all() throws(CommandFailure) -> [ProjectSources] {
    guard let config = try config(from: Host.workingFolder) else { return [] }
    return config.projects.map { ProjectSources(config: config, project: $0) }
  }

  private static func config(from folder: String) throws(CommandFailure) -> GraphQLConfig? {
    do throws(ConfigurationError) {
      return try GraphQLConfig.find(from: folder)
    } catch {
      throw .file("\(error)")
    }
  }

  /// Whether the project says where its schema is.
  var namesSchema: Bool { !project.schema.isEmpty || project.schemaEndpoint != nil }

  /// The project's schema; nil where it names none. It is asked for at a URL only when the person trusts the file:
  /// nobody named that URL here.
  func schema(_ arguments: ParsedArguments) async throws(CommandFailure) -> Schema? {
    if !project.schema.isEmpty {
      let files = files(project.schema)
      guard !files.isEmpty else {
        throw .file(
          "\(config.file.path): no file of the project matches its schema '\(project.schema.joined(separator: ", "))'")
      }
      return try SchemaSource.load(files: files.map(Self.shortened))
    }
    guard let endpoint = project.schemaEndpoint else { return nil }
    let profile: Profile
    do throws(ProjectError) {
      guard let trust = TrustStore().trust(in: config.file) else { throw .untrusted(file: config.file.path) }
      profile = try config.profile(of: endpoint, trust: trust)
    } catch {
      throw .file("the schema is at \(HTTPRequest(url: endpoint.url.source).shownURL), and \(error)")
    }
    let secrets = SecretValues()
    return try await SchemaSource.fetch(Endpoint.request(Endpoint.request(for: profile, secrets), arguments, secrets))
  }

  /// The names of the project's documents, sorted. What is in another language is left out.
  func documentFiles() -> [String] {
    files(project.documents.map(Self.filesOfFolder)).filter { file in
      DocumentFiles.endings.contains { file.hasSuffix($0) }
    }
    .map(Self.shortened)
  }

  /// The files of some patterns. What lies outside the project is neither read nor looked through: its file decides about
  /// no other place.
  private func files(_ patterns: [String]) -> [String] {
    let root = ProjectFile.root(of: config.file.folder)
    func isInside(_ path: String) -> Bool {
      Self.realPath(path).map { root == "/" || $0 == root || $0.hasPrefix(root + "/") } ?? false
    }
    let allowed = patterns.filter { pattern in
      if pattern.hasPrefix("!") { return true }
      let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
      let fixed = parts.prefix { part in !part.contains { "*?{".contains($0) } }
      return isInside(fixed.joined(separator: "/")) && !parts.dropFirst(fixed.count).contains { $0.contains("..") }
    }
    return FilePattern.files(allowed, in: config.file.folder).filter(isInside)
  }

  /// The project's documents but for some, for the fragments in them.
  func documents(but files: [String]) throws(CommandFailure) -> [Document] {
    let known = Set(files.compactMap(Self.realPath))
    var documents: [Document] = []
    for file in documentFiles() where Self.realPath(file).map(known.contains) == false {
      let document = Document(parsing: try LocalFile.readRegular(file), name: file)
      if !document.isTypeSystem { documents.append(document) }
    }
    return documents
  }

  private static func filesOfFolder(_ pattern: String) -> String {
    guard !pattern.hasPrefix("!"), FilePattern.isFolder(pattern) else { return pattern }
    return "\(pattern)/\(DocumentFiles.pattern)"
  }

  /// A path from the working folder, where it lies in it.
  private static func shortened(_ path: String) -> String {
    guard let folder = realPath("."), path.hasPrefix(folder + "/") else { return path }
    return String(path.dropFirst(folder.count + 1))
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// The files that the words of a command line stand for: files, folders and patterns.
enum DocumentFiles {
  static let endings = [".graphql", ".graphqls", ".gql"]
  static let pattern = "**/*.{graphql,graphqls,gql}"

  /// Every file once, in the order of the words; without words, the documents of the working folder's project.
  static func named(by arguments: ParsedArguments) throws(CommandFailure) -> [String] {
    var files: [String] = []
    if arguments.operands.isEmpty {
      for sources in try ProjectSources.all() { files += sources.documentFiles() }
      guard !files.isEmpty else {
        throw .usage(
          "FILE is missing: name files, folders or patterns, or write a graphql-config file with documents",
          command: arguments.command.name)
      }
    }
    for word in arguments.operands { files += try named(by: word) }
    var seen: Set<String> = []
    return files.filter { seen.insert($0).inserted }
  }

  private static func named(by word: String) throws(CommandFailure) -> [String] {
    if FilePattern.isFolder(word) {
      let folder = word.hasSuffix("/") && word != "/" ? String(word.dropLast()) : word
      let files = FilePattern.files([pattern], in: folder).map { folder == "." ? $0 : "\(folder)/\($0)" }
      guard !files.isEmpty else { throw .file("there is no document (\(endings.joined(separator: ", "))) in \(word)") }
      return files
    }
    guard word != "-", FilePattern.isPattern(word), access(word, F_OK) != 0 else { return [word] }
    let files = FilePattern.files([word], in: ".")
    guard !files.isEmpty else { throw .file("no file matches '\(word)'") }
    return files
  }
}
