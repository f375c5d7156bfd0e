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
    case 1001: "it is going away (1001)"
    case 1002: "it saw the WebSocket protocol broken (1002)"
    case 1003: "it cannot take this kind of message (1003)"
    case 1005: "no code was given (1005)"
    case 1006: "the connection was cut (1006)"
    case 1007: "it saw text that is not UTF-8 (1007)"
    case 1008: "a message is against its policy (1008)"
    case 1009: "a message was too big for it (1009)"
    case 1011: "it failed (1011)"
    case 1012: "it restarts (1012)"
    case 1013: "it is overloaded (1013)"
    case 1014: "a gateway got a bad answer (1014)"
    case 4400: "it refused a message as invalid (4400)"
    case 4401: "unauthorized: the connection was not acknowledged (4401)"
    case 4403: "forbidden (4403)"
    case 4404: "not found (4404)"
    case 4406: "it speaks none of the subprotocols offered (4406)"
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
    case 4408: "; make the connection's payload faster"
    case 4429: "; wait before you try again"
    case 4400:
      "; check the connection payload and the operation, or choose another transport for subscriptions"
    case 1002, 1003, 1007: "; choose another transport for subscriptions, or look at the server's log"
    case 1011, 4500: "; look at the server's log"
    default: ""
    }
  }
}
