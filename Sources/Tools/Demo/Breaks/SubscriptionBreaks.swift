extension ServerBreak {
  private static func code(_ code: Int) -> Hook { .close { $0 == code ? 1000 : $0 } }

  /// Renames messages to the client.
  private static func renamed(
    _ type: String, to name: String, if applies: @escaping @Sendable (String) -> Bool = { _ in true }
  ) -> Hook {
    .outgoing { text in [applies(text) ? text.replacing(#""type":"\#(type)""#, with: #""type":"\#(name)""#) : text] }
  }

  /// Drops messages to the server.
  private static func lost(_ parts: String...) -> Hook {
    .incoming { text in parts.allSatisfy(text.contains) ? nil : text }
  }

  /// Changes the body of a subscription over HTTP.
  private static func stream(_ type: String, _ old: String, _ new: String) -> Hook {
    .text { request, text in
      request.accept.contains(type) && request.has("subscription") ? text.replacing(old, with: new) : text
    }
  }

  static let subscriptions: [ServerBreak] = [
    ServerBreak(
      "subscriptions-ws-ack", lost(#""payload":null"#, "connection_init")),
    ServerBreak("subscriptions-ws-init-twice", code(4429)),
    ServerBreak("subscriptions-ws-init-timeout", code(4408)),
    ServerBreak("subscriptions-ws-early-subscribe", code(4401)),
    ServerBreak(
      "subscriptions-ws-ping", companions: ["subscriptions-ws-unknown-id", "subscriptions-ws-after-error"],
      renamed("pong", to: "pung")),
    ServerBreak("subscriptions-ws-invalid", code(4400)),
    ServerBreak("subscriptions-ws-unknown-id", .incoming { $0.contains(#""id":"audit""#) ? "" : $0 }),
    ServerBreak(
      "subscriptions-ws-query",
      .incoming { $0.contains(#""extensions":null"#) ? $0.replacing("__typename", with: "auditUnknownField") : $0 }),
    ServerBreak(
      "subscriptions-ws-error", companions: ["incremental-subscription-defer"],
      renamed("error", to: "next") { $0.contains(#""payload":["#) }),
    ServerBreak(
      "subscriptions-ws-after-error",
      .outgoing { text in text.contains(#""payload":[{"message""#) ? [text, #"{"type":"complete","id":"1"}"#] : [text] }
    ),
    ServerBreak(
      "subscriptions-ws-events",
      .outgoing { text in
        [text.contains("__typename") ? text : text.replacing(#""payload":{"data""#, with: #""payload":{"result""#)]
      }),
    ServerBreak("subscriptions-ws-duplicate", code(4409)),
    ServerBreak(
      "subscriptions-ws-reuse",
      .stateful {
        let last = BreakMemory("")
        return .incoming { text in
          let isAgain = last.replace { _ in text } == text && text.contains("{ __typename }")
          return isAgain ? nil : text
        }
      }),
    ServerBreak("subscriptions-ws-stop", lost(#""type":"complete""#, #""id":"1""#)),
    ServerBreak(
      "subscriptions-ws-no-echo",
      .reply { $0 == #"{"type":"complete","id":"1"}"# ? $0 : nil }),
    ServerBreak("subscriptions-ws-multiplex", lost(#""id":"2""#)),
    ServerBreak(
      "subscriptions-ws-other-protocol",
      .request { request in
        if request.header("Sec-WebSocket-Protocol") == "audit-unknown" {
          request.set("Sec-WebSocket-Protocol", "graphql-transport-ws, audit-unknown")
        }
      }),
    ServerBreak("subscriptions-legacy-data", renamed("data", to: "next")),
    ServerBreak("subscriptions-legacy-error", renamed("error", to: "failure") { $0.contains(#""payload":{"#) }),
    ServerBreak("subscriptions-legacy-stop", lost(#""type":"stop""#)),
    ServerBreak("subscriptions-sse-events", stream("event-stream", "event: next", "event: result")),
    ServerBreak(
      "subscriptions-sse-complete", companions: ["subscriptions-sse-invalid"],
      stream("event-stream", "event: complete", "event: end")),
    ServerBreak(
      "subscriptions-sse-complete-data",
      stream("event-stream", "event: complete\ndata:\n\n", "event: complete\n\n")),
    ServerBreak(
      "subscriptions-sse-invalid",
      .head { request, answer in
        if request.accept == "text/event-stream", request.has("auditUnknownField") { answer.status = 500 }
      }),
    ServerBreak(
      "subscriptions-sse-query",
      .request { request in
        if request.accept == "text/event-stream", !request.has("subscription") {
          request.set("Accept", "application/json")
        }
      }),
    ServerBreak(
      "subscriptions-sse-not-held",
      .head { request, answer in if request.accept == "text/event-stream" { answer.set("Cache-Control", nil) } }),
    ServerBreak(
      "subscriptions-mp-framing",
      .head { request, answer in
        if request.accept.contains("subscriptionSpec") {
          answer.set("Content-Type", answer.contentType.replacing(" boundary=\"-\";", with: ""))
        }
      }),
    ServerBreak(
      "subscriptions-mp-type",
      .head { request, answer in
        if request.accept.contains("subscriptionSpec") {
          answer.set("Content-Type", answer.contentType + ", application/json")
        }
      }),
    ServerBreak("subscriptions-mp-envelope", stream("subscriptionSpec", #"{"payload":"#, #"{"result":"#)),
    ServerBreak("subscriptions-mp-fatal", stream("subscriptionSpec", #""payload":null"#, #""payload":{"data":null}"#)),
    ServerBreak(
      "subscriptions-mp-heartbeat",
      stream("subscriptionSpec", "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{}\r\n---", "")),
    ServerBreak(
      "subscriptions-single",
      .head { request, answer in
        if request.method == "POST", request.header(SingleConnections.tokenField) != nil { answer.status = 200 }
      }),
    ServerBreak(
      "subscriptions-cut-cleanup",
      .stateful {
        let count = BreakMemory(0)
        return .head { request, answer in
          guard request.method == "POST", request.accept == "text/event-stream" else { return }
          // Simulates a server that keeps the subscriptions of disconnected clients.
          if count.replace({ $0 + 1 }) > 5 { answer.status = 503 }
        }
      }),
    ServerBreak(
      "subscriptions-plain-json",
      .text { request, text in
        request.acceptsBoth && request.has("subscription") ? #"{"data":{}}"# : text
      }),
  ]
}
