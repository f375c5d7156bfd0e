import ClientCache
import ClientCore
import ClientNetwork
import Configuration
import Demo
import ExplorerCore
import ExplorerNCurses
import ExplorerScreen
import ExplorerTerminal
import GraphQLSchema
import JSON
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `apus URL` and `apus demo`: opens the explorer on the terminal and stays until it is quit.
struct ExploreCommand {
  private let endpoint: HTTPRequest
  private let text: String
  private let example: String?
  private let schemaSource: String?
  private let themes: [ThemeLibrary.Entry]
  private let escapeDelay: Duration
  private let arguments: ParsedArguments
  private let store: CacheStore

  /// For an endpoint that the command line or `config.yml` names.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let settings = try Endpoint.settings()
    if arguments.operands.isEmpty, let file = arguments.value("db") {
      try self.init(
        arguments, endpoint: HTTPRequest(url: file), example: "# The cache in \(PlainText.line(file))\n",
        settings: settings,
        schemaSource: arguments.value("schema"), theme: nil)
      return
    }
    guard let name = arguments.operands.first ?? settings.profile(named: "default").map({ _ in "default" }) else {
      throw .usage("say which API to explore: apus URL (or try 'apus demo')", command: "")
    }
    let profile = settings.profile(named: name)
    try self.init(
      arguments, endpoint: try Endpoint.request(for: name, arguments), example: nil, settings: settings,
      schemaSource: arguments.value("schema") ?? profile?.schema, theme: profile?.theme)
  }

  /// For the demo API.
  init(_ arguments: ParsedArguments, demo: DemoServer) throws(CommandFailure) {
    try self.init(
      arguments, endpoint: HTTPRequest(url: demo.url), example: DemoServer.exampleQuery,
      settings: try Endpoint.settings(), schemaSource: nil, theme: nil)
  }

  private init(
    _ arguments: ParsedArguments, endpoint: HTTPRequest, example: String?, settings: Settings, schemaSource: String?,
    theme: String?
  ) throws(CommandFailure) {
    self.arguments = arguments
    self.endpoint = endpoint
    store = try Self.store(arguments)
    self.example = example
    self.schemaSource = schemaSource
    text =
      try arguments.value("file").map { (file) throws(CommandFailure) in
        String(decoding: try LocalFile.read(file), as: UTF8.self)
      } ?? ""
    themes = try ThemeLibrary().entries(first: arguments.value("theme") ?? theme ?? settings.theme)
    escapeDelay = .milliseconds(try arguments.count("escape-delay") ?? settings.escapeDelay ?? 25)
  }

  /// Runs the explorer on this thread, which must be the program's first.
  func run() throws(CommandFailure) -> ExitCode {
    let failure = Mutex<CommandFailure?>(nil)
    ScreenLoop.shared.run { [self] in
      do throws(NCursesError) {
        try await explore()
      } catch {
        failure.withLock { $0 = CommandFailure(exitCode: .wrongUsage, message: "\(error)") }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return .success
  }

  @ScreenActor
  private func explore() async throws(NCursesError) {
    var options = NCursesTerminal.Options(environment: ProcessEnvironment.variables)
    options.escapeDelay = escapeDelay
    let terminal = try NCursesTerminal(options)
    defer { terminal.restore() }
    let live = LiveWorld(
      client: GraphQLClient(endpoint: endpoint), store: store, example: example, schema: loadSchema)
    let configuration = ExplorerConfiguration(
      endpoint: endpoint.url, world: live.world, query: text,
      themes: themes.map { Theme(palette: $0.palette, variant: $0.variant, capabilities: terminal.capabilities) })
    await Explorer.run(configuration: configuration, backend: terminal)
  }

  /// A cache in memory, or the one in the file that was named: an own one, or, without an endpoint, someone else's, which
  /// is only read unless asked otherwise.
  private static func store(_ arguments: ParsedArguments) throws(CommandFailure) -> CacheStore {
    guard let file = arguments.value("db") else { return CacheStore() }
    let isLook = arguments.operands.isEmpty
    if isLook, access(file, F_OK) != 0 { throw .file("there is no file \(file)") }
    if isLook, try LocalFile.read(file).first == UInt8(ascii: "{") { return try imported(file) }
    do {
      return CacheStore(
        cache: try SQLiteNormalizedCache(
          path: file, memoryLimit: 256 << 20, isReadOnly: isLook && !arguments.has("writable")))
    } catch {
      throw .file("\(error)")
    }
  }

  private static func imported(_ file: String) throws(CommandFailure) -> CacheStore {
    do {
      let json = try JSONDocument(parsing: try LocalFile.read(file)).root
      return CacheStore(cache: try InMemoryNormalizedCache(importing: json))
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .file("\(file): \(error)")
    }
  }

  private var loadSchema: @Sendable () async throws -> Schema {
    let (endpoint, source, arguments) = (endpoint, schemaSource, arguments)
    let isLook = arguments.operands.isEmpty && arguments.value("db") != nil
    return {
      if isLook, source == nil { throw CommandFailure.file("only a cache is open; name a URL to run operations") }
      if let source { return try await SchemaSource.load(source, arguments) }
      switch await SchemaLoader(client: GraphQLClient(endpoint: endpoint)).load() {
      case .loaded(let schema, _): return schema
      case .unavailable(let error): throw error
      }
    }
  }
}
