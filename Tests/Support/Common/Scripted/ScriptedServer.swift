import Synchronization

#if canImport(ApusPlatform)
  import ApusPlatform
#endif

/// A loopback HTTP/1.1 server with scripted behavior, valid or not, which records its requests.
///
///     let gate = Gate()
///     let server = try ScriptedServer([.multipart([.text(first), .hold(gate), .text(second)])])
///     …send a request to server.url, see the first part…
///     gate.open()
package final class ScriptedServer: Sendable {
  /// A request as received.
  package struct Request: Sendable {
    package var method: String
    /// The target of the request line: path and query.
    package var target: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package var bodyText: String { String(decoding: body, as: UTF8.self) }

    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  package enum Failure: Error, Equatable {
    case socket(call: String, code: Int32)
    /// A test waited for something that did not happen, such as a request.
    case waitedTooLong
  }

  package let port: Int
  package var url: String { "http://127.0.0.1:\(port)/graphql" }

  private let log: ScriptedLog
  private let stopping: Gate
  private let stopped = Mutex(false)

  /// Pauses reading a body after some bytes until a gate opens.
  package struct SlowReading: Sendable {
    package var byteCount: Int
    package var gate: Gate

    package init(byteCount: Int, gate: Gate) {
      self.byteCount = byteCount
      self.gate = gate
    }
  }

  /// Creates a server that calls `answer` for each request with the number of requests before it.
  package init(
    slowReading: SlowReading? = nil, answer: @escaping @Sendable (Request, Int) -> ScriptedAnswer
  ) throws(Failure) {
    let (listener, port) = try listenOnLoopback()
    let log = ScriptedLog()
    let stopping = Gate()
    self.port = port
    self.log = log
    self.stopping = stopping
    startThread {
      while waitUntilReadable(listener, or: stopping) {
        let client = acceptClosing(listener)
        guard client >= 0 else { continue }
        log.connectionOpened()
        startThread {
          ScriptedConnection(
            socket: client, stopping: stopping, log: log, slowReading: slowReading, answer: answer
          ).run()
        }
      }
      close(listener)
    }
  }

  /// Creates a server that sends these responses in order and then repeats the last one.
  package convenience init(_ answers: [ScriptedAnswer], slowReading: SlowReading? = nil) throws(Failure) {
    try self.init(slowReading: slowReading) { _, index in
      answers.isEmpty ? .never : answers[min(index, answers.count - 1)]
    }
  }

  deinit { stop() }

  /// Closes the listener and all connections. May be called twice.
  package func stop() {
    let first = stopped.withLock { stopped in
      defer { stopped = true }
      return !stopped
    }
    if first { stopping.open() }
  }

  /// All requests so far.
  package var requests: [Request] { log.requests }

  /// TCP connections accepted so far.
  package var connectionCount: Int { log.connectionCount }

  /// Waits for the request with an index, from 0.
  package func request(_ index: Int = 0) async throws -> Request {
    try await log.wait { $0.requests.count > index }
    return log.requests[index]
  }

  /// Waits until the client has closed the connection of the request with an index.
  package func clientClosed(_ index: Int = 0) async throws {
    try await log.wait { $0.closedRequests.contains(index) }
  }

  /// Waits until the client has stopped reading a response for a while. Returns the number of bytes it has read.
  package func heldBack(_ index: Int = 0) async throws -> Int {
    try await log.wait { $0.heldBack[index] != nil }
    return log.heldBack[index] ?? 0
  }
}

/// The log of a scripted server, which tests read and wait for.
final class ScriptedLog: Sendable {
  struct State {
    var requests: [ScriptedServer.Request] = []
    var closedRequests: Set<Int> = []
    var connectionCount = 0
    /// The number of bytes that the client had read when it stopped.
    var heldBack: [Int: Int] = [:]
    fileprivate var waiters: [Waiter] = []
    fileprivate var nextWaiter = 0
  }

  fileprivate struct Waiter {
    let id: Int
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// The time after which a test fails instead of waiting for something that an earlier failure prevents.
  private static let limit = Duration.seconds(240)

  private let state = Mutex(State())

  var requests: [ScriptedServer.Request] { state.withLock { $0.requests } }
  var connectionCount: Int { state.withLock { $0.connectionCount } }
  var heldBack: [Int: Int] { state.withLock { $0.heldBack } }

  func connectionOpened() {
    update { $0.connectionCount += 1 }
  }

  /// Returns the request's index.
  func received(_ request: ScriptedServer.Request) -> Int {
    update { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
  }

  func heldBack(_ index: Int, after byteCount: Int) {
    update { $0.heldBack[index] = $0.heldBack[index] ?? byteCount }
  }

  func closedByClient(_ indexes: [Int]) {
    update { $0.closedRequests.formUnion(indexes) }
  }

  private func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let result = change(&state)
      let snapshot = state
      let ready = state.waiters.filter { $0.condition(snapshot) }
      state.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
      return (result, ready.map(\.continuation))
    }
    for continuation in ready { continuation.resume() }
    return result
  }

  func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    // A test whose client never connects ends here; without the limit, it would keep the whole run from ending.
    let limit = Task {
      try await Task.sleep(for: Self.limit)
      end(id, throwing: ScriptedServer.Failure.waitedTooLong)
    }
    defer { limit.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isSettled = state.withLock { state in
          if Task.isCancelled || condition(state) { return true }
          state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
          return false
        }
        if isSettled { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      end(id, throwing: CancellationError())
    }
  }

  private func end(_ id: Int, throwing error: any Error) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(throwing: error)
  }
}

private func listenOnLoopback() throws(ScriptedServer.Failure) -> (socket: Int32, port: Int) {
  let (descriptor, port) = try bindOnLoopback()
  guard listen(descriptor, 64) == 0 else {
    let code = errno
    close(descriptor)
    throw .socket(call: "listen", code: code)
  }
  return (descriptor, port)
}

/// Binds a socket to a free loopback port.
func bindOnLoopback() throws(ScriptedServer.Failure) -> (socket: Int32, port: Int) {
  let descriptor = makeClosingSocket()
  guard descriptor >= 0 else { throw .socket(call: "socket", code: errno) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
    }
  }
  guard isBound else {
    let code = errno
    close(descriptor)
    throw .socket(call: "bind", code: code)
  }
  return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
}

/// Returns false if the gate opened first.
private func waitUntilReadable(_ socket: Int32, or gate: Gate) -> Bool {
  while true {
    var descriptors = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: gate.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
    if descriptors[1].revents != 0 { return false }
    if descriptors[0].revents != 0 { return true }
  }
}

/// Runs blocking work on a separate thread, to keep the cooperative pool free for tests.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  guard SystemThread.start(body) else { fatalError("no thread can be started") }
}
