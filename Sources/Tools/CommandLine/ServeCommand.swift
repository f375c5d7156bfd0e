import ApusDemo
import ApusGraphQLValidation

/// `apus serve`: serves the demo API, a mock of a schema, or recorded responses, until it is interrupted.
struct ServeCommand: Sendable {
  private let arguments: ParsedArguments
  private let port: Int
  private let delayScale: Double
  private let seed: Int
  private let executesEarly: Bool
  private let access: BrowserAccess
  private let breaks: [ServerBreak]

  init(_ arguments: ParsedArguments) throws(CommandError) {
    self.arguments = arguments
    port = try arguments.count("port") ?? 0
    seed = try arguments.count("seed") ?? 1
    delayScale = try arguments.number("delay-scale", in: 1e-6...1e6) ?? 1
    executesEarly = arguments.has("early-execution")
    breaks = try arguments.values("break").map { audit throws(CommandError) in
      guard let serverBreak = ServerBreak.named(audit) else {
        throw .usage(
          "the demo server cannot break '\(audit)'" + NameSuggestions.hint(audit, ServerBreak.all.map(\.audit)),
          command: "serve")
      }
      return serverBreak
    }
    if !breaks.isEmpty, arguments.value("schema") != nil {
      throw .usage("--break works only with the demo API, not with --schema", command: "serve")
    }
    if arguments.value("seed") != nil, arguments.value("schema") == nil {
      throw .usage("--seed needs --schema: the demo API's data is always the same", command: "serve")
    }
    if arguments.value("rules") != nil, arguments.value("schema") == nil {
      throw .usage("--rules needs --schema: the demo API has its own data", command: "serve")
    }
    if arguments.value("recordings") != nil,
      let other = ["schema", "break", "early-execution"].first(where: { arguments.has($0) })
    {
      throw .usage("--\(other) has no meaning with --recordings", command: "serve")
    }
    guard let access = BrowserAccess(allowing: arguments.values("cors")) else {
      throw .usage(
        "--cors takes an origin, such as http://localhost:3000, without a path, or * for all", command: "serve")
    }
    self.access = access
    guard port < 65_536 else { throw .usage("--port is at most 65535", command: "serve") }
  }

  func run() async throws(CommandError) -> ExitCode {
    let server: DemoServer
    let what: String
    var followed: (file: MockRulesFile, mock: MockAPI)?
    if let folder = arguments.value("recordings") {
      let api = RecordedAPI(try ServedRecordings.answers(in: folder), delayScale: delayScale)
      server = try await DemoServer.start { () async throws in
        try await DemoServer(recorded: api, port: port, access: access)
      }
      what = "The API of \(folder)"
    } else if let source = arguments.value("schema") {
      let schema = try await SchemaSource.load(source, arguments)
      guard schema.queryType != nil else {
        throw .file("\(source) has no query type, so it cannot be mocked")
      }
      let file = arguments.value("rules").map { MockRulesFile(path: $0, schema: schema) }
      let mock = MockAPI(
        schema: schema, seed: UInt64(seed), delayScale: delayScale, rules: try file?.read() ?? MockRules())
      server = try await DemoServer.start { () async throws in
        try await DemoServer(mock: mock, port: port, executesEarly: executesEarly, access: access)
      }
      what = "A mock of \(source)"
      followed = file.map { ($0, mock) }
    } else {
      server = try await DemoServer.start(
        port: port, delayScale: delayScale, executesEarly: executesEarly, access: access,
        breaks: breaks)
      what = "The demo API"
    }
    StandardStreams.output(server.url + "\n")
    StandardStreams.narrate("\(what) is at \(server.url); press Ctrl-C to stop.")
    // Wait until Ctrl-C cancels the task, which ends this command cleanly.
    if let followed {
      await followed.file.follow { followed.mock.use($0) }
    } else {
      while (try? await Task.sleep(for: .seconds(86_400))) != nil {}
    }
    server.stop()
    return .success
  }
}

extension DemoServer {
  /// Starts the demo API. Throws a command failure if, for example, its port is in use.
  static func start(
    port: Int = 0, delayScale: Double, executesEarly: Bool = false, access: BrowserAccess = BrowserAccess(),
    breaks: [ServerBreak] = []
  ) async throws(CommandError) -> DemoServer {
    try await start { () async throws in
      try await DemoServer(
        port: port, delayScale: delayScale, executesEarly: executesEarly, access: access, breaks: breaks)
    }
  }

  fileprivate static func start(
    _ make: () async throws -> DemoServer
  ) async throws(CommandError) -> DemoServer {
    do {
      return try await make()
    } catch {
      throw CommandError(exitCode: .networkError, message: "\(error)")
    }
  }
}
