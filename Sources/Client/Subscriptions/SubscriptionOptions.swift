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
  /// Returns the endpoint's credentials as a member of the payload; nil if the URL of a connection gets none.
  package var payloadCredentials: (@Sendable (_ url: String) async throws -> (name: String, value: String)?)?
  /// The URL of subscriptions; `nil` for that of the client. The schemes `ws` and `http` mean the same, and so do `wss` and
  /// `https`: `transport` decides. If the URL has another origin than the client's, it gets none of the client's header
  /// fields, client certificates and netrc files. The connection payload is sent to it.
  public var url: String?
  /// The time limit for the acknowledgement of `connection_init`. The request's `firstByte` and `total` timeouts
  /// (`HTTPTimeouts`) also apply.
  public var acknowledgeTimeout: Duration = .seconds(10)
  /// The time after the last sent message until a ping; nil for no pings. Many servers and proxies close a connection on
  /// which the client sent nothing for 30 seconds, even if events arrive. With the legacy subprotocol, which has no client
  /// pings, WebSocket pings are sent.
  public var pingInterval: Duration? = .seconds(20)
  /// The time limit for the answer to a ping, or any other message, after which the connection counts as lost.
  public var pongTimeout: Duration = .seconds(10)
  /// The policy for lost connections.
  public var reconnection = ReconnectionPolicy()
  /// Waits before reconnecting. Throws `CancellationError` if the task is canceled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Returns the header field that replaces the endpoint's credentials in requests, if the user chose one.
  package var replacingField: (@Sendable () async throws -> (name: String, value: String))?

  /// Creates the payload for a connection to a URL. A member of `connectionPayload` takes precedence over the credentials.
  ///
  /// A replacing field takes the place of the credentials and of a member of its name. A payload without either does not
  /// get it.
  package func payload(for url: String) async throws -> JSONValue? {
    let payload = try await connectionPayload?()
    guard payload == nil || payload?.kind == .object else { return payload }
    var members = payload.map { $0.members.map { ($0.key, $0.value) } } ?? []
    let replacing = try await replacingField?()
    var field = replacing
    if field == nil { field = try await payloadCredentials?(url) }
    guard let field else { return payload }
    let index = members.firstIndex { $0.0.lowercased() == field.name.lowercased() }
    if let index {
      if replacing != nil { members[index].1 = JSONValue(field.value) }
    } else if payloadCredentials != nil {
      members.append((field.name, JSONValue(field.value)))
    }
    return payload == nil && members.isEmpty ? nil : .object(members)
  }

  /// Creates the default options: a WebSocket if the server supports it, otherwise HTTP, with reconnecting.
  public init() {}
}
