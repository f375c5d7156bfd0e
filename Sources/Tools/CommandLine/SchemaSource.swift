import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON
import ApusPlatform

/// Loads a schema from a URL, a profile, an SDL file or an introspection result; files may be in a git revision.
enum SchemaSource {
  static func load(
    _ source: String, _ arguments: ParsedArguments, in root: ProjectRoot? = nil
  ) async throws(CommandError) -> Schema {
    if let root { return try load(LocalFile(source, in: root)) }
    if isFile(source) { return try load(LocalFile(named: source)) }
    let reached = try reached(source, arguments)
    return try await fetch(reached)
  }

  /// Returns the schema of all sources together, in their order; `nil` if there are none.
  static func load(_ sources: [String], _ arguments: ParsedArguments) async throws(CommandError) -> Schema? {
    guard let first = sources.first else { return nil }
    if sources.count == 1, !isSeveralFiles(first) { return try await load(first, arguments) }
    var definitions = SchemaDefinitions()
    for source in sources {
      if isSeveralFiles(source) {
        for file in try NamedFiles.files(named: [source], for: .schema) { try definitions.add(file) }
      } else if isFile(source) {
        try definitions.add(LocalFile(named: source))
      } else {
        definitions.add(try await load(source, arguments))
      }
    }
    return try definitions.schema()
  }

  /// Whether a source is a folder, or a pattern that is not also the name of a file.
  private static func isSeveralFiles(_ source: String) -> Bool {
    guard !source.contains("://") else { return false }
    return FilePattern.isFolder(source) || FilePattern.isPattern(source) && access(source, F_OK) != 0
  }

  /// Returns the request for the schema of a source that is not a file.
  ///
  /// - Throws: A usage error, before anything is sent.
  static func endpoint(_ source: String, _ arguments: ParsedArguments) throws(CommandError) -> HTTPRequest {
    try reached(source, arguments).request
  }

  private static func reached(
    _ source: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> EndpointRequest.Reached {
    if !source.contains("://"), access(source, F_OK) == 0, try !NamedEndpoints().has(source) {
      throw CommandError(
        exitCode: .usageError,
        message: "'\(source)' has an unknown extension: a schema is a URL, a profile, "
          + "an SDL file (.graphql) or an introspection result (.json)")
    }
    return try EndpointRequest.reached(source, arguments)
  }

  static func fetch(_ reached: EndpointRequest.Reached) async throws(CommandError) -> Schema {
    try await fetch(reached.request, renewing: reached.renewable)
  }

  /// Fetches an endpoint's schema by introspection. Credentials that the server rejects are renewed once.
  static func fetch(
    _ endpoint: HTTPRequest, renewing renewable: RenewableHeaders? = nil
  ) async throws(CommandError) -> Schema {
    var features = RequestFeatures()
    features.renewableHeaders = renewable
    switch await SchemaLoader(client: GraphQLClient(endpoint: endpoint, features: features)).load() {
    case .loaded(let schema, let note):
      if let note { StandardStreams.narrate("apus: \(note)") }
      return schema
    case .unavailable(let error):
      if let failure = CommandError(error) { throw failure }
      let code = ExitCode(rawValue: GraphQLClientError.exitCode(for: error)) ?? .networkError
      throw CommandError(exitCode: code, message: "\(error)")
    }
  }

  /// Prints a warning for each error of a schema. The schema can be used anyway.
  static func warn(of schema: Schema) {
    for error in Validator.validate(schema: schema) {
      var place = ""
      let places = zip(error.sources, error.locations).filter { $0.0 != Schema.introspectionSource }
      if let (source, location) = places.first { place = "\(source):\(location.line):\(location.column): " }
      let finding = FileDiagnostic(
        severity: .warning, rule: error.rule, message: error.message,
        places: places.map { FileDiagnostic.Location($0, $1) })
      StandardStreams.narrate("apus: warning: \(place)\(finding.fullMessage)")
    }
  }

  static func isFile(_ source: String) -> Bool {
    !source.contains("://")
      && (HostLanguage(path: source) != .other || [".sdl", ".json"].contains(where: source.hasSuffix))
  }

  private static func load(_ file: LocalFile) throws(CommandError) -> Schema {
    try load(files: [file])
  }

  /// Returns the schema in one file, or in several files together.
  static func load(files: [LocalFile]) throws(CommandError) -> Schema {
    var definitions = SchemaDefinitions()
    for file in files { try definitions.add(file) }
    return try definitions.schema()
  }
}

/// The definitions of several sources that form one schema, in their order.
struct SchemaDefinitions {
  private var documents: [Document] = []
  /// The files that were read, which may import others.
  private var files: [GraphQLSourceFile] = []

  mutating func add(_ schema: Schema) { documents += schema.documents }

  /// Adds the definitions in a file or an introspection result.
  mutating func add(_ file: LocalFile) throws(CommandError) {
    let bytes = try Self.bytes(of: file)
    guard file.path.hasSuffix(".json") else {
      let language = HostLanguage(path: file.path)
      return try add(
        GraphQLSourceFile(bytes: bytes, name: file.path, language: language == .other ? .graphql : language))
    }
    do {
      documents.append(try Schema.definitions(introspection: JSONDocument(parsing: bytes).root))
    } catch {
      throw CommandError(exitCode: .resultErrors, message: "\(file.path): \(error)")
    }
  }

  private mutating func add(_ file: GraphQLSourceFile) throws(CommandError) {
    ProjectGroup.report(partial: [file])
    for unit in file.units {
      let document = unit.document
      // The rest of a literal with interpolated values can be used.
      if !unit.hasGaps, let diagnostic = document.diagnostics.first {
        let place = document.source.location(at: diagnostic.range.lowerBound)
        throw CommandError(
          exitCode: .resultErrors,
          message: "\(document.source.name):\(place.line):\(place.column): \(diagnostic.message)")
      }
      // In files of other languages, queries are skipped.
      if file.language == .graphql || document.isTypeSystem { documents.append(document) }
    }
    files.append(file)
  }

  /// Returns the schema of all definitions, including imported files.
  func schema() throws(CommandError) -> Schema {
    var all = self
    for file in ProjectSources.imports(of: files) { try all.add(file) }
    return Schema.load(sdl: all.documents)
  }

  /// Returns the contents of a file, or of a git revision if no file has this name.
  private static func bytes(of file: LocalFile) throws(CommandError) -> [UInt8] {
    guard file.root == nil else { return try file.text() }
    if access(file.path, F_OK) != 0, let revision = GitRevision(file.path) { return try revision.read() }
    return try LocalFile.checked(try LocalFile.readRegular(file.path), of: file.path)
  }
}
