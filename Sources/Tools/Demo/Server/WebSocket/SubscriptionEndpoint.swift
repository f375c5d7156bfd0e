import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusJSON
import ApusWebSocket
import Synchronization

/// The supported WebSocket subprotocols.
enum ServerSubprotocol: String, Sendable, CaseIterable {
  case transport = "graphql-transport-ws"
  /// The subprotocol of the library subscriptions-transport-ws.
  case legacy = "graphql-ws"

  /// Creates the first supported subprotocol of those offered.
  init?(offered: String) {
    for name in offered.split(separator: ",").map({ $0.filter { $0 != " " } }) {
      guard let subprotocol = ServerSubprotocol(rawValue: name) else { continue }
      self = subprotocol
      return
    }
    return nil
  }
}

/// The server side of a WebSocket connection, which runs each operation in a task.
final class SubscriptionEndpoint: Sendable {
  /// Runs operations: `subscribe` returns events, `respond` one response.
  struct Execution: Sendable {
    let respond: @Sendable (ExecutionRequest) async -> ExecutionResponse
    let subscribe: @Sendable (ExecutionRequest) async -> SubscriptionResponse
  }

  private struct State {
    var isInitialized = false
    var isOver = false
    var operations: [String: Task<Void, Never>] = [:]
    var clocks: [Task<Void, Never>] = []
  }

  private static let initializationLimit = Duration.seconds(3)
  /// The maximum number of concurrent operations per connection.
  private static let operationLimit = 256

  private let dialect: ServerSubprotocol
  private let socket: UpgradedSocket
  private let execution: Execution
  private let heartbeat: Duration
  private let persistedQueries: PersistedQueryStore
  private let breaks: [ServerBreak]
  private let state = Mutex(State())

  init(
    _ dialect: ServerSubprotocol, socket: UpgradedSocket, execution: Execution, heartbeat: Duration,
    persistedQueries: PersistedQueryStore, breaks: [ServerBreak] = []
  ) {
    self.breaks = breaks
    self.persistedQueries = persistedQueries
    self.dialect = dialect
    self.socket = socket
    self.execution = execution
    self.heartbeat = heartbeat
  }

  /// Serves the socket until it is closed. Call this on a separate thread.
  func run(first: [UInt8]) {
    let limit = Task {
      guard (try? await Task.sleep(for: Self.initializationLimit)) != nil, !state.withLock({ $0.isInitialized }) else {
        return
      }
      close(4408, "Connection initialisation timeout")
    }
    state.withLock { $0.clocks.append(limit) }
    socket.run(first: first) { event in
      switch event {
      case .text(let text):
        if let seen = breaks.incoming(text) { receive(seen) }
        for reply in breaks.replies(to: text) { socket.send(reply) }
      case .ended: end()
      }
    }
  }

  private func end() {
    let tasks = state.withLock { state in
      state.isOver = true
      defer { (state.operations, state.clocks) = ([:], []) }
      return Array(state.operations.values) + state.clocks
    }
    for task in tasks { task.cancel() }
  }

  // MARK: Messages

  private func receive(_ text: [UInt8]) {
    guard let message = try? JSONDocument(parsing: text).root, let type = message["type"]?.string else {
      return close(4400, "Invalid message received")
    }
    switch (type, dialect) {
    case ("connection_init", _): initialize()
    case ("ping", .transport): send("pong", payload: message["payload"])
    case ("pong", .transport): break
    case ("subscribe", .transport), ("start", .legacy): start(message)
    case ("complete", .transport), ("stop", .legacy): stop(message)
    case ("connection_terminate", .legacy): close(1000, "")
    default: close(4400, "Invalid message received")
    }
  }

  private func initialize() {
    let isFirst = state.withLock { state in
      defer { state.isInitialized = true }
      return !state.isInitialized
    }
    guard isFirst else { return close(4429, "Too many initialisation requests") }
    send("connection_ack")
    let keepAlive = dialect == .transport ? "ping" : "ka"
    if dialect == .legacy { send(keepAlive) }
    // The sleep throws when the task is canceled, which ends the loop.
    let clock = Task { while (try? await Task.sleep(for: heartbeat)) != nil { send(keepAlive) } }
    state.withLock { $0.clocks.append(clock) }
  }

  private func start(_ message: JSONValue) {
    guard let id = message["id"]?.string, !id.isEmpty else {
      return close(4400, "Invalid message received")
    }
    guard state.withLock({ $0.isInitialized }) else { return close(4401, "Unauthorized") }
    let parameters: GraphQLParameters
    do throws(GraphQLParameters.FormatError) {
      parameters = try GraphQLParameters(json: message["payload"] ?? .null, persistedQueries)
    } catch {
      // The newer protocol has no operation to which such an error could belong.
      if dialect == .transport { return close(4400, "Invalid message received") }
      return sendErrors(id, RequestError(errors: [ExecutionError(error.message)]))
    }
    guard state.withLock({ $0.operations.count < Self.operationLimit }) else {
      let message = "More than \(Self.operationLimit) operations at a time on one connection: end some"
      return sendErrors(id, RequestError(errors: [ExecutionError(message)]))
    }
    let hasTaken = state.withLock { state in
      guard state.operations[id] == nil, !state.isOver else { return false }
      state.operations[id] = Task { await execute(id, parameters) }
      return true
    }
    if !hasTaken { close(4409, "Subscriber for \(id) already exists") }
  }

  private func stop(_ message: JSONValue) {
    guard let id = message["id"]?.string else {
      return close(4400, "Invalid message received")
    }
    state.withLock { $0.operations.removeValue(forKey: id) }?.cancel()
    if dialect == .legacy { send("complete", id) }
  }

  // MARK: Operations

  private func execute(_ id: String, _ parameters: GraphQLParameters) async {
    let request = ExecutionRequest(
      Document(parsing: parameters.query), operationName: parameters.operationName, variables: parameters.variables,
      onError: parameters.onError)
    if request.isSubscription {
      switch await execution.subscribe(request) {
      case .refused(let errors): return refuse(id, errors)
      case .failed(let response): send(resultType, id, payload: response)
      case .events(let events):
        // Events that were ready before the client ended the operation are still in the stream.
        for await event in events where !Task.isCancelled { send(resultType, id, payload: event) }
      }
    } else {
      switch await execution.respond(request) {
      case .refused(let errors): return refuse(id, errors)
      case .single(let response): send(resultType, id, payload: response)
      // Incremental delivery was not requested.
      case .incremental(let response, _): send(resultType, id, payload: response)
      }
    }
    finish(id) { send("complete", id) }
  }

  private func refuse(_ id: String, _ errors: RequestError) {
    finish(id) { sendErrors(id, errors) }
  }

  /// Ends an operation with its last message, unless the client has already ended it. The lock is held meanwhile: a new
  /// operation with the same id sends nothing before that message.
  private func finish(_ id: String, sendLast: () -> Void) {
    guard !Task.isCancelled else { return }
    state.withLock { if $0.operations.removeValue(forKey: id) != nil { sendLast() } }
  }

  private var resultType: String { dialect == .transport ? "next" : "data" }

  private func sendErrors(_ id: String, _ errors: RequestError) {
    let list = errors.response["errors"] ?? .array([])
    send("error", id, payload: dialect == .transport ? list : list[0])
  }

  private func send(_ type: String, _ id: String? = nil, payload: JSONValue? = nil) {
    var members: [(String, JSONValue)] = [("type", JSONValue(type))]
    if let id { members.append(("id", JSONValue(id))) }
    if let payload { members.append(("payload", payload)) }
    for text in breaks.outgoing(JSONWriter.compactBytes(.object(members))) { socket.send(text) }
  }

  private func close(_ code: Int, _ reason: String) { socket.close(code: breaks.closeCode(code), reason: reason) }
}

extension ExecutionRequest {
  /// Whether the operation to run is a subscription.
  var isSubscription: Bool {
    document.operations.first { operationName == nil || $0.name?.value == operationName }?.operation == .subscription
  }
}
