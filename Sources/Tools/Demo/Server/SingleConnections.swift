import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusJSON
import Synchronization

/// Event streams for several operations (single connection mode in the PROTOCOL document of graphql-sse).
///
/// 1. PUT reserves a stream and returns its token.
/// 2. GET with the token opens it, once.
/// 3. POST with the token starts an operation whose id is in its extensions.
/// 4. DELETE with the token and an id stops an operation.
final class SingleConnections: Sendable {
  static let tokenField = "X-GraphQL-Event-Stream-Token"
  /// The maximum number of reserved streams that are not opened; the oldest is dropped.
  private static let reservationLimit = 64
  private static let operationLimit = 256

  private final class Connection: Sendable {
    struct State {
      var isOpen = false
      var isOver = false
      var operations: [String: Task<Void, Never>] = [:]
    }

    let chunks: AsyncStream<[UInt8]>
    let output: AsyncStream<[UInt8]>.Continuation
    let state = Mutex(State())

    init() { (chunks, output) = AsyncStream.makeStream(of: [UInt8].self) }

    func send(_ event: String, _ id: String, _ payload: JSONValue? = nil) {
      var members: [(String, JSONValue)] = [("id", JSONValue(id))]
      if let payload { members.append(("payload", payload)) }
      output.yield(Array("event: \(event)\ndata: \(JSONWriter.compact(.object(members)))\n\n".utf8))
    }

    func end() {
      let tasks = state.withLock { state in
        state.isOver = true
        defer { state.operations = [:] }
        return Array(state.operations.values)
      }
      for task in tasks { task.cancel() }
    }
  }

  private struct State {
    var connections: [String: Connection] = [:]
    var reserved: [String] = []
  }

  private let execution: SubscriptionEndpoint.Execution
  private let heartbeat: Duration
  private let state = Mutex(State())

  init(execution: SubscriptionEndpoint.Execution, heartbeat: Duration) {
    self.execution = execution
    self.heartbeat = heartbeat
  }

  /// Whether a request uses this mode. A PUT with a body is an ordinary request.
  static func isMeant(_ request: ServerRequest) -> Bool {
    request.method == "PUT" && request.body.isEmpty || token(of: request) != nil
  }

  private static func token(of request: ServerRequest) -> String? {
    request.header(tokenField) ?? request.query["token"]
  }

  func answer(
    _ request: ServerRequest, _ parameters: () throws(GraphQLParameters.FormatError) -> GraphQLParameters
  ) -> ServerResponse {
    guard let token = Self.token(of: request) else { return reserve() }
    guard let connection = state.withLock({ $0.connections[token] }) else {
      return Self.text(404, "There is no stream with this token.")
    }
    switch request.method {
    case "GET": return open(connection, token)
    case "DELETE":
      guard let id = request.query["operationId"] else { return Self.text(400, "The query has no operationId.") }
      connection.state.withLock { $0.operations.removeValue(forKey: id) }?.cancel()
      return Self.text(200, "")
    default:
      do throws(GraphQLParameters.FormatError) {
        return start(try parameters(), on: connection)
      } catch {
        return Self.text(error.status == 405 ? 405 : 400, error.message)
      }
    }
  }

  private func reserve() -> ServerResponse {
    let number = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    let token = String(number.0, radix: 16) + String(number.1, radix: 16)
    let forgotten = state.withLock { state -> Connection? in
      state.connections[token] = Connection()
      state.reserved.append(token)
      guard state.reserved.count > Self.reservationLimit else { return nil }
      return state.connections.removeValue(forKey: state.reserved.removeFirst())
    }
    forgotten?.end()
    return Self.text(201, token)
  }

  private func open(_ connection: Connection, _ token: String) -> ServerResponse {
    let isFirst = connection.state.withLock { state in
      defer { state.isOpen = true }
      return !state.isOpen
    }
    guard isFirst else { return Self.text(409, "The stream is open already.") }
    state.withLock { $0.reserved.removeAll { $0 == token } }
    let heartbeat = heartbeat
    let clock = Task {
      connection.output.yield(Array(":\n\n".utf8))
      while (try? await Task.sleep(for: heartbeat)) != nil { connection.output.yield(Array(":\n\n".utf8)) }
    }
    connection.output.onTermination = { [weak self] _ in
      clock.cancel()
      connection.end()
      _ = self?.state.withLock { $0.connections.removeValue(forKey: token) }
    }
    return ServerResponse(
      200, SubscriptionStream.events.contentType, .stream(connection.chunks), headers: [("Cache-Control", "no-store")])
  }

  private func start(_ parameters: GraphQLParameters, on connection: Connection) -> ServerResponse {
    guard let id = parameters.operationID else { return Self.text(400, "The extensions have no operationId.") }
    let request = ExecutionRequest(
      Document(parsing: parameters.query), operationName: parameters.operationName, variables: parameters.variables,
      onError: parameters.onError, context: parameters.files)
    let hasTaken = connection.state.withLock { state in
      guard state.operations[id] == nil, !state.isOver, state.operations.count < Self.operationLimit else {
        return false
      }
      state.operations[id] = Task { [execution] in await Self.run(request, id, connection, execution) }
      return true
    }
    return hasTaken ? Self.text(202, "") : Self.text(409, "The operation id is in use, or too many operations are.")
  }

  private static func run(
    _ request: ExecutionRequest, _ id: String, _ connection: Connection, _ execution: SubscriptionEndpoint.Execution
  ) async {
    if request.isSubscription {
      switch await execution.subscribe(request) {
      case .refused(let errors): connection.send("next", id, errors.response)
      case .failed(let response): connection.send("next", id, response)
      case .events(let events):
        // Events that were ready before the client ended the operation are still in the stream.
        for await event in events where !Task.isCancelled { connection.send("next", id, event) }
      }
    } else {
      switch await execution.respond(request) {
      case .refused(let errors): connection.send("next", id, errors.response)
      // Incremental delivery was not requested.
      case .single(let response), .incremental(let response, _): connection.send("next", id, response)
      }
    }
    let isStopped = Task.isCancelled
    _ = connection.state.withLock { $0.operations.removeValue(forKey: id) }
    if !isStopped { connection.send("complete", id) }
  }

  private static func text(_ status: Int, _ text: String) -> ServerResponse {
    ServerResponse(
      status, "text/plain; charset=utf-8", .bytes(Array(text.utf8)),
      headers: status == 405 ? [("Allow", "GET, PUT, POST, DELETE")] : [])
  }
}
