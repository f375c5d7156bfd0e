import ApusGraphQLExecution

/// The demo API over HTTP, reachable only from this machine.
package final class DemoServer: Sendable {
  package let port: Int
  /// The URL of the GraphQL endpoint.
  package var url: String { "http://127.0.0.1:\(port)/graphql" }

  private let server: HTTPServer

  /// Starts the server. With port 0 the system chooses a port. `delayScale` scales the delays of slow fields. A waiting
  /// stream sends `{}` at the interval `heartbeat`, which also detects clients that disconnected. With `executesEarly`,
  /// deferred fields are executed together with the others. `access` restricts web pages, and each of `breaks` violates
  /// the rule of an audit.
  package convenience init(
    port: Int = 0, delayScale: Double = 1, executesEarly: Bool = false, heartbeat: Duration = .seconds(5),
    access: BrowserAccess = BrowserAccess(), breaks: [ServerBreak] = []
  ) async throws {
    let api = DemoAPI(delayScale: delayScale)
    try self.init(
      port: port, heartbeat: heartbeat, access: access, breaks: breaks, page: .demo,
      execution: SubscriptionEndpoint.Execution(
        respond: { await api.respond(to: $0.executed(early: executesEarly)) },
        subscribe: { await api.subscribe(to: $0) }))
  }

  /// Starts a server for a mock API.
  package convenience init(
    mock: MockAPI, port: Int = 0, executesEarly: Bool = false, heartbeat: Duration = .seconds(5),
    access: BrowserAccess = BrowserAccess()
  ) async throws {
    try self.init(
      port: port, heartbeat: heartbeat, access: access, page: .mock,
      execution: SubscriptionEndpoint.Execution(
        respond: { await mock.respond(to: $0.executed(early: executesEarly)) },
        subscribe: { await mock.subscribe(to: $0) }))
  }

  /// Starts a server for recorded responses.
  package convenience init(
    recorded: RecordedAPI, port: Int = 0, heartbeat: Duration = .seconds(5), access: BrowserAccess = BrowserAccess()
  ) async throws {
    let endpoint = RecordedEndpoint(recorded, heartbeat: heartbeat)
    try self.init(port: port, access: access, page: .recorded) { await endpoint.answer($0) }
  }

  private convenience init(
    port: Int, heartbeat: Duration, access: BrowserAccess, breaks: [ServerBreak] = [], page: HomePage,
    execution: SubscriptionEndpoint.Execution
  ) throws {
    let breaks = breaks.map { $0.started() }
    let endpoint = GraphQLEndpoint(execution: execution, heartbeat: heartbeat, breaks: breaks)
    try self.init(port: port, access: access, breaks: breaks, page: page) { await endpoint.answer($0) }
  }

  private init(
    port: Int, access: BrowserAccess, breaks: [ServerBreak] = [], page: HomePage,
    answer: @escaping HTTPServer.Handler
  ) throws {
    server = HTTPServer { request in
      await breaks.answer(request) { request in
        if let refusal = access.refusal(of: request) { return refusal }
        var response = await DemoServer.route(request, to: answer, page)
        response.headers += access.headers(for: request)
        return response
      }
    }
    self.port = try server.start(port: port)
  }

  /// The reason why the server cannot run, with installation advice; nil if it can.
  package static var libraryFailure: String? { HTTPServer.libraryFailure }

  package static var libraryVersion: String? { HTTPServer.libraryVersion }

  deinit { server.stop() }

  /// The number of requests being processed.
  package var openExchangeCount: Int { server.openExchangeCount }

  /// The number of open WebSockets.
  package var openSocketCount: Int { server.openSocketCount }

  /// Closes all connections and the port. Can be called repeatedly.
  package func stop() { server.stop() }

  private static func route(
    _ request: ServerRequest, to answer: HTTPServer.Handler, _ page: HomePage
  ) async -> ServerResponse {
    switch (request.path, request.method) {
    case (_, "OPTIONS"): ServerResponse(204, .bytes([]), headers: [("Allow", "GET, HEAD, POST, OPTIONS")])
    case ("/graphql", "GET") where request.query.isEmpty && acceptsPage(request): page.answer(to: request)
    case ("/graphql", _): await answer(request)
    case ("/", "GET") where request.header("Upgrade") == nil, ("/", "HEAD"): page.answer(to: request)
    // Some clients use the root path.
    case ("/", _): await answer(request)
    default:
      ServerResponse(404, "text/plain; charset=utf-8", .bytes(Array("Nothing is here. The API is at /graphql.\n".utf8)))
    }
  }

  private static func acceptsPage(_ request: ServerRequest) -> Bool {
    MediaRange.list(in: request.header("Accept") ?? "").contains { $0.type == "text/html" }
  }
}

extension ExecutionRequest {
  fileprivate func executed(early executesEarly: Bool) -> ExecutionRequest {
    var request = self
    request.executesEarly = executesEarly
    return request
  }
}
