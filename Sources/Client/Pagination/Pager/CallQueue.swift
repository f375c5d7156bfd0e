/// Hands calls that do not wait to who does, one behind the other, in the order in which they were made.
final class CallQueue: Sendable {
  typealias Call = @Sendable () async -> Void

  private let calls: AsyncStream<Call>.Continuation

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Call.self)
    calls = continuation
    Task { for await call in stream { await call() } }
  }

  /// Calls that were made before the queue was let go are still handed over.
  deinit { calls.finish() }

  func enqueue(_ call: @escaping Call) { calls.yield(call) }
}
