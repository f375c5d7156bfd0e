import ApusJSON

/// The transport of a client's subscriptions, and the handling of lost connections.
public struct SubscriptionOptions: Sendable {
  /// The transport of events.
  public enum Transport: String, Sendable, Hashable, CaseIterable {
    /// A WebSocket with either subprotocol, as the server chooses; HTTP if the server does not support WebSockets.
    case automatic = "auto"
    /// A WebSocket with the subprotocol `graphql-transport-ws`.
    case webSocket = "ws"
    /// A WebSocket with the subprotocol `graphql-ws` of the library subscriptions-transport-ws.
    case legacyWebSocket = "legacy-ws"
    /// HTTP with `text/event-stream`, one connection per subscription (GraphQL over SSE, distinct connections mode).
    case serverSentEvents = "sse"
    /// HTTP with `multipart/mixed;subscriptionSpec=1.0`.
    case multipart
  }

  /// The transport of events.
  public var transport: Transport = .automatic
  /// Creates the payload of `connection_init` for each connection, so that it can contain a fresh token. If it throws,
  /// the subscriptions end.
  public var connectionPayload: (@Sendable () async throws -> JSONValue?)?
  /// The URL for WebSockets, if it differs from the client's. Its scheme may be `ws` or `wss`.
  public var webSocketURL: String?
  /// The time limit for the acknowledgement of `connection_init`. The request's `firstByte` and `total` timeouts
  /// (`HTTPTimeouts`) also apply.
  public var acknowledgeTimeout: Duration = .seconds(10)
  /// The interval of pings on a quiet connection; nil for none. With the legacy subprotocol, which has no client pings,
  /// WebSocket pings are sent.
  public var pingInterval: Duration? = .seconds(30)
  /// The time limit for the answer to a ping, after which the connection counts as lost.
  public var pongTimeout: Duration = .seconds(10)
  /// The policy for lost connections.
  public var reconnection = ReconnectionPolicy()
  /// Waits before reconnecting. Throws `CancellationError` if the task is canceled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Creates the default options: a WebSocket if the server supports it, otherwise HTTP, with reconnecting.
  public init() {}
}
