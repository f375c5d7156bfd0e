/// Executes asynchronous calls one after another, in the order in which they were enqueued.
final class CallQueue: Sendable {
  typealias Call = @Sendable () async -> Void

  private let calls: AsyncStream<Call>.Continuation

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Call.self)
    calls = continuation
    Task { for await call in stream { await call() } }
  }

  /// Calls that were enqueued before the queue is released are still executed.
  deinit { calls.finish() }

  func enqueue(_ call: @escaping Call) { calls.yield(call) }
}
