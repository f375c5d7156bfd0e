/// Holds back tasks until a test opens it. It stays open. Cancellation, as by a test's time limit, ends the wait too.
package final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  package init() { (stream, continuation) = AsyncStream.makeStream() }

  package func open() { continuation.finish() }
  package func wait() async { for await _ in stream {} }
}
