/// The meaning of a WebSocket close code, and whether reconnecting may help.
///
/// Source: RFC 6455, section 7.4.1; codes 4400 to 4429 are from the graphql-transport-ws protocol.
package struct CloseCode: Sendable, Equatable {
  package let code: Int

  package init(_ code: Int) { self.code = code }

  /// Whether the server rejected the connection or reported a client error, so that reconnecting would not help.
  package var isFatal: Bool {
    switch code {
    // Normal closure, going away, no code, abnormal closure, restart, try again later, bad gateway. Servers close with
    // 1000 when they are redeployed; only `complete` ends a subscription.
    case 1000, 1001, 1005, 1006, 1012, 1013, 1014: false
    case 1000..<2000: true
    case 4400..<4500, 4500, 4004, 4005: true
    default: false
    }
  }

  package var words: String {
    switch code {
    case 1000: "normal closure (1000)"
    case 1001: "going away (1001)"
    case 1002: "protocol error (1002)"
    case 1003: "unsupported message type (1003)"
    case 1005: "no code was given (1005)"
    case 1006: "the connection was cut (1006)"
    case 1007: "a message was not valid UTF-8 (1007)"
    case 1008: "policy violation (1008)"
    case 1009: "a message was too large (1009)"
    case 1011: "internal error (1011)"
    case 1012: "service restart (1012)"
    case 1013: "overloaded (1013)"
    case 1014: "bad gateway (1014)"
    case 4400: "invalid message (4400)"
    case 4401: "unauthorized: the connection was not acknowledged (4401)"
    case 4403: "forbidden (4403)"
    case 4404: "not found (4404)"
    case 4406: "no common subprotocol (4406)"
    case 4408: "connection_init came too late (4408)"
    case 4409: "there is already a subscription with this id (4409)"
    case 4429: "too many connection_init messages, or too many requests (4429)"
    case 4500: "internal error (4500)"
    default: "code \(code)"
    }
  }

  /// The advice for the user, as the end of a sentence.
  package var advice: String {
    switch code {
    case 4401, 4403: "; check the credentials and the connection's payload"
    case 4406: "; choose another transport for subscriptions"
    case 4408: "; compute the connection payload faster"
    case 4429: "; wait before you try again"
    case 4400:
      "; check the connection payload and the operation, or choose another transport for subscriptions"
    case 1002, 1003, 1007: "; choose another transport for subscriptions, or look at the server's log"
    case 1011, 4500: "; look at the server's log"
    default: ""
    }
  }
}
