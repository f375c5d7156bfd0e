import CApusMicrohttpd
import Synchronization

/// A pointer to a connection or daemon of libmicrohttpd.
///
/// It may be used from any thread: the library locks the calls that other threads make here (suspend, resume and stop),
/// and the state with the pointer drops it before the library frees it.
struct DaemonPointer: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// A request and its response in libmicrohttpd.
///
/// 1. The daemon's thread collects the body, suspends the connection and starts a task that calls the handler.
/// 2. The task stores the response and resumes the connection; the daemon's thread queues the response.
/// 3. The daemon's thread pulls a streamed body. If there is no data it suspends the connection, and a push resumes it.
///    Both hold the mutex, so that no push is missed. A client that leaves more data than the limit unread is
///    disconnected.
final class HTTPExchange: Sendable {
  static let bodyLimit = 8 << 20

  private struct State {
    var body: [UInt8] = []
    var isTooLarge = false
    var connection: DaemonPointer?
    var isSuspended = false
    var answer: ServerResponse?
    var isStreamed = false
    var outgoing: [UInt8] = []
    var sent = 0
    var hasEnded = false
    /// The connection is gone or the server is stopping, so it must not be suspended or resumed.
    var isOver = false
    var task: Task<Void, Never>?

    mutating func resume() {
      guard isSuspended, let connection else { return }
      isSuspended = false
      MHD_resume_connection(connection.pointer)
    }
  }

  private let outgoingLimit: Int
  private let state = Mutex(State())

  /// - Parameter outgoingLimit: The maximum number of unread bytes.
  init(outgoingLimit: Int) { self.outgoingLimit = outgoingLimit }

  // MARK: On the daemon's thread

  func receive(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      if state.body.count + bytes.count > Self.bodyLimit {
        state.isTooLarge = true
        state.body = []
      } else {
        state.body += bytes
      }
    }
  }

  /// Suspends the connection and starts a task for the response. Returns the response if it is known immediately.
  func begin(
    _ request: ServerRequest, on connection: OpaquePointer,
    handler: @escaping @Sendable (ServerRequest) async -> ServerResponse
  ) -> ServerResponse? {
    let connection = DaemonPointer(pointer: connection)
    return state.withLock { state in
      if state.isTooLarge {
        return ServerResponse(413, "text/plain; charset=utf-8", .bytes(Array("The request is too large.\n".utf8)))
      }
      guard !state.isOver else { return nil }
      var request = request
      request.body = state.body
      state.body = []
      state.connection = connection
      state.isSuspended = true
      MHD_suspend_connection(connection.pointer)
      state.task = Task { [request] in await run(handler, request) }
      return nil
    }
  }

  func takeAnswer() -> ServerResponse? {
    state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  var isStreamed: Bool { state.withLock { $0.isStreamed } }

  /// Reads the next bytes of a streamed body as libmicrohttpd expects: a count, 0 after suspending, or the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      let count = min(buffer.count, state.outgoing.count - state.sent)
      if count > 0 {
        buffer.copyBytes(from: state.outgoing[state.sent..<state.sent + count])
        state.sent += count
        if state.sent == state.outgoing.count { (state.outgoing, state.sent) = ([], 0) }
        // A client that never quite catches up would let the buffer grow, so the bytes sent are removed.
        if state.sent > outgoingLimit { (state.outgoing, state.sent) = (Array(state.outgoing[state.sent...]), 0) }
        return count
      }
      if state.isOver { return apus_mhd_end_with_error }
      guard !state.hasEnded, let connection = state.connection else { return apus_mhd_end_of_stream }
      state.isSuspended = true
      MHD_suspend_connection(connection.pointer)
      return 0
    }
  }

  /// Ends the exchange after the daemon has finished the request.
  func completed() {
    let task = state.withLock { state in
      state.isOver = true
      state.connection = nil
      return state.task
    }
    task?.cancel()
  }

  // MARK: On other threads

  /// Resumes and cancels the exchange, because the server is stopping and nothing may stay suspended.
  func abort() {
    let task = state.withLock { state in
      state.isOver = true
      state.resume()
      return state.task
    }
    task?.cancel()
  }

  private func run(_ handler: @Sendable (ServerRequest) async -> ServerResponse, _ request: ServerRequest) async {
    let answer = await handler(request)
    state.withLock { state in
      state.answer = answer
      if case .stream = answer.body { state.isStreamed = true }
      state.resume()
    }
    guard case .stream(let chunks) = answer.body else { return }
    for await chunk in chunks {
      let isOver = state.withLock { state in
        if state.outgoing.count - state.sent > outgoingLimit {
          state.isOver = true
          (state.outgoing, state.sent) = ([], 0)
        } else {
          state.outgoing += chunk
        }
        state.resume()
        return state.isOver
      }
      if isOver { break }
    }
    state.withLock { state in
      state.hasEnded = true
      state.resume()
    }
  }
}
