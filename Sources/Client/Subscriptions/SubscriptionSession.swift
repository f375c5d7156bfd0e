import ApusClientAPI
import ApusClientNetwork
import ApusJSON

/// The subprotocols for GraphQL over WebSocket.
package enum WebSocketSubprotocol: String, Sendable, Equatable {
  case transport = "graphql-transport-ws"
  /// The subprotocol of the library subscriptions-transport-ws. Its name is that of the newer library.
  case legacy = "graphql-ws"

  fileprivate var startType: String { self == .transport ? "subscribe" : "start" }
  fileprivate var stopType: String { self == .transport ? "complete" : "stop" }
  fileprivate var resultType: String { self == .transport ? "next" : "data" }
}

/// The client side of the protocol on one connection, as a state machine: it turns messages into effects, and does not
/// depend on sockets or clocks. The time is passed to it.
///
/// 1. `opened` sends `connection_init` and waits for `connection_ack`.
/// 2. Subscriptions started in the meantime are sent after the acknowledgement.
/// 3. Results, errors and completions are reported with the subscription's id.
/// 4. After some time without a message of this side, the connection is pinged, and counts as lost if nothing is received
///    afterward. Servers and proxies close connections on which the client is silent, even if they send events themselves.
package struct SubscriptionSession: Sendable {
  /// An action for the caller.
  package enum Effect: Sendable {
    case send([UInt8])
    /// The response to a ping of the server. It replaces earlier responses that have not been written.
    case answer([UInt8])
    /// A WebSocket ping, for the subprotocol without its own.
    case ping
    case acknowledged
    /// An execution result, with its message.
    case result(id: String, JSONValue, message: [UInt8])
    /// The server ended the subscription with errors and without data.
    case errors(id: String, JSONValue, message: [UInt8])
    case completed(id: String)
    /// The connection is over. If there is a code, the socket is closed with it.
    case end(SubscriptionError, code: Int?)
  }

  private enum Phase: Sendable { case unopened, awaitingAcknowledgement, acknowledged, ended }

  private let dialect: WebSocketSubprotocol
  private let url: String
  private let options: SubscriptionOptions
  private var phase = Phase.unopened
  private var waiting: [(id: String, payload: JSONValue)] = []
  private var active: Set<String> = []
  /// The time of the last message of this side.
  private var lastSent: ContinuousClock.Instant
  /// The time of the last message that the server must answer: the one that opens the session, or a ping.
  private var awaitedSince: ContinuousClock.Instant
  /// Whether nothing was received since the last ping.
  private var isPingOpen = false
  /// Whether the server is AppSync, whose acknowledgement limits the time between its `ka` messages.
  private var isAppSync = false

  package init(
    _ dialect: WebSocketSubprotocol, url: String, options: SubscriptionOptions, now: ContinuousClock.Instant
  ) {
    self.dialect = dialect
    self.url = url
    self.options = options
    (lastSent, awaitedSince) = (now, now)
  }

  /// The time of the next `pass(to:)` if no message is sent or received before.
  package var deadline: ContinuousClock.Instant? {
    switch phase {
    case .unopened, .ended: nil
    case .awaitingAcknowledgement: awaitedSince + options.acknowledgeTimeout
    case .acknowledged: isPingOpen ? awaitedSince + options.pongTimeout : options.pingInterval.map { lastSent + $0 }
    }
  }

  /// Whether the server accepted the connection and it is not over.
  package var isLive: Bool { phase == .acknowledged }

  // MARK: Events

  package mutating func opened(payload: JSONValue?, at now: ContinuousClock.Instant) -> [Effect] {
    phase = .awaitingAcknowledgement
    (lastSent, awaitedSince) = (now, now)
    return [message("connection_init", payload: payload)]
  }

  package mutating func subscribe(id: String, payload: JSONValue, at now: ContinuousClock.Instant) -> [Effect] {
    guard phase == .acknowledged else {
      waiting.append((id, payload))
      return []
    }
    active.insert(id)
    lastSent = now
    return [start(id, payload)]
  }

  /// Removes a subscription. Its remaining messages are ignored.
  package mutating func unsubscribe(id: String, at now: ContinuousClock.Instant) -> [Effect] {
    waiting.removeAll { $0.id == id }
    guard active.remove(id) != nil else { return [] }
    lastSent = now
    return [message(dialect.stopType, id: id)]
  }

  /// Returns the messages to send before the socket is closed normally.
  package func farewell() -> [Effect] {
    dialect == .legacy && phase == .acknowledged ? [message("connection_terminate")] : []
  }

  package mutating func pass(to now: ContinuousClock.Instant) -> [Effect] {
    guard let deadline, deadline <= now else { return [] }
    if phase == .awaitingAcknowledgement {
      return end(.notAcknowledged(url: url, limit: options.acknowledgeTimeout), code: 4504)
    }
    if isPingOpen { return end(.unansweredPing(url: url, limit: options.pongTimeout), code: 4499) }
    isPingOpen = true
    (lastSent, awaitedSince) = (now, now)
    return [dialect == .transport ? message("ping") : .ping]
  }

  /// Expects no answer to the last ping, because messages were not read.
  package mutating func excuseSilence() { isPingOpen = false }

  /// Processes the answer to a WebSocket ping.
  package mutating func ponged() { isPingOpen = false }

  package mutating func receive(_ text: [UInt8], at now: ContinuousClock.Instant) -> [Effect] {
    guard phase != .ended else { return [] }
    isPingOpen = false
    guard let json = try? JSONDocument(parsing: text).root, let type = json["type"]?.string else {
      return broken("a message is not a JSON object with a type")
    }
    let id = json["id"]?.string ?? json["id"]?.numberText
    let payload = json[present: "payload"]
    switch type {
    case "connection_ack": return acknowledged(payload, at: now)
    case "ping" where dialect == .transport:
      lastSent = now
      return [.answer(Self.text("pong", payload: payload))]
    case "pong" where dialect == .transport, "ka" where dialect == .legacy: return []
    // AppSync confirms each subscription.
    case "start_ack" where dialect == .legacy: return []
    // Servers of both subprotocols reject connections in these ways.
    case "connection_error": return refused(payload ?? Self.reason(of: json))
    case "error" where phase != .acknowledged || id == nil: return refused(payload ?? Self.reason(of: json))
    case dialect.resultType, "error", "complete":
      guard phase == .acknowledged else { return broken("'\(type)' came before the connection was acknowledged") }
      guard let id else { return broken("'\(type)' has no id") }
      guard active.contains(id) else { return [] }
      return about(id, type, payload, text)
    default:
      return broken("it sent a message of an unknown type '\(type)'")
    }
  }

  // MARK: Steps

  private mutating func acknowledged(_ payload: JSONValue?, at now: ContinuousClock.Instant) -> [Effect] {
    // The legacy library repeats it after a second connection_init.
    guard phase == .awaitingAcknowledgement else { return dialect == .legacy ? [] : broken("it acknowledged twice") }
    phase = .acknowledged
    isAppSync = dialect == .legacy && payload?["connectionTimeoutMs"] != nil
    let requested = waiting
    waiting = []
    active.formUnion(requested.map(\.id))
    if !requested.isEmpty { lastSent = now }
    return [.acknowledged] + requested.map { start($0.id, $0.payload) }
  }

  private func start(_ id: String, _ payload: JSONValue) -> Effect {
    message(dialect.startType, id: id, payload: isAppSync ? Self.withTextData(payload) : payload)
  }

  /// Returns a request as AppSync expects it: query and variables are a string containing JSON, next to the extensions.
  private static func withTextData(_ payload: JSONValue) -> JSONValue {
    let members = payload.members.map { ($0.key, $0.value) }
    let request = JSONValue.object(members.filter { $0.0 != "extensions" })
    let data = JSONValue(String(decoding: JSONWriter.compactBytes(request), as: UTF8.self))
    return .object([("data", data)] + members.filter { $0.0 == "extensions" })
  }

  private mutating func about(_ id: String, _ type: String, _ payload: JSONValue?, _ text: [UInt8]) -> [Effect] {
    switch type {
    case "complete":
      active.remove(id)
      return [.completed(id: id)]
    case "error":
      active.remove(id)
      return [.errors(id: id, .array(Self.errors(payload).map(Self.object)), message: text)]
    default:
      guard let payload, payload.kind == .object else { return broken("a result has no payload") }
      return [.result(id: id, dialect == .legacy ? Self.withParsedData(payload) : payload, message: text)]
    }
  }

  /// Returns a rejection whose reason is next to its type; `nil` if there is none.
  private static func reason(of message: JSONValue) -> JSONValue? {
    message[present: "errors"] ?? message[present: "message"]
  }

  /// Returns the errors in the payload of a rejection: a list, an object with `errors`, one error or a string.
  private static func errors(_ payload: JSONValue?) -> [GraphQLError] {
    let errors = GraphQLError.list(payload?[present: "errors"] ?? payload)
    return errors.isEmpty ? [GraphQLError(message: "the server gave no reason")] : errors
  }

  /// Returns the error as an object, also if the server sent a string.
  private static func object(_ error: GraphQLError) -> JSONValue {
    error.json.kind == .object ? error.json : .object([("message", JSONValue(error.message))])
  }

  private mutating func refused(_ payload: JSONValue?) -> [Effect] {
    let message = Self.errors(payload).map(\.message).joined(separator: "; ")
    return end(.connectionError(url: url, message: message), code: nil)
  }

  /// Parses data that is a string containing JSON, as in payloads of AppSync.
  private static func withParsedData(_ payload: JSONValue) -> JSONValue {
    guard let text = payload["data"]?.string, let data = try? JSONDocument(parsing: Array(text.utf8)).root else {
      return payload
    }
    return .object(payload.members.map { ($0.key, $0.key == "data" ? data : $0.value) })
  }

  private mutating func broken(_ reason: String) -> [Effect] {
    end(.protocolViolation(url: url, reason: reason), code: 4400)
  }

  private mutating func end(_ failure: SubscriptionError, code: Int?) -> [Effect] {
    phase = .ended
    return [.end(failure, code: code)]
  }

  private func message(_ type: String, id: String? = nil, payload: JSONValue? = nil) -> Effect {
    .send(Self.text(type, id: id, payload: payload))
  }

  private static func text(_ type: String, id: String? = nil, payload: JSONValue? = nil) -> [UInt8] {
    var members: [(String, JSONValue)] = [("type", JSONValue(type))]
    if let id { members.append(("id", JSONValue(id))) }
    if let payload { members.append(("payload", payload)) }
    return JSONWriter.compactBytes(.object(members))
  }
}
