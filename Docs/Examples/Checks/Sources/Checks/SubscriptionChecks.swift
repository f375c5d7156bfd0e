import PeopleAPI
import ScriptedServers

/// Checks the events of subscriptions over the transports without a WebSocket.
func checkSubscriptions(_ report: Report) async throws {
  func event(_ name: String) -> String { #"{"data":{"renamed":{"__typename":"User","id":"1","name":"\#(name)"}}}"# }
  func names(_ answer: ScriptedAnswer, _ transport: SubscriptionOptions.Transport) async throws -> (
    [String], (any Error)?
  ) {
    let server = try ScriptedServer([answer])
    var options = SubscriptionOptions()
    options.transport = transport
    options.reconnection.maximumAttempts = 0
    let client = GraphQLClient(url: server.url, store: Scripted.store(), subscriptions: options)
    let (results, error) = await all(client.subscribe(subscription: RenamedSubscription()))
    return (results.map { $0.data?.renamed?.name ?? "nothing" }, error)
  }
  let events = ["A", "B"].map { ScriptedAnswer.Piece.text("event: next\ndata: \(event($0))\n\n") }
  let stream = try await names(
    .response(headers: [("Content-Type", "text/event-stream")], events + [.text("event: complete\ndata:\n\n")]),
    .serverSentEvents)
  report.check("events come over server-sent events", stream.0, is: ["A", "B"])
  report.check("and end in good order", stream.1 == nil)
  let parts = try await names(
    .multipart(
      specification: "subscriptionSpec=1.0",
      [.text("{}"), .text(#"{"payload":\#(event("C"))}"#), .text(#"{"payload":\#(event("D"))}"#)]),
    .multipart)
  report.check("events come in parts", parts.0, is: ["C", "D"])
  let cut = try await names(
    .response(headers: [("Content-Type", "text/event-stream")], framing: .untilClose, [events[0], .close]),
    .serverSentEvents)
  report.check("events before an interruption are kept", cut.0, is: ["A"])
  report.check("an interruption is reported", cut.1 != nil)
  if case GraphQLClientError.subscription(let failure)? = cut.1 {
    let found: SubscriptionError = failure
    report.check("as a failure of the subscription", "\(found)".isEmpty, is: false)
  }
  report.check(
    "transports have names", SubscriptionOptions.Transport.allCases.map(\.rawValue),
    is: ["auto", "ws", "legacy-ws", "sse", "multipart"])
  var reconnection = ReconnectionPolicy()
  reconnection.jitter = 0
  report.check("waits between connections double", reconnection.delay(before: 2), is: .seconds(1))
  let state: SubscriptionState = .reconnecting(attempt: 1, reason: "cut")
  report.check("a state has a name", state.name, is: "reconnecting")
  let refused = try await names(.json(#"{"errors":[{"message":"no"}]}"#), .serverSentEvents)
  report.check("a refusal is reported", refused.0 == ["nothing"] || refused.1 != nil)
}
