import Synchronization

/// A replacement for the network that responds to HTTP requests, in tests or for a server with another transport.
///
/// Responses are processed like those of a server. Redirects are not followed, and timeouts are not applied; throw
/// `NetworkError.timeout` to simulate one.
public protocol HTTPResponder: Sendable {
  /// Responds to a request. Each call runs in its own task, which is canceled when the response is no longer read. The
  /// response is complete when this returns. A thrown `NetworkError` is reported to the reader after the written data.
  func respond(to request: HTTPRequest, _ response: HTTPResponseWriter) async throws
}

/// The destination for a response.
public struct HTTPResponseWriter: Sendable {
  private let channel: TransferChannel
  private let driver: ResponderDriver

  fileprivate init(channel: TransferChannel, driver: ResponderDriver) {
    self.channel = channel
    self.driver = driver
  }

  /// Writes the status and header fields. Only the first call has an effect.
  public func writeHead(status: Int = 200, headers: HTTPHeaders = [:]) {
    guard driver.begin() else { return }
    offer(.head(HTTPHead(status: status, headers: headers, url: channel.request.redactedURL)))
  }

  /// Writes decoded bytes of the body. Waits while too much is unread. Throws `CancellationError` if the response is no
  /// longer read, and `NetworkError.responseTooLarge` beyond the request's limit.
  public func write(_ bytes: [UInt8]) async throws {
    writeHead()
    try driver.count(bytes.count, of: channel.request)
    let chunk = HTTPEvent.bytes(HTTPChunk(bytes: bytes))
    while !channel.offer(chunk, byteCount: bytes.count) { await driver.room() }
    channel.flush()
    try Task.checkCancellation()
  }

  fileprivate func offer(_ event: HTTPEvent) {
    _ = channel.offer(event)
    channel.flush()
  }
}

/// Fills a channel with the output of a responder.
final class ResponderDriver: TransferDriver {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var hasBegun = false
    var byteCount = 0
    /// Whether the channel may accept data again.
    var hasRoom = false
    var waiter: CheckedContinuation<Void, Never>?
    /// The timeout for the end of a response whose relevant data has arrived.
    var expectation: Task<Void, Never>?
    weak var channel: TransferChannel?

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }
  }

  private let state = Mutex(State())

  func start(_ responder: any HTTPResponder, _ channel: TransferChannel) {
    let task = Task {
      let writer = HTTPResponseWriter(channel: channel, driver: self)
      do {
        try await responder.respond(to: channel.request, writer)
        writer.writeHead()
        writer.offer(.end(HTTPTimings()))
        channel.finish()
      } catch {
        channel.finish(throwing: error)
      }
      state.withLock { $0.expectation }?.cancel()
    }
    let isCancelled = state.withLock { state in
      (state.task, state.channel) = (task, channel)
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Whether this is the first call.
  fileprivate func begin() -> Bool {
    state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  fileprivate func count(_ byteCount: Int, of request: HTTPRequest) throws(NetworkError) {
    let total = state.withLock { state in
      state.byteCount += byteCount
      return state.byteCount
    }
    if total > request.maximumResponseSize {
      throw .responseTooLarge(host: request.redactedURL, limit: request.maximumResponseSize)
    }
  }

  /// Waits until the channel may accept data or is no longer read.
  fileprivate func room() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.hasRoom || state.isCancelled {
          state.hasRoom = false
          return true
        }
        state.waiter = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func drive(for channel: TransferChannel) {}

  func submit(_ command: TransferEngine.Command) {
    switch command {
    case .resume:
      state.withLock { state in
        state.hasRoom = state.waiter == nil
        return state.takeWaiter()
      }?.resume()
    case .cancel:
      let (task, waiter) = state.withLock { state in
        state.isCancelled = true
        return (state.task, state.takeWaiter())
      }
      task?.cancel()
      waiter?.resume()
    case .expectEnd(_, let limit):
      state.withLock { state in
        guard state.expectation == nil, let task = state.task, let channel = state.channel else { return }
        state.expectation = Task {
          // The response may still end normally, which cancels this task.
          guard (try? await Task.sleep(for: limit)) != nil else { return }
          channel.finish(
            throwing: NetworkError.timeout(phase: .idle, host: channel.request.redactedURL, limit: limit))
          task.cancel()
        }
      }
    case .start, .open, .sendText, .answer, .sendPing, .closeSocket: break
    }
  }
}
