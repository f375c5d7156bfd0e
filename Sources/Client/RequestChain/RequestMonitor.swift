import ApusClientAPI
import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON
import Synchronization

/// What went over the wire for one request, kept while it runs and after it has ended.
public final class RequestMonitor: Sendable {
  /// One part of a multipart response, or the whole body of another.
  public struct RawPart: Sendable {
    /// The part's own header fields: those of a multipart response, the `event` of an event stream, else none.
    public var headers: HTTPHeaders
    /// The part's bytes, decompressed.
    public var body: [UInt8]
    /// From the start of the request to the arrival of the part's last byte.
    public var elapsed: Duration
    /// The payload in it, where the part is a message of a WebSocket.
    package var payload: JSONValue?
  }

  /// Something that has just become known, for those who follow a request as it goes.
  public enum Observation: Sendable {
    /// More of an upload is on its way.
    case sent(HTTPUploadProgress)
    /// The response has begun.
    case head(HTTPHead)
    /// A part has arrived.
    case part(RawPart)
    /// A subscription's connection has come to another state.
    case subscription(SubscriptionState)
    /// The response has ended.
    case ended(HTTPTimings)
    /// The network failed, and the cache answers in its place, as `CachePolicy.networkFirst` has it.
    case fellBack(GraphQLClientError)
  }

  /// The facts at one instant.
  public struct Facts: Sendable {
    /// Which attempt this is about, from 0.
    public var attempt = 0
    /// Bytes of the request's body, of files too.
    public var requestByteCount = 0
    /// How far an upload is.
    public var upload: HTTPUploadProgress?
    /// The response's status and header fields; `nil` before they have arrived.
    public var head: HTTPHead?
    /// The format that was agreed on, in the server's words; by the payloads' shape where the server says nothing.
    public var agreedFormat: String?
    /// Bytes of the body, decompressed.
    public var receivedByteCount = 0
    /// The parts so far, where the monitor keeps them.
    public var parts: [RawPart] = []
    /// There once the response has ended.
    public var timings: HTTPTimings?
    /// Why the cache answered in the network's place, where it did.
    public var fallbackReason: GraphQLClientError?
    /// How many results were given out so far.
    public var resultCount = 0
    /// Where a subscription's connection stands; nil for a query or mutation.
    public var subscription: SubscriptionState?

    /// The facts before anything is known.
    public init() {}
  }

  private let state = Mutex(Facts())
  private let watchers = Mutex<[Int: AsyncStream<SubscriptionState>.Continuation]>([:])
  private let keepsParts: Bool
  private let onObservation: (@Sendable (Observation) -> Void)?

  /// With `keepsParts` the raw parts stay in memory as long as the monitor does. `onObservation` hears of everything as
  /// it happens, before the results that are made of it; it must not wait.
  public init(keepsParts: Bool = true, onObservation: (@Sendable (Observation) -> Void)? = nil) {
    self.keepsParts = keepsParts
    self.onObservation = onObservation
  }

  deinit {
    for watcher in watchers.withLock({ $0 }).values { watcher.finish() }
  }

  /// What is known now.
  public var facts: Facts {
    state.withLock { $0 }
  }

  package func update(_ change: (inout sending Facts) -> Void) {
    state.withLock { change(&$0) }
  }

  /// The states of a subscription's connection: the one it is in, then each change. Ends when the subscription is finished,
  /// or with the monitor.
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

  package func enter(_ subscription: SubscriptionState) {
    let watchers = watchers.withLock { watchers in
      state.withLock { $0.subscription = subscription }
      return Array(watchers.values)
    }
    for watcher in watchers {
      watcher.yield(subscription)
      if subscription == .finished { watcher.finish() }
    }
    onObservation?(.subscription(subscription))
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

  /// A new attempt forgets what the one before received.
  package func begin(attempt: Int, requestByteCount: Int) {
    state.withLock { facts in
      let (resultCount, subscription) = (facts.resultCount, facts.subscription)
      facts = Facts()
      facts.subscription = subscription
      facts.attempt = attempt
      facts.requestByteCount = requestByteCount
      facts.resultCount = resultCount
    }
  }
}
