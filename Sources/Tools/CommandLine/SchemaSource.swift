import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON
import ApusPlatform

/// Where a schema comes from: a URL or a profile, an SDL file or an introspection result, as a file or in a revision of
/// git.
enum SchemaSource {
  static func load(
    _ source: String, _ arguments: ParsedArguments, in root: ProjectRoot? = nil
  ) async throws(CommandFailure) -> Schema {
    if let root { return try load(LocalFile(source, in: root)) }
    if isFile(source) { return try load(LocalFile(named: source)) }
    return try await fetch(try endpoint(source, arguments))
  }

  /// The schema that the sources of an option make together, in their order; nil where there is none.
  static func load(_ sources: [String], _ arguments: ParsedArguments) async throws(CommandFailure) -> Schema? {
    guard let first = sources.first else { return nil }
    if sources.count == 1, !isSeveralFiles(first) { return try await load(first, arguments) }
    var definitions = SchemaDefinitions()
    for source in sources {
      if isSeveralFiles(source) {
        for file in try NamedFiles.files(named: [source]) { try definitions.add(file) }
      } else if isFile(source) {
        try definitions.add(LocalFile(named: source))
      } else {
        definitions.add(try await load(source, arguments))
      }
    }
    return try definitions.schema()
  }

  /// Whether a source is a folder, or a pattern that is not the name of a file.
  private static func isSeveralFiles(_ source: String) -> Bool {
    guard !source.contains("://") else { return false }
    return FilePattern.isFolder(source) || FilePattern.isPattern(source) && access(source, F_OK) != 0
  }

  /// The request for the schema of a source other than a file.
  ///
  /// - Throws: A usage error; nothing is sent.
  static func endpoint(_ source: String, _ arguments: ParsedArguments) throws(CommandFailure) -> HTTPRequest {
    if !source.contains("://"), access(source, F_OK) == 0, try !KnownEndpoints().has(source) {
      throw CommandFailure(
        exitCode: .wrongUsage,
        message: "'\(source)' does not say what it holds: a schema is a URL, a profile, "
          + "a file of definitions (.graphql) or an introspection result (.json)")
    }
    return try Endpoint.request(for: source, arguments)
  }

  /// The schema that an endpoint tells of itself.
  static func fetch(_ endpoint: HTTPRequest) async throws(CommandFailure) -> Schema {
    switch await SchemaLoader(client: GraphQLClient(endpoint: endpoint)).load() {
    case .loaded(let schema, let note):
      if let note { StandardStreams.narrate("apus: \(note)") }
      return schema
    case .unavailable(let error):
      if error is CancellationError { throw .interrupted }
      let code = ExitCode(rawValue: GraphQLClientError.exitCode(for: error)) ?? .networkFailed
      throw CommandFailure(exitCode: code, message: "\(error)")
    }
  }

  /// A schema that is not valid can be used all the same; what is wrong with it is worth a line.
  static func warn(of schema: Schema) {
    for error in Validator.validate(schema: schema) {
      var place = ""
      let places = zip(error.sources, error.locations).filter { $0.0 != Schema.introspectionSource }
      if let (source, location) = places.first { place = "\(source):\(location.line):\(location.column): " }
      let finding = Finding(
        severity: .warning, rule: error.rule, message: error.message, places: places.map { Finding.Place($0, $1) })
      StandardStreams.narrate("apus: warning: \(place)\(finding.fullMessage)")
    }
  }

  static func isFile(_ source: String) -> Bool {
    !source.contains("://")
      && [".graphql", ".graphqls", ".gql", ".sdl", ".json"].contains(where: source.hasSuffix)
  }

  private static func load(_ file: LocalFile) throws(CommandFailure) -> Schema {
    try load(files: [file])
  }

  /// A schema that several files make together, or one file has.
  static func load(files: [LocalFile]) throws(CommandFailure) -> Schema {
    var definitions = SchemaDefinitions()
    for file in files { try definitions.add(file) }
    return try definitions.schema()
  }
}

/// The definitions of the sources that make one schema together, in their order.
struct SchemaDefinitions {
  private var documents: [Document] = []
  /// The files that were read, which may import others.
  private var files: [GraphQLSourceFile] = []

  mutating func add(_ schema: Schema) { documents += schema.documents }

  /// Adds the definitions in a file, or those of an introspection result.
  mutating func add(_ file: LocalFile) throws(CommandFailure) {
    let bytes = try Self.bytes(of: file)
    guard file.path.hasSuffix(".json") else {
      let language = HostLanguage(path: file.path)
      return try add(
        GraphQLSourceFile(bytes: bytes, name: file.path, language: language == .other ? .graphql : language))
    }
    do {
      documents.append(try Schema.definitions(introspection: JSONDocument(parsing: bytes).root))
    } catch {
      throw CommandFailure(exitCode: .resultHasErrors, message: "\(file.path): \(error)")
    }
  }

  private mutating func add(_ file: GraphQLSourceFile) throws(CommandFailure) {
    for document in file.units.map(\.document) {
      if let diagnostic = document.diagnostics.first {
        let place = document.source.location(at: diagnostic.range.lowerBound)
        throw CommandFailure(
          exitCode: .resultHasErrors,
          message: "\(document.source.name):\(place.line):\(place.column): \(diagnostic.message)")
      }
      // A file of another language holds queries too.
      if file.language == .graphql || document.isTypeSystem { documents.append(document) }
    }
    files.append(file)
  }

  /// The schema that all of them make, with the files that comments import.
  func schema() throws(CommandFailure) -> Schema {
    var all = self
    for file in ProjectSources.imports(of: files) { try all.add(file) }
    return Schema.load(sdl: all.documents)
  }

  /// A file that is there is meant before a revision is.
  private static func bytes(of file: LocalFile) throws(CommandFailure) -> [UInt8] {
    guard file.root == nil else { return try file.text() }
    if access(file.path, F_OK) != 0, let revision = GitRevision(file.path) { return try revision.read() }
    return try LocalFile.checked(try LocalFile.readRegular(file.path), of: file.path)
  }
}
