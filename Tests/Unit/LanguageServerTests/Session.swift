import ApusGraphQLSchema
import ApusJSON
import ApusLanguageServer
import ApusTestSupport
import Synchronization

/// A client of a server in this process, with a folder of files, its requests and the server's messages.
final class Session: Sendable {
  let folder: TemporaryFolder
  let server: LanguageServer
  private let outbox = Outbox()
  private let ids = Mutex(0)

  /// The messages of the server, in order.
  private final class Outbox: Sendable {
    let messages = Mutex<[JSONValue]>([])

    func take(_ body: [UInt8]) {
      guard let message = try? JSONDocument(parsing: body).root else { return }
      messages.withLock { $0.append(message) }
    }
  }

  struct Failure: Error {
    let message: String
  }

  /// - Parameter files: The contents of files by name. Those in `open` are also opened.
  init(
    _ files: [String: String] = [:], schemaSources: [String] = [],
    fetch: [String: Result<TimestampedSchema, ServerEnvironmentError>] = [:],
    run: @escaping @Sendable (OperationRequest) async -> Result<String, ServerEnvironmentError> = { _ in
      .failure(ServerEnvironmentError("no"))
    }
  ) throws {
    folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    let outbox = outbox
    let environment = ServerEnvironment(
      version: "1.0", schemaSources: schemaSources, cacheFolder: folder.path("cache"), keptSchema: { _ in nil },
      fetchSchema: { address in
        let source =
          switch address {
          case .named(let source): source
          case .project(_, let endpoint): endpoint.url.source
          }
        return fetch[source] ?? .failure(ServerEnvironmentError("no server answers"))
      }, run: { await run($0) })
    server = LanguageServer(environment: environment) { outbox.take($0) }
  }

  /// Initializes the server as a client with these capabilities.
  @discardableResult
  func start(_ capabilities: JSONValue = [:], options: JSONValue = .null) async throws -> JSONValue {
    let result = try await ask(
      "initialize",
      [
        "processId": .null, "rootUri": JSONValue(uri("")), "capabilities": capabilities,
        "initializationOptions": options,
      ])
    await notify("initialized", [:])
    return result
  }

  func uri(_ name: String) -> String {
    let path = name.isEmpty ? folder.root : folder.path(name)
    return name.contains(":") ? name : "file://\(path)"
  }

  // MARK: Requests

  func notify(_ method: String, _ params: JSONValue) async {
    await receive(["jsonrpc": "2.0", "method": JSONValue(method), "params": params])
    await server.idle()
  }

  func receive(_ message: JSONValue) async { await server.receive(JSONWriter.compactBytes(message)) }

  /// Returns the result of a request. Throws if the response is an error.
  func ask(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    let id = ids.withLock {
      $0 += 1
      return $0
    }
    await receive(["jsonrpc": "2.0", "id": JSONValue(id), "method": JSONValue(method), "params": params])
    await server.idle()
    guard let answer = messages.last(where: { $0["id"]?.int == id && $0["method"] == nil }) else {
      throw Failure(message: "no answer to \(method)")
    }
    if let error = answer["error"] { throw Failure(message: error["message"]?.string ?? "") }
    return answer["result"] ?? .null
  }

  /// Returns the response to a request that was sent, if it has arrived.
  func answer(_ id: Int) async throws -> JSONValue {
    func received() -> JSONValue? { messages.last { $0["id"]?.int == id && $0["method"] == nil } }
    try await waitUntil { received() != nil }
    return received() ?? .null
  }

  var messages: [JSONValue] { outbox.messages.withLock { $0 } }

  /// Returns the parameters of all notifications of a method, in order.
  func reported(_ method: String) -> [JSONValue] {
    messages.filter { $0["method"]?.string == method }.map { $0["params"] ?? .null }
  }

  // MARK: Documents

  /// Opens a document with `|` at the cursor and returns the parameters for that position.
  @discardableResult
  func open(_ name: String, _ marked: String, language: String = "graphql", version: Int = 1) async -> JSONValue {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    await notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": JSONValue(uri(name)), "languageId": JSONValue(language), "version": JSONValue(version),
          "text": JSONValue(parts.joined()),
        ]
      ])
    return place(name, after: String(parts[0]))
  }

  /// Returns the parameters of a request at the position after some text.
  func place(_ name: String, after text: String) -> JSONValue {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return [
      "textDocument": ["uri": JSONValue(uri(name))],
      "position": ["line": JSONValue(lines.count - 1), "character": JSONValue(lines.last?.utf16.count ?? 0)],
    ]
  }

  func document(_ name: String) -> JSONValue { ["textDocument": ["uri": JSONValue(uri(name))]] }

  func change(_ name: String, version: Int, _ changes: JSONValue...) async {
    await notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": JSONValue(uri(name)), "version": JSONValue(version)],
        "contentChanges": .array(changes),
      ])
  }

  /// The last published diagnostics of a file: `line:character message`, counted from 0.
  func problems(_ name: String) -> [String]? {
    let last = reported("textDocument/publishDiagnostics").last { $0["uri"]?.string == uri(name) }
    return last.map { ($0["diagnostics"] ?? .null).elements.map(Self.shown) }
  }

  static func shown(_ diagnostic: JSONValue) -> String {
    let start = diagnostic["range"]?["start"]
    return "\(start?["line"]?.int ?? -1):\(start?["character"]?.int ?? -1) \(diagnostic["message"]?.string ?? "")"
  }

  /// Describes a location as `file line:character-line:character`.
  func shown(_ location: JSONValue) -> String {
    let uri = location["uri"]?.string ?? location["targetUri"]?.string ?? ""
    return "\(uri.split(separator: "/").last ?? "") \(Self.range(location["range"]))"
  }

  static func range(_ range: JSONValue?) -> String {
    let (start, end) = (range?["start"], range?["end"])
    return "\(start?["line"]?.int ?? -1):\(start?["character"]?.int ?? -1)"
      + "-\(end?["line"]?.int ?? -1):\(end?["character"]?.int ?? -1)"
  }

  /// Returns a project about birds: a schema, a configuration and the given files.
  static func birds(_ files: [String: String] = [:]) throws -> Session {
    try Session(
      [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: '**/*.{graphql,ts,py,md,swift,vue}'\n",
        "schema.graphql": birdsSchema,
      ].merging(files) { $1 })
  }

  static let birdsSchema = """
    type Query {
      bird(id: ID!): Bird
      birds(first: Int = 10, size: Size): [Bird!]!
    }
    "A bird."
    type Bird {
      id: ID!
      "What it is called."
      name: String!
      old: String @deprecated(reason: "Use name.")
      nest: Nest
    }
    type Nest { eggs: Int! }
    enum Size { SMALL LARGE }

    """
}
