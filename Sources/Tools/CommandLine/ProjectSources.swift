import ApusClientNetwork
import ApusConfiguration
import ApusExplorerKeeping
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusPlatform
import ApusSecrets
import Synchronization

/// The schema and the documents of the project that a file belongs to, as the nearest graphql-config file names them.
struct ProjectSources: Equatable, Sendable {
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

  /// The programs that are not read and were told.
  private static let told = Mutex<Set<String>>([])

  private static func config(from folder: String) throws(CommandFailure) -> GraphQLConfig? {
    do throws(ConfigurationError) {
      if let config = try GraphQLConfig.find(from: folder) { return config }
      if let program = ProjectFile.unread(from: folder), told.withLock({ $0.insert(program).inserted }) {
        StandardStreams.narrate("apus: \(PlainText.line(ProjectFile.unreadNote(program), limit: 2000))")
      }
      return nil
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
      let files = config.schemaFiles(of: project)
      guard !files.isEmpty else {
        throw .file(
          "\(config.file.path): no file of the project matches its schema '\(project.schema.joined(separator: ", "))'")
      }
      return try SchemaSource.load(files: files.map(Self.shortened))
    }
    guard let endpoint = project.schemaEndpoint else { return nil }
    return try await SchemaSource.fetch(try Self.request(endpoint.request, of: config.file, arguments))
  }

  /// A request that a project's file causes by itself, where it passes the gate.
  static func request(
    _ request: ProjectRequest, of file: ProjectFile, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> HTTPRequest {
    let profile: Profile
    do {
      let trust = try TrustStore().trust(in: file)
      profile = try request.profile(in: file, trust: trust, isNamed: false, environment: arguments.environment)
    } catch {
      throw .file("the schema is at \(HTTPRequest(url: request.url.source).shownURL), and \(error)")
    }
    let secrets = StandardStreams.secrets
    return try Endpoint.request(
      Endpoint.request(for: profile, arguments.environment, secrets), arguments, secrets)
  }

  /// The names of the project's documents, sorted. What is in another language is left out.
  func documentFiles() -> [String] {
    config.documentFiles(of: project, endings: DocumentFiles.endings).map(Self.shortened)
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

  /// A path from the working folder, where it lies in it.
  private static func shortened(_ path: String) -> String {
    guard let folder = realPath("."), path.hasPrefix(folder + "/") else { return path }
    return String(path.dropFirst(folder.count + 1))
  }

  private static func realPath(_ path: String) -> String? { ProjectFile.realPath(path) }
}

/// The files that the words of a command line stand for: files, folders and patterns.
enum DocumentFiles {
  static let endings = GraphQLConfig.documentEndings

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

  /// The documents of some words that have something to execute; one that has syntax errors is refused.
  static func executable(_ words: [String]) throws(CommandFailure) -> [Document] {
    var documents: [Document] = []
    var seen: Set<String> = []
    for word in words {
      for file in try named(by: word) where seen.insert(file).inserted {
        let document = try LocalFile.document(file)
        if let diagnostic = document.diagnostics.first {
          let place = document.source.location(at: diagnostic.range.lowerBound)
          throw CommandFailure(
            exitCode: .resultHasErrors, message: "\(file):\(place.line):\(place.column): \(diagnostic.message)")
        }
        if !document.isTypeSystem { documents.append(document) }
      }
    }
    return documents
  }

  private static func named(by word: String) throws(CommandFailure) -> [String] {
    if FilePattern.isFolder(word) {
      let folder = word.hasSuffix("/") && word != "/" ? String(word.dropLast()) : word
      let files = FilePattern.files([GraphQLConfig.pattern(of: endings)], in: folder).map {
        folder == "." ? $0 : "\(folder)/\($0)"
      }
      guard !files.isEmpty else { throw .file("there is no document (\(endings.joined(separator: ", "))) in \(word)") }
      return files
    }
    guard word != "-", FilePattern.isPattern(word), access(word, F_OK) != 0 else { return [word] }
    let files = FilePattern.files([word], in: ".")
    guard !files.isEmpty else { throw .file("no file matches '\(word)'") }
    return files
  }
}
