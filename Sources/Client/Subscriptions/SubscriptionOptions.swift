import ApusJSON

/// How a client's subscriptions travel, and what happens when their connection is lost.
public struct SubscriptionOptions: Sendable {
  /// What carries the events.
  public enum Transport: String, Sendable, Hashable, CaseIterable {
    /// A WebSocket with either subprotocol, as the server chooses; over HTTP when it does not speak WebSocket.
    case automatic = "auto"
    /// A WebSocket, subprotocol `graphql-transport-ws`.
    case webSocket = "ws"
    /// A WebSocket, subprotocol `graphql-ws` of the library subscriptions-transport-ws.
    case legacyWebSocket = "legacy-ws"
    /// HTTP, `text/event-stream`, a connection for each subscription (GraphQL over SSE, distinct connections mode).
    case serverSentEvents = "sse"
    /// HTTP, `multipart/mixed;subscriptionSpec=1.0`.
    case multipart
  }

  /// What carries the events.
  public var transport: Transport = .automatic
  /// Makes the payload of `connection_init`, anew for each connection, so that a token in it can be a fresh one. An error
  /// it throws ends the subscriptions.
  public var connectionPayload: (@Sendable () async throws -> JSONValue?)?
  /// Where WebSockets go when that is another URL than the client's; `ws` and `wss` are fine.
  public var webSocketURL: String?
  /// How long the server may take to acknowledge `connection_init`; not longer than the request's `firstByte` and `total`
  /// (`HTTPTimeouts`) allow.
  public var acknowledgeTimeout: Duration = .seconds(10)
  /// How often a quiet connection is asked whether it still stands; nil asks never. The legacy subprotocol has pings of
  /// the server's alone: there the WebSocket's own ping is sent.
  public var pingInterval: Duration? = .seconds(30)
  /// How long the answer to a ping may take before the connection counts as lost.
  public var pongTimeout: Duration = .seconds(10)
  /// How a lost connection is made again.
  public var reconnection = ReconnectionPolicy()
  /// Waits so long before a lost connection is made again. Throws `CancellationError` when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// A WebSocket where the server speaks it, else HTTP; a lost connection is made again.
  public init() {}
}

/// How a lost connection is made again: waits grow by a factor of two and are scattered, so that many clients do not come
/// back in one moment.
public struct ReconnectionPolicy: Sendable, Hashable {
  /// The number of attempts in a row, and in total within `period`, before the subscription fails; 0 never reconnects.
  public var maximumAttempts = 8
  /// The time in which there are at most `maximumAttempts` attempts, however long each connection lasted. Two minutes stop a
  /// server that ends each response after ten seconds, and outlast proxies that cut a connection every thirty.
  public var period: Duration = .seconds(120)
  /// How long a connection must have been live for the count, and with it the waits, to start anew. Events do not: a server
  /// that ends each connection behind its first event would be asked again twice a second for ever. Ten seconds are
  /// more than such a server takes, and less than the idle limits of proxies (30 seconds and more), whose cuts are the
  /// usual reason for connecting again.
  public var steadyAfter: Duration = .seconds(10)
  /// The wait before the first attempt; each one after it waits twice as long.
  public var firstDelay: Duration = .milliseconds(500)
  /// No wait is longer.
  public var longestDelay: Duration = .seconds(30)
  /// What part of each delay is left to chance, from 0 to 1.
  public var jitter = 0.5

  /// Up to eight attempts within two minutes or in a row, after half a second, a second, and so on up to 30.
  public init() {}

  /// How long to wait before an attempt, counted from 1.
  public func delay(before attempt: Int) -> Duration {
    var random = SystemRandomNumberGenerator()
    return delay(before: attempt, using: &random)
  }

  package func delay(before attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
    let doublings = min(max(attempt - 1, 0), 20)
    let whole = min(firstDelay * (1 << doublings), longestDelay)
    let chance = min(max(jitter, 0), 1)
    return whole * (1 - chance * Double.random(in: 0..<1, using: &random))
  }
}
