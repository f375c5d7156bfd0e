import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusJSON

/// A language server whose input and output are message bodies.
///
/// 1. The owner of the connection passes each message and waits until it is received. By then, text changes are
///    applied, and requests have a snapshot of the workspace.
/// 2. Requests run concurrently, each on its snapshot. `$/cancelRequest` cancels one.
/// 3. Files affected by a change are validated in the background, the changed file first. Another change adds to the
///    queue.
/// 4. All input is checked where it is read. Invalid messages get an error response, and the server continues.
package actor LanguageServer {
  enum Phase { case new, running, shutDown }

  let environment: ServerEnvironment
  private let send: @Sendable ([UInt8]) -> Void
  var phase = Phase.new
  var workspace = Workspace()
  var client = ClientCapabilities()
  /// The exit code, set by `exit`: 0 after `shutdown`, otherwise 1.
  package private(set) var exitCode: Int32?

  private var requests: [MessageID: Task<Void, Never>] = [:]
  private var backgroundTasks: [Int: Task<Void, Never>] = [:]
  /// The time of the client's last message.
  private(set) var lastMessage = ContinuousClock.now
  private var lastTask = 0
  private var lastRequest = 0
  var diagnosticsQueue = DiagnosticsQueue()
  let tokens = SemanticTokenCache()
  /// The messages shown to the user so far.
  private var reported: Set<String> = []
  /// The addresses of fetched schemas, by project.
  var addresses: [Workspace.Key: [SchemaEndpoint]] = [:]

  /// - Parameter send: Receives the body of each message, in order.
  package init(environment: ServerEnvironment, send: @escaping @Sendable ([UInt8]) -> Void) {
    self.environment = environment
    self.send = send
  }

  /// Waits until all work is done.
  package func idle() async {
    while let task = requests.values.first ?? backgroundTasks.values.first { await task.value }
  }

  package func cancelAll() {
    for task in requests.values { task.cancel() }
    for task in backgroundTasks.values { task.cancel() }
  }

  /// The snapshot for a request that arrives now.
  var snapshot: WorkspaceSnapshot { WorkspaceSnapshot(workspace: workspace, client: client, tokens: tokens) }

  /// Whether a request is being processed.
  var isAnswering: Bool { !requests.isEmpty }

  // MARK: Incoming messages

  package func receive(_ body: [UInt8]) async {
    lastMessage = .now
    let message: ClientMessage
    do throws(RPCError) {
      message = try ClientMessage(body)
    } catch {
      return answer(nil, .failure(error))
    }
    switch message {
    case .request(let id, let method, let params): await handle(id, method, params)
    case .notification(let method, let params): await handle(method, params)
    // Responses to requests of the server are not needed.
    case .response: break
    }
  }

  /// Responds to bytes that cannot be read as a message.
  package func receive(_ failure: FramingError) {
    answer(nil, .failure(RPCError(code: .parseError, message: failure.description)))
  }

  private func handle(_ id: MessageID, _ method: String, _ params: JSONValue) async {
    switch (method, phase) {
    case ("initialize", .new):
      phase = .running
      answer(id, .success(initialize(params)))
    case (_, .new):
      answer(id, .failure(RPCError(code: .serverNotInitialized, message: "the first request must be initialize")))
    case ("initialize", _):
      answer(id, .failure(RPCError(code: .invalidRequest, message: "initialize was already sent")))
    case (_, .shutDown):
      answer(id, .failure(RPCError(code: .invalidRequest, message: "the server was shut down")))
    case ("shutdown", .running):
      phase = .shutDown
      cancelAll()
      answer(id, .success(.null))
    case ("workspace/executeCommand", .running):
      await begin(id) { [self] () throws(RPCError) in try await execute(params) }
    case (_, .running):
      guard let feature = FeatureTable.features[method] else {
        return answer(id, .failure(RPCError(code: .methodNotFound, message: "unknown method \(method)")))
      }
      let snapshot = snapshot
      let token = params["workDoneToken"].flatMap { $0.kind == .number || $0.kind == .string ? $0 : nil }
      await begin(id) { [self] () throws(RPCError) in
        if let token { await progress(token, ["kind": "begin", "title": JSONValue(method)]) }
        let result = Result { () throws(RPCError) in try feature(snapshot, params) }
        if let token { await progress(token, ["kind": "end"]) }
        return try result.get()
      }
    }
  }

  private func begin(
    _ id: MessageID, _ work: @escaping @Sendable () async throws(RPCError) -> JSONValue
  ) async {
    guard requests[id] == nil else {
      return answer(id, .failure(RPCError(code: .invalidRequest, message: "another request has this id")))
    }
    requests[id] = Task {
      let result: Result<JSONValue, RPCError>
      do throws(RPCError) {
        try WorkspaceSnapshot.checkCancellation()
        result = .success(try await Self.apart(work))
      } catch {
        result = .failure(error)
      }
      requests[id] = nil
      answer(id, Task.isCancelled ? .failure(.cancelled) : result)
    }
  }

  /// Runs work outside the actor.
  private nonisolated static func apart(
    _ work: @Sendable () async throws(RPCError) -> JSONValue
  ) async throws(RPCError) -> JSONValue {
    try await work()
  }

  private func handle(_ method: String, _ params: JSONValue) async {
    if method == "exit" {
      exitCode = phase == .shutDown ? 0 : 1
      cancelAll()
      return
    }
    guard phase == .running else { return }
    switch method {
    case "initialized": await start()
    case "$/cancelRequest": MessageID(params["id"]).flatMap { requests[$0] }?.cancel()
    case "textDocument/didOpen": await open(params)
    case "textDocument/didChange": await change(params)
    case "textDocument/didClose": await close(params)
    case "textDocument/didSave": break
    case "workspace/didChangeWatchedFiles": await filesChanged(params)
    case "workspace/didChangeWorkspaceFolders": await foldersChanged(params)
    case "workspace/didChangeConfiguration": client.apply(options: params["settings"] ?? .null)
    default: break
    }
  }

  private func initialize(_ params: JSONValue) -> JSONValue {
    client = ClientCapabilities(initialize: params)
    var uris = (params["workspaceFolders"] ?? .null).elements.compactMap { $0["uri"]?.string }
    if uris.isEmpty, let root = params["rootUri"]?.string { uris = [root] }
    workspace.folders = uris.prefix(100).compactMap { DocumentURI.path(of: $0) }.compactMap { ProjectFile.realPath($0) }
    return [
      "capabilities": ServerCapabilities.json(client),
      "serverInfo": ["name": "apus", "version": JSONValue(environment.version)],
    ]
  }

  // MARK: Outgoing messages

  private func answer(_ id: MessageID?, _ result: Result<JSONValue, RPCError>) {
    send(JSONWriter.compactBytes(ServerMessage.response(id, result)))
  }

  func notify(_ method: String, _ params: JSONValue) {
    send(JSONWriter.compactBytes(ServerMessage.notification(method, params)))
  }

  /// Sends a request whose response is not needed.
  func sendRequest(_ method: String, _ params: JSONValue) {
    lastRequest += 1
    send(JSONWriter.compactBytes(ServerMessage.request(.text("apus-\(lastRequest)"), method, params)))
  }

  func progress(_ token: JSONValue, _ value: JSONValue) { notify("$/progress", ["token": token, "value": value]) }

  enum MessageType: Int { case error = 1, warning = 2, information = 3 }

  /// Shows a message to the user, once.
  func showMessage(_ text: String, _ importance: MessageType = .warning) {
    guard reported.insert(text).inserted else { return }
    notify("window/showMessage", ["type": JSONValue(importance.rawValue), "message": JSONValue("apus: \(text)")])
  }

  /// Writes a line to the client's log.
  func log(_ text: String) {
    notify("window/logMessage", ["type": 4, "message": JSONValue("apus: \(text)")])
  }

  // MARK: Background work

  /// Starts work that no request waits for.
  @discardableResult
  func begin(
    priority: TaskPriority? = nil, _ work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    lastTask += 1
    let number = lastTask
    let task = Task(priority: priority) {
      await Self.apart(work)
      backgroundTasks[number] = nil
    }
    backgroundTasks[number] = task
    return task
  }

  private nonisolated static func apart(_ work: @Sendable () async -> Void) async { await work() }
}
