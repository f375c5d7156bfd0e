import ClientNetwork
import Synchronization

/// What went over the wire for one request, kept while it runs and after it has ended.
public final class RequestMonitor: Sendable {
  /// One part of a multipart response, or the whole body of another.
  public struct RawPart: Sendable {
    public var headers: HTTPHeaders
    public var body: [UInt8]
    /// From the start of the request to the arrival of the part's last byte.
    public var elapsed: Duration
  }

  /// The facts at one instant.
  public struct Facts: Sendable {
    /// Which attempt this is about, from 0.
    public var attempt = 0
    public var requestByteCount = 0
    public var head: HTTPHead?
    /// The format that was agreed on, in the server's words; by the payloads' shape where the server says nothing.
    public var agreedFormat: String?
    /// Bytes of the body, decompressed.
    public var receivedByteCount = 0
    public var parts: [RawPart] = []
    /// There once the response has ended.
    public var timings: HTTPTimings?
    /// How many results were given out so far.
    public var resultCount = 0

    public init() {}
  }

  private let state = Mutex(Facts())
  private let keepsParts: Bool

  /// With `keepsParts` the raw parts stay in memory as long as the monitor does.
  public init(keepsParts: Bool = true) {
    self.keepsParts = keepsParts
  }

  public var facts: Facts {
    state.withLock { $0 }
  }

  package func update(_ change: (inout sending Facts) -> Void) {
    state.withLock { change(&$0) }
  }

  package func add(_ part: @autoclosure () -> RawPart) {
    guard keepsParts else { return }
    let part = part()
    state.withLock { $0.parts.append(part) }
  }

  /// A new attempt forgets what the one before received.
  package func begin(attempt: Int, requestByteCount: Int) {
    state.withLock { facts in
      let resultCount = facts.resultCount
      facts = Facts()
      facts.attempt = attempt
      facts.requestByteCount = requestByteCount
      facts.resultCount = resultCount
    }
  }
}
