import ApusClientAPI
import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON
import Synchronization

/// Records the bytes on the wire for one request, during and after its execution.
public final class RequestMonitor: Sendable {
  /// A part of a multipart response, or the body of another response.
  public struct RawPart: Sendable {
    /// The part's own header fields: those in a multipart response, or the `event` of an event stream.
    public var headers: HTTPHeaders
    /// The part's bytes, decompressed.
    public var body: [UInt8]
    /// The time from the start of the request to the arrival of the part's last byte.
    public var elapsed: Duration
    /// The payload, if the part is a WebSocket message.
    package var payload: JSONValue?

    package init(headers: HTTPHeaders, body: [UInt8], elapsed: Duration, payload: JSONValue? = nil) {
      (self.headers, self.body, self.elapsed, self.payload) = (headers, body, elapsed, payload)
    }
  }

  /// A new fact about a request in progress.
  public enum Observation: Sendable {
    /// An upload progressed.
    case sent(HTTPUploadProgress)
    /// The response's head arrived.
    case head(HTTPHead)
    /// A part has arrived.
    case part(RawPart)
    /// The state of a subscription's connection changed.
    case subscription(SubscriptionState)
    /// The response ended.
    case ended(HTTPTimings)
    /// The network failed, and the cache is used instead (`CachePolicy.networkFirst`).
    case fellBack(GraphQLClientError)
  }

  /// The facts about a request at one moment.
  public struct Snapshot: Sendable {
    /// The number of the attempt, from 0.
    public var attempt = 0
    /// The size of the request's body in bytes, including files.
    public var requestByteCount = 0
    /// The progress of an upload.
    public var upload: HTTPUploadProgress?
    /// The response's status and header fields; `nil` before they have arrived.
    public var head: HTTPHead?
    /// The incremental format as named by the server; if it names none, the format is inferred from the payloads.
    public var agreedFormat: String?
    /// The size of the received body in bytes, decompressed.
    public var receivedByteCount = 0
    /// Parts so far, if the monitor keeps them.
    public var parts: [RawPart] = []
    /// Timings, once the response has ended.
    public var timings: HTTPTimings?
    /// The error because of which the cache was used instead of the network, if any.
    public var fallbackReason: GraphQLClientError?
    /// The number of results emitted so far.
    public var resultCount = 0
    /// The state of a subscription's connection; nil for a query or mutation.
    public var subscription: SubscriptionState?

    /// Creates facts of a request that has not started.
    public init() {}
  }

  private let state = Mutex(Snapshot())
  private let watchers = Mutex<[Int: AsyncStream<SubscriptionState>.Continuation]>([:])
  private let keepsParts: Bool
  private let onObservation: (@Sendable (Observation) -> Void)?
  /// Hears of each request before it is sent, with its secrets.
  private let onRequest: (@Sendable (HTTPRequest) -> Void)?

  /// Creates a monitor. With `keepsParts`, the raw parts stay in memory as long as the monitor. `onObservation`
  /// receives each observation before the results it leads to; it must not block.
  public init(keepsParts: Bool = true, onObservation: (@Sendable (Observation) -> Void)? = nil) {
    self.keepsParts = keepsParts
    self.onObservation = onObservation
    onRequest = nil
  }

  /// Creates a monitor that also observes the sent requests, with the secrets in them.
  package init(
    keepsParts: Bool, onRequest: (@Sendable (HTTPRequest) -> Void)?,
    onObservation: (@Sendable (Observation) -> Void)?
  ) {
    self.keepsParts = keepsParts
    self.onRequest = onRequest
    self.onObservation = onObservation
  }

  deinit {
    for watcher in watchers.withLock({ $0 }).values { watcher.finish() }
  }

  /// The current facts.
  public var facts: Snapshot {
    state.withLock { $0 }
  }

  package func update(_ change: (inout sending Snapshot) -> Void) {
    state.withLock { change(&$0) }
  }

  /// States of a subscription's connection: the current one, then each change. The renewal of a token begins with
  /// `connecting` again. The stream ends when the subscription is finished or the monitor is released.
  public var subscriptionStates: AsyncStream<SubscriptionState> {
    AsyncStream { continuation in
      watchers.withLock { watchers in
        let id = (watchers.keys.max() ?? 0) + 1
        watchers[id] = continuation
        continuation.onTermination = { [weak self] _ in _ = self?.watchers.withLock { $0.removeValue(forKey: id) } }
        guard let state = state.withLock({ $0.subscription }) else { return }
        continuation.yield(state)
      }
      if state.withLock({ $0.subscription }) == .finished { continuation.finish() }
    }
  }

  /// Records a state. Returns false if it is the current one.
  package func enter(_ subscription: SubscriptionState) -> Bool {
    let watchers = watchers.withLock { watchers -> [AsyncStream<SubscriptionState>.Continuation]? in
      let isNew = state.withLock { facts in
        defer { facts.subscription = subscription }
        return facts.subscription != subscription
      }
      return isNew ? Array(watchers.values) : nil
    }
    guard let watchers else { return false }
    for watcher in watchers {
      watcher.yield(subscription)
      if subscription == .finished { watcher.finish() }
    }
    onObservation?(.subscription(subscription))
    return true
  }

  package func fellBack(because reason: GraphQLClientError) {
    state.withLock { $0.fallbackReason = reason }
    onObservation?(.fellBack(reason))
  }

  package func received(_ head: HTTPHead) {
    state.withLock { $0.head = head }
    onObservation?(.head(head))
  }

  package func sent(_ progress: HTTPUploadProgress) {
    state.withLock { $0.upload = progress }
    onObservation?(.sent(progress))
  }

  package func ended(_ timings: HTTPTimings) {
    state.withLock { $0.timings = timings }
    onObservation?(.ended(timings))
  }

  package func add(_ part: @autoclosure () -> RawPart) {
    guard keepsParts || onObservation != nil else { return }
    let part = part()
    if keepsParts { state.withLock { $0.parts.append(part) } }
    onObservation?(.part(part))
  }

  /// Starts an attempt and resets the facts of the previous one.
  func begin(attempt: Int, _ request: HTTPRequest) {
    onRequest?(request)
    let requestByteCount = request.bodyByteCount
    state.withLock { facts in
      let (resultCount, subscription) = (facts.resultCount, facts.subscription)
      facts = Snapshot()
      facts.subscription = subscription
      facts.attempt = attempt
      facts.requestByteCount = requestByteCount
      facts.resultCount = resultCount
    }
  }
}
