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
      if let source = error.sources.first, let location = error.locations.first, source != Schema.introspectionSource {
        place = "\(source):\(location.line):\(location.column): "
      }
      StandardStreams.narrate("apus: warning: \(place)\(error.message)")
    }
  }

  static func isFile(_ source: String) -> Bool {
    !source.contains("://")
      && [".graphql", ".graphqls", ".gql", ".sdl", ".json"].contains(where: source.hasSuffix)
  }

  private static func load(_ file: LocalFile) throws(CommandFailure) -> Schema {
    guard file.path.hasSuffix(".json") else { return Schema.load(sdl: [try definitions(file)]) }
    let bytes = try bytes(of: file)
    do {
      return try Schema.load(introspection: JSONDocument(parsing: bytes).root)
    } catch {
      throw CommandFailure(exitCode: .resultHasErrors, message: "\(file.path): \(error)")
    }
  }

  /// A schema that several files of definitions make together, or one file has.
  static func load(files: [LocalFile]) throws(CommandFailure) -> Schema {
    if files.count == 1 { return try load(files[0]) }
    return Schema.load(sdl: try files.map(definitions))
  }

  /// A file that is there is meant before a revision is.
  private static func bytes(of file: LocalFile) throws(CommandFailure) -> [UInt8] {
    guard file.root == nil else { return try file.text() }
    if access(file.path, F_OK) != 0, let revision = GitRevision(file.path) { return try revision.read() }
    return try LocalFile.checked(try LocalFile.readRegular(file.path), of: file.path)
  }

  private static func definitions(_ file: LocalFile) throws(CommandFailure) -> Document {
    let document = Document(parsing: try bytes(of: file), name: file.path)
    if let diagnostic = document.diagnostics.first {
      let place = document.source.location(at: diagnostic.range.lowerBound)
      throw CommandFailure(
        exitCode: .resultHasErrors, message: "\(file.path):\(place.line):\(place.column): \(diagnostic.message)")
    }
    return document
  }
}
