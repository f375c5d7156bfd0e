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
    let place = file == "-" ? "\(Host.workingFolder)/-" : file
    let path = FilePath(real: place) ?? FilePath(place)
    let folder = path.bytes.first == UInt8(ascii: "/") ? "\(path.folder)" : Host.workingFolder
    guard let config = try config(from: folder) else { return nil }
    return config.project(of: "\(path)").map { ProjectSources(config: config, project: $0) }
  }

  /// Every project of the working folder.
  static func all() throws(CommandFailure) -> [ProjectSources] {
    guard let config = try config(from: Host.workingFolder) else { return [] }
    return config.projects.map { ProjectSources(config: config, project: $0) }
  }

  /// The programs and files that are not read, and were reported.
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
      let list = config.schemaFiles(of: project)
      let refusal = list.refusals.first { $0.reason != .linkToFolder }
      guard !list.files.isEmpty else {
        throw .file(
          "\(config.file.path): no file of the project matches its schema '\(project.schema.joined(separator: ", "))'"
            + (refusal.map { "; \($0)" } ?? ""))
      }
      // Without a part of the schema, valid documents would have errors.
      if let refusal { throw .file("\(config.file.path): a part of the schema is missing: \(refusal)") }
      Self.report(list.refusals)
      return try SchemaSource.load(files: files(list))
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

  /// The project's documents, sorted. A file in another language is left out.
  func documentFiles() throws(CommandFailure) -> [LocalFile] {
    let list = config.documentFiles(of: project, endings: DocumentFiles.endings)
    try Self.check(list)
    return files(list)
  }

  /// The project's documents but for some, for the fragments in them.
  func documents(but files: [String]) throws(CommandFailure) -> [Document] {
    let known = Set(files.compactMap { FilePath(real: $0) })
    var documents: [Document] = []
    for file in try documentFiles() where FilePath(real: file.path).map(known.contains) == false {
      let document = try file.document()
      if !document.isTypeSystem { documents.append(document) }
    }
    return documents
  }

  private func files(_ list: FileList) -> [LocalFile] {
    let root = config.file.root
    return list.files.map { LocalFile(Self.shortened($0), in: root) }
  }

  /// A path from the working folder, where it lies in it.
  private static func shortened(_ path: String) -> String {
    guard let names = FilePath(real: ".")?.components(of: FilePath(path)), !names.isEmpty else { return path }
    return "\(FilePath(names.joined(separator: "/".utf8)))"
  }

  // MARK: Refused files

  /// Reports the files that a search refused. A search that ended early is a failure.
  static func check(_ list: FileList) throws(CommandFailure) {
    for refusal in list.refusals {
      switch refusal.reason {
      case .tooMany, .tooManyAlternatives: throw .file("\(refusal)")
      case .missing, .outside, .linkToFolder, .notRegular, .tooLarge, .ofAnotherUser, .writableByEveryone, .nameNotUTF8,
        .unreadable, .unwritable:
        break
      }
    }
    report(list.refusals)
  }

  /// Prints a line for each of the first refused files, once.
  private static func report(_ refusals: [FileRefusal]) {
    let new = refusals.map { "\($0)" }.filter { line in told.withLock { $0.insert(line).inserted } }
    for line in new.prefix(10) { StandardStreams.narrate("apus: \(PlainText.line(line, limit: 2000))") }
    if new.count > 10 { StandardStreams.narrate("apus: \(new.count - 10) more files are not used for such reasons") }
  }
}

/// The files that the words of a command line stand for: files, folders and patterns.
enum DocumentFiles {
  static let endings = GraphQLConfig.documentEndings

  /// Every file once, in the order of the words; without words, the documents of the working folder's project.
  static func named(by arguments: ParsedArguments) throws(CommandFailure) -> [LocalFile] {
    var files: [LocalFile] = []
    if arguments.operands.isEmpty {
      for sources in try ProjectSources.all() { files += try sources.documentFiles() }
      guard !files.isEmpty else {
        throw .usage(
          "FILE is missing: name files, folders or patterns, or write a graphql-config file with documents",
          command: arguments.command.name)
      }
    }
    return unique(files + (try self.files(named: arguments.operands)))
  }

  /// The documents in some files that have something to execute; one that has syntax errors is refused.
  static func executable(_ files: [LocalFile]) throws(CommandFailure) -> [Document] {
    var documents: [Document] = []
    for file in files {
      let document = try file.document()
      if let diagnostic = document.diagnostics.first {
        let place = document.source.location(at: diagnostic.range.lowerBound)
        throw CommandFailure(
          exitCode: .resultHasErrors, message: "\(file.path):\(place.line):\(place.column): \(diagnostic.message)")
      }
      if !document.isTypeSystem { documents.append(document) }
    }
    return documents
  }

  /// Every file once, in the order of the words.
  static func files(named words: [String]) throws(CommandFailure) -> [LocalFile] {
    var files: [LocalFile] = []
    for word in words { files += try self.files(named: word) }
    return unique(files)
  }

  private static func unique(_ files: [LocalFile]) -> [LocalFile] {
    var seen: Set<FilePath> = []
    return files.filter { seen.insert(FilePath($0.path)).inserted }
  }

  private static func files(named word: String) throws(CommandFailure) -> [LocalFile] {
    if FilePattern.isFolder(word) {
      let folder = word.hasSuffix("/") && word != "/" ? String(word.dropLast()) : word
      let files = try search(GraphQLConfig.pattern(of: endings), from: folder, in: folder)
      guard !files.isEmpty else { throw .file("there is no document (\(endings.joined(separator: ", "))) in \(word)") }
      return files
    }
    guard word != "-", FilePattern.isPattern(word), access(word, F_OK) != 0 else { return [LocalFile(named: word)] }
    var files: [LocalFile] = []
    for pattern in FilePattern.alternatives(of: [word]).patterns {
      if FilePattern.hasWildcard(pattern) {
        // Below the working folder no link leads out of it; a path that begins elsewhere says so itself.
        let isElsewhere = pattern.hasPrefix("/") || FilePath(pattern).components.contains(FilePath("..").bytes[...])
        files += try search(pattern, from: ".", in: isElsewhere ? FilePattern.fixedPart(of: pattern) : ".")
      } else {
        files.append(LocalFile(named: pattern))
      }
    }
    guard !files.isEmpty else { throw .file("no file matches '\(word)'") }
    return files
  }

  /// The files in a folder that a pattern matches, which begins at `start`.
  private static func search(
    _ pattern: String, from start: String, in folder: String
  ) throws(CommandFailure) -> [LocalFile] {
    guard let root = ProjectRoot.folder(folder) else { return [] }
    let list = root.files([pattern], in: start)
    try ProjectSources.check(list)
    return list.files.map { LocalFile(FilePattern.absolute($0, in: start), in: root) }
  }
}
