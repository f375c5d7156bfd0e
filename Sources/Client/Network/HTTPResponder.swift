import Synchronization

/// Answers HTTP requests in the place of a network: in tests, or for a server that is reached in another way.
///
/// What comes of it is read as what a server sends is: header fields, status, bytes of any form. Redirects are not
/// followed, and the request's limits on time are not applied: throw `NetworkError.timeout` where one is meant to be met.
public protocol HTTPResponder: Sendable {
  /// Answers one request, in a task of its own that is cancelled when nobody reads the response any more. The response is
  /// whole when this returns. A `NetworkError` that it throws is what the reader gets behind all that was written.
  func respond(to request: HTTPRequest, _ response: HTTPResponseWriter) async throws
}

/// Where a responder writes its response.
public struct HTTPResponseWriter: Sendable {
  private let channel: TransferChannel
  private let driver: ResponderDriver

  fileprivate init(channel: TransferChannel, driver: ResponderDriver) {
    self.channel = channel
    self.driver = driver
  }

  /// The status and the header fields: once, before the first bytes.
  public func begin(status: Int = 200, headers: HTTPHeaders = [:]) {
    guard driver.begin() else { return }
    offer(.head(HTTPHead(status: status, headers: headers, url: channel.request.shownURL)))
  }

  /// The next bytes of the body, decoded. Waits while the reader is far behind. Throws `CancellationError` when nobody reads
  /// any more, `NetworkError.responseTooLarge` beyond the request's limit.
  public func write(_ bytes: [UInt8]) async throws {
    begin()
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

/// Fills a channel with what a responder writes.
final class ResponderDriver: TransferDriver {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var hasBegun = false
    var byteCount = 0
    /// Whether there may be room again since the channel was full.
    var hasRoom = false
    var waiter: CheckedContinuation<Void, Never>?
    /// Ends a response of which all that matters is there.
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
        writer.begin()
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

  /// Whether nothing was begun yet.
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
      throw .responseTooLarge(host: request.shownURL, limit: request.maximumResponseSize)
    }
  }

  /// Returns when the channel may have room, or nobody reads it any more.
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
          // The reader has all it wants; the response may still end in good order, and cancels this when it does.
          guard (try? await Task.sleep(for: limit)) != nil else { return }
          channel.finish(
            throwing: NetworkError.timeout(phase: .idle, host: channel.request.shownURL, limit: limit))
          task.cancel()
        }
      }
    case .start, .open, .sendText, .answer, .sendPing, .closeSocket: break
    }
  }
}
