import ApusClientNetwork
import ApusJSON

/// The reason why a subscription ended before the server completed it.
public enum SubscriptionError: Error, Sendable {
  /// The network failed.
  case network(NetworkError)
  /// The server closed the WebSocket without completing the subscription.
  case closed(url: String, code: Int, reason: String)
  /// The server rejected the WebSocket upgrade.
  case rejected(HTTPHead, body: [UInt8])
  /// The server rejected the connection, or reported an error that concerns no single subscription.
  case connectionError(url: String, message: String)
  /// The server did not acknowledge `connection_init` in time.
  case notAcknowledged(url: String, limit: Duration)
  /// The server did not answer a ping in time, so the connection counts as lost.
  case unansweredPing(url: String, limit: Duration)
  /// The server chose a subprotocol that was not offered.
  case wrongSubprotocol(url: String, name: String)
  /// The server violated the subprotocol.
  case protocolViolation(url: String, reason: String)
  /// The HTTP response ended before the server completed the subscription.
  case endedEarly(url: String)
  /// Reconnecting failed, or was needed more often than `ReconnectionPolicy` allows. `last` is the error of the last
  /// connection.
  case retriesExhausted(attempts: Int, last: any Error)
  /// The payload of the connection could not be created.
  case payloadFailed(reason: String)
}

extension SubscriptionError {
  /// Whether the connection was lost, so that reconnecting may help.
  package var isLoss: Bool {
    switch self {
    case .network(let error): error.isTransportFailure
    case .closed(_, let code, _): !CloseCode(code).isFatal
    case .unansweredPing, .endedEarly: true
    case .rejected(let head, _): head.status >= 500 || head.status == 429
    case .connectionError, .notAcknowledged, .wrongSubprotocol, .protocolViolation, .retriesExhausted, .payloadFailed:
      false
    }
  }

  /// A summary of a lost connection on one line; `nil` for other errors.
  package var lossSummary: String? {
    switch self {
    case .closed(_, let code, let reason) where isLoss:
      "connection lost (\(code)\(reason.isEmpty ? "" : ": \(SingleLineText.line(reason, limit: 60))"))"
    case .retriesExhausted(_, let last): (last as? SubscriptionError)?.lossSummary ?? Self.lost
    case .unansweredPing, .endedEarly: Self.lost
    case .network, .rejected, .closed, .connectionError, .notAcknowledged, .wrongSubprotocol, .protocolViolation,
      .payloadFailed:
      nil
    }
  }

  private static let lost = "connection lost"

  /// Whether the server does not support WebSockets at this URL, so that HTTP may be used.
  package var saysNoWebSocket: Bool {
    switch self {
    case .rejected(let head, _): ![401, 403, 407, 429].contains(head.status)
    case .network(.notWebSocket), .network(.notHTTP), .network(.interrupted(_, receivedBytes: 0)): true
    case .network(.redirectRefused), .network(.badRedirect), .network(.tooManyRedirects): true
    case .network, .closed, .connectionError, .notAcknowledged, .unansweredPing, .wrongSubprotocol, .protocolViolation,
      .endedEarly, .retriesExhausted, .payloadFailed:
      false
    }
  }

  /// Whether the rejection may be temporary, because the server is busy, starting or stopping.
  package var mayPass: Bool {
    switch self {
    case .rejected(let head, _): head.status >= 500 && head.status != 501
    case .network(.interrupted): true
    case .network, .closed, .connectionError, .notAcknowledged, .unansweredPing, .wrongSubprotocol, .protocolViolation,
      .endedEarly, .retriesExhausted, .payloadFailed:
      false
    }
  }
}

extension SubscriptionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .network(let error): error.description
    case .closed(let url, let code, let reason):
      "\(SingleLineText.line(url)) closed the subscription: \(CloseCode(code).words)"
        + (reason.isEmpty ? "" : " ('\(SingleLineText.line(reason))')") + CloseCode(code).advice
    case .rejected(let head, _):
      "\(SingleLineText.line(head.url)) answered \(head.status) to the upgrade to a WebSocket; "
        + "check the path, or choose another transport for subscriptions"
    case .connectionError(let url, let message):
      "\(SingleLineText.line(url)) does not accept the connection: \(SingleLineText.line(message)); check the connection's payload"
    case .notAcknowledged(let url, let limit):
      "\(SingleLineText.line(url)) did not acknowledge the connection within \(SingleLineText.milliseconds(limit)); "
        + "check that it speaks the subprotocol, or choose another transport for subscriptions"
    case .unansweredPing(let url, let limit):
      "\(SingleLineText.line(url)) did not answer a ping within \(SingleLineText.milliseconds(limit))"
    case .wrongSubprotocol(let url, let name):
      "\(SingleLineText.line(url)) chose the subprotocol '\(SingleLineText.line(name))', which was not offered"
    case .protocolViolation(let url, let reason):
      "\(SingleLineText.line(url)) broke the protocol: \(SingleLineText.line(reason))"
    case .endedEarly(let url): "\(SingleLineText.line(url)) ended the response before the subscription was complete"
    case .retriesExhausted(let attempts, let last):
      "\(last); given up after \(attempts) \(attempts == 1 ? "attempt" : "attempts") to connect again"
    case .payloadFailed(let reason): "cannot create the connection payload: \(SingleLineText.line(reason))"
    }
  }
}
