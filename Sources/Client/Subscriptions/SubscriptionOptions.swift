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
