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
import Synchronization

/// `apus URL` and `apus demo`: opens the explorer on the terminal and stays until it is quit.
struct ExploreCommand {
  private let endpoint: HTTPRequest
  private let text: String
  private let example: String?
  private let schemaSource: String?
  private let themes: [ThemeLibrary.Entry]
  private let escapeDelay: Duration
  private let arguments: ParsedArguments

  /// For an endpoint that the command line or `config.yml` names.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let settings = try Endpoint.settings()
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
      client: GraphQLClient(endpoint: endpoint), store: CacheStore(), example: example, schema: loadSchema)
    let configuration = ExplorerConfiguration(
      endpoint: endpoint.url, world: live.world, query: text,
      themes: themes.map { Theme(palette: $0.palette, variant: $0.variant, capabilities: terminal.capabilities) })
    await Explorer.run(configuration: configuration, backend: terminal)
  }

  private var loadSchema: @Sendable () async throws -> Schema {
    let (endpoint, source, arguments) = (endpoint, schemaSource, arguments)
    return {
      if let source { return try await SchemaSource.load(source, arguments) }
      switch await SchemaLoader(client: GraphQLClient(endpoint: endpoint)).load() {
      case .loaded(let schema, _): return schema
      case .unavailable(let error): throw error
      }
    }
  }
}
