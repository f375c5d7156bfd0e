import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import Testing

/// A conversation as text: `<` is a message of the server, `>` one of the client, `!` an event for the caller.
private struct Conversation {
  private var session: SubscriptionSession
  private var now: ContinuousClock.Instant
  private(set) var lines: [String] = []

  init(_ dialect: WebSocketSubprotocol, _ change: (inout SubscriptionOptions) -> Void = { _ in }) {
    var options = SubscriptionOptions()
    change(&options)
    now = .now
    session = SubscriptionSession(dialect, url: "http://h/graphql", options: options, now: now)
  }

  mutating func open(_ payload: JSONValue? = nil) { note(session.opened(payload: payload, at: now)) }
  mutating func subscribe(_ id: String, _ text: String = "s") {
    subscribe(id, payload: .object([("query", JSONValue(text))]))
  }
  mutating func subscribe(_ id: String, payload: JSONValue) {
    note(session.subscribe(id: id, payload: payload, at: now))
  }
  mutating func unsubscribe(_ id: String) { note(session.unsubscribe(id: id, at: now)) }
  mutating func say(_ text: String) { note(session.receive(Array(text.utf8), at: now)) }
  mutating func pong() { session.ponged() }
  mutating func excuse() { session.excuseSilence() }
  mutating func leave() { note(session.farewell()) }
  mutating func wait(_ duration: Duration) {
    now += duration
    note(session.pass(to: now))
  }

  var pingCount: Int { lines.count { $0 == #"> {"type":"ping"}"# || $0 == "> ping frame" } }
  var isWaiting: Bool { session.deadline != nil }
  var isLive: Bool { session.isLive }

  private mutating func note(_ effects: [SubscriptionSession.Effect]) {
    lines += effects.map { effect in
      switch effect {
      case .send(let text), .answer(let text): "> \(String(decoding: text, as: UTF8.self))"
      case .ping: "> ping frame"
      case .acknowledged: "! live"
      case .result(let id, let payload, _): "! \(id) \(payload)"
      case .errors(let id, let errors, _): "! \(id) errors \(errors)"
      case .completed(let id): "! \(id) complete"
      case .end(let failure, let code): "! end \(code.map { "\($0) " } ?? "")\(failure)"
      }
    }
  }
}

@Suite("graphql-transport-ws sessions")
struct TransportSessionTests {
  @Test
  func `subscriptions wait for the acknowledgement, and messages are routed by id`() {
    var talk = Conversation(.transport)
    talk.open(["token": "t"])
    talk.subscribe("1", "a")
    talk.say(#"{"type":"connection_ack"}"#)
    talk.subscribe("2", "b")
    talk.say(#"{"type":"next","id":"2","payload":{"data":{"n":1}}}"#)
    talk.say(#"{"type":"error","id":"1","payload":[{"message":"no such field"}]}"#)
    talk.say(#"{"type":"complete","id":"2"}"#)
    #expect(
      talk.lines == [
        #"> {"type":"connection_init","payload":{"token":"t"}}"#, "! live",
        #"> {"type":"subscribe","id":"1","payload":{"query":"a"}}"#,
        #"> {"type":"subscribe","id":"2","payload":{"query":"b"}}"#, #"! 2 {"data":{"n":1}}"#,
        #"! 1 errors [{"message":"no such field"}]"#, "! 2 complete",
      ])
  }

  @Test
  func `unsubscribing sends complete, and later messages are ignored`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.subscribe("1")
    talk.subscribe("2")
    talk.unsubscribe("2")
    talk.say(#"{"type":"connection_ack"}"#)
    talk.unsubscribe("1")
    talk.say(#"{"type":"next","id":"1","payload":{"data":null}}"#)
    talk.say(#"{"type":"complete","id":"1"}"#)
    talk.leave()
    #expect(
      talk.lines == [
        #"> {"type":"connection_init"}"#, "! live", #"> {"type":"subscribe","id":"1","payload":{"query":"s"}}"#,
        #"> {"type":"complete","id":"1"}"#,
      ])
  }

  @Test
  func `a session is live from the acknowledgement until its end`() {
    var talk = Conversation(.transport)
    #expect(!talk.isLive)
    talk.open()
    talk.say(#"{"type":"ping"}"#)
    #expect(!talk.isLive)
    talk.say(#"{"type":"connection_ack"}"#)
    #expect(talk.isLive)
    talk.say("hello")
    #expect(!talk.isLive)
  }

  @Test
  func `GraphQL errors inside a result leave the subscription open`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.subscribe("1")
    talk.say(#"{"type":"connection_ack"}"#)
    talk.say(#"{"type":"next","id":"1","payload":{"data":null,"errors":[{"message":"x"}]}}"#)
    talk.say(#"{"type":"next","id":"1","payload":{"data":1}}"#)
    #expect(talk.lines.suffix(2) == [#"! 1 {"data":null,"errors":[{"message":"x"}]}"#, #"! 1 {"data":1}"#])
  }

  @Test
  func `server pings are answered with their payload, even before the acknowledgement`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.say(#"{"type":"ping","payload":{"n":1}}"#)
    talk.say(#"{"type":"connection_ack"}"#)
    talk.say(#"{"type":"ping"}"#)
    #expect(talk.lines.suffix(3) == [#"> {"type":"pong","payload":{"n":1}}"#, "! live", #"> {"type":"pong"}"#])
  }

  @Test
  func `a connection without an answer to a ping is lost`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.say(#"{"type":"connection_ack"}"#)
    talk.wait(.seconds(20))
    #expect(talk.lines.last == #"> {"type":"ping"}"#)
    talk.say(#"{"type":"pong"}"#)
    talk.wait(.seconds(20))
    #expect(talk.pingCount == 2)
    talk.wait(.seconds(10))
    #expect(talk.lines.last == "! end 4499 http://h/graphql did not answer a ping within 10 s")
    #expect(!talk.isWaiting)
  }

  /// Events of 19 seconds after the session opened, and whether they are messages of this side.
  enum Traffic: CaseIterable, Sendable {
    case nothing, subscription, end, answeredPing, results, pongs, completion, unknownID

    var isSent: Bool {
      switch self {
      case .subscription, .end, .answeredPing: true
      case .nothing, .results, .pongs, .completion, .unknownID: false
      }
    }
  }

  @Test(arguments: Traffic.allCases, [WebSocketSubprotocol.transport, .legacy])
  func `a ping is sent 20 seconds after the last sent message, whatever is received`(
    _ traffic: Traffic, _ dialect: WebSocketSubprotocol
  ) {
    // The legacy protocol only has WebSocket pings.
    if dialect == .legacy, traffic == .answeredPing { return }
    var talk = Conversation(dialect)
    talk.open()
    talk.subscribe("1")
    talk.say(#"{"type":"connection_ack"}"#)
    talk.wait(.seconds(19))
    let result = dialect == .legacy ? "data" : "next"
    switch traffic {
    case .nothing: break
    case .subscription: talk.subscribe("2")
    case .end: talk.unsubscribe("1")
    case .answeredPing: talk.say(#"{"type":"ping"}"#)
    case .results: talk.say(#"{"type":"\#(result)","id":"1","payload":{"data":1}}"#)
    case .pongs: dialect == .legacy ? talk.say(#"{"type":"ka"}"#) : talk.say(#"{"type":"pong"}"#)
    case .completion: talk.say(#"{"type":"complete","id":"1"}"#)
    case .unknownID: talk.say(#"{"type":"\#(result)","id":"9","payload":{"data":1}}"#)
    }
    talk.wait(.seconds(1))
    #expect(talk.pingCount == (traffic.isSent ? 0 : 1))
    talk.wait(.seconds(18))
    #expect(talk.pingCount == (traffic.isSent ? 0 : 1))
    talk.wait(.seconds(1))
    #expect(talk.pingCount == 1)
  }

  @Test
  func `any message after a ping is a sign of life, and the next ping is due 20 seconds after the ping`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.subscribe("1")
    talk.say(#"{"type":"connection_ack"}"#)
    talk.wait(.seconds(20))
    talk.say(#"{"type":"next","id":"1","payload":{"data":1}}"#)
    talk.wait(.seconds(19))
    #expect(talk.pingCount == 1)
    talk.wait(.seconds(1))
    #expect(talk.pingCount == 2)
    // The limit for the answer counts from the ping, also if something else was sent in the meantime.
    talk.wait(.seconds(9))
    talk.subscribe("2")
    talk.wait(.seconds(1))
    #expect(talk.lines.last?.hasPrefix("! end 4499") == true)
  }

  @Test
  func `while messages are not read, a ping needs no answer, and the next one is sent`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.say(#"{"type":"connection_ack"}"#)
    talk.wait(.seconds(20))
    talk.excuse()
    talk.wait(.seconds(10))
    #expect(talk.isLive)
    talk.wait(.seconds(10))
    #expect(talk.pingCount == 2)
  }

  @Test
  func `pings can be disabled`() {
    var talk = Conversation(.transport) { $0.pingInterval = nil }
    talk.open()
    talk.say(#"{"type":"connection_ack"}"#)
    #expect(!talk.isWaiting)
  }

  @Test
  func `a missing acknowledgement exceeds the timeout, whatever else is received`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.wait(.seconds(9))
    talk.say(#"{"type":"ping"}"#)
    talk.wait(.seconds(1))
    #expect(
      talk.lines.last?.hasPrefix("! end 4504 http://h/graphql did not acknowledge the connection within 10 s") == true)
  }

  @Test(arguments: [
    ("hello", "a message is not a JSON object with a type"),
    (#"{"id":"1"}"#, "a message is not a JSON object with a type"),
    (#"{"type":"dance"}"#, "it sent a message of an unknown type 'dance'"),
    (#"{"type":"ka"}"#, "it sent a message of an unknown type 'ka'"),
    (#"{"type":"next","payload":{}}"#, "'next' has no id"),
    (#"{"type":"next","id":"1"}"#, "a result has no payload"),
    (#"{"type":"connection_ack"}"#, "it acknowledged twice"),
  ])
  func `an invalid message closes the connection with 4400`(_ text: String, _ reason: String) {
    var talk = Conversation(.transport)
    talk.open()
    talk.say(#"{"type":"connection_ack"}"#)
    talk.subscribe("1")
    talk.say(text)
    #expect(talk.lines.last == "! end 4400 http://h/graphql broke the protocol: \(reason)")
    talk.say(#"{"type":"next","id":"1","payload":{"data":1}}"#)
    #expect(talk.lines.last?.hasPrefix("! end") == true)
  }

  @Test
  func `a result before the acknowledgement is a protocol violation`() {
    var talk = Conversation(.transport)
    talk.open()
    talk.say(#"{"type":"next","id":"1","payload":{}}"#)
    #expect(talk.lines.last?.contains("'next' came before the connection was acknowledged") == true)
  }
}

@Suite("Rejected subscriptions")
struct RefusalTests {
  private static let payloads = [
    (#""no entry""#, "no entry"), (#"{"message":"no entry"}"#, "no entry"),
    (#"{"errors":[{"message":"no entry"},{"message":"really"}]}"#, "no entry; really"),
    (#"[{"message":"no entry"},"really"]"#, "no entry; really"),
    (#"{"errors":{"message":"no entry"}}"#, "no entry"),
    ("null", "the server gave no reason"), ("[]", "the server gave no reason"),
  ]

  @Test(arguments: payloads)
  func `the reason for a rejected connection is reported from any message`(_ payload: String, _ reason: String) {
    for dialect in [WebSocketSubprotocol.transport, .legacy] {
      for message in [
        #"{"type":"connection_error","payload":\#(payload)}"#, #"{"type":"error","id":"1","payload":\#(payload)}"#,
        #"{"type":"error","id":null,"payload":\#(payload)}"#,
      ] {
        var talk = Conversation(dialect)
        talk.open()
        talk.subscribe("1")
        talk.say(message)
        #expect(
          talk.lines.last
            == "! end http://h/graphql does not accept the connection: \(reason); check the connection's payload")
      }
      for message in [
        #"{"type":"connection_error","payload":\#(payload)}"#, #"{"type":"error","payload":\#(payload)}"#,
      ] {
        var talk = Conversation(dialect)
        talk.open()
        talk.say(#"{"type":"connection_ack","payload":null}"#)
        talk.subscribe("1")
        talk.say(message)
        #expect(talk.lines.last?.hasPrefix("! end http://h/graphql does not accept the connection: \(reason);") == true)
      }
    }
  }

  @Test(arguments: [
    (#""message":"no entry""#, "no entry"), (#""errors":[{"message":"no entry"}]"#, "no entry"),
    (#""payload":null,"message":"no entry""#, "no entry"), (#""code":7"#, "the server gave no reason"),
  ])
  func `the reason for a rejected connection may be next to the type`(_ members: String, _ reason: String) {
    for dialect in [WebSocketSubprotocol.transport, .legacy] {
      for type in ["connection_error", "error"] {
        var talk = Conversation(dialect)
        talk.open()
        talk.say(#"{"type":"\#(type)",\#(members)}"#)
        #expect(talk.lines.last?.hasPrefix("! end http://h/graphql does not accept the connection: \(reason);") == true)
      }
    }
  }

  @Test(arguments: payloads)
  func `an error for one subscription ends only that one`(_ payload: String, _ reason: String) {
    for dialect in [WebSocketSubprotocol.transport, .legacy] {
      var talk = Conversation(dialect)
      talk.open()
      talk.say(#"{"type":"connection_ack"}"#)
      talk.subscribe("1")
      talk.subscribe("2")
      talk.say(#"{"type":"error","id":"1","payload":\#(payload)}"#)
      let errors = reason.replacing("; ", with: #""},{"message":""#)
      #expect(talk.lines.last == #"! 1 errors [{"message":"\#(errors)"}]"#)
      #expect(talk.isLive)
    }
  }
}

@Suite("Legacy graphql-ws sessions")
struct LegacySessionTests {
  @Test
  func `the legacy protocol uses start, data, stop, connection_terminate and ka`() {
    var talk = Conversation(.legacy)
    talk.open(["authToken": "t"])
    talk.subscribe("1", "a")
    talk.say(#"{"type":"connection_ack"}"#)
    talk.say(#"{"type":"ka"}"#)
    talk.say(#"{"type":"data","id":"1","payload":{"data":{"n":1}}}"#)
    talk.unsubscribe("1")
    talk.leave()
    #expect(
      talk.lines == [
        #"> {"type":"connection_init","payload":{"authToken":"t"}}"#, "! live",
        #"> {"type":"start","id":"1","payload":{"query":"a"}}"#, #"! 1 {"data":{"n":1}}"#,
        #"> {"type":"stop","id":"1"}"#, #"> {"type":"connection_terminate"}"#,
      ])
  }

  @Test
  func `an error ends its subscription, and a connection error ends all`() {
    var talk = Conversation(.legacy)
    talk.open()
    talk.subscribe("1")
    talk.say(#"{"type":"connection_ack"}"#)
    talk.say(#"{"type":"error","id":"1","payload":{"message":"bad"}}"#)
    #expect(talk.lines.last == #"! 1 errors [{"message":"bad"}]"#)
    var refused = Conversation(.legacy)
    refused.open()
    refused.say(#"{"type":"connection_error","payload":{"message":"who are you"}}"#)
    #expect(
      refused.lines.last
        == "! end http://h/graphql does not accept the connection: who are you; check the connection's payload")
  }

  @Test
  func `AppSync confirmations and string data are accepted`() {
    var talk = Conversation(.legacy)
    talk.open()
    talk.subscribe("1")
    talk.say(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#)
    talk.say(#"{"type":"start_ack","id":"1"}"#)
    talk.say(#"{"type":"data","id":"1","payload":{"data":"{\"n\":1}","errors":null}}"#)
    #expect(talk.lines.last == #"! 1 {"data":{"n":1},"errors":null}"#)
    talk.say(#"{"type":"complete","id":"1"}"#)
    #expect(talk.lines.last == "! 1 complete")
  }

  @Test
  func `AppSync gets the operation as a string, with the authorization next to it`() {
    let payload: JSONValue = [
      "query": "subscription { n }", "variables": ["a": 1], "extensions": ["authorization": ["host": "h"]],
    ]
    let data = #"{\"query\":\"subscription { n }\",\"variables\":{\"a\":1}}"#
    let start = { (id: String) in
      #"> {"type":"start","id":"\#(id)","payload":{"data":"\#(data)","extensions":{"authorization":{"host":"h"}}}}"#
    }
    var talk = Conversation(.legacy)
    talk.open()
    talk.subscribe("1", payload: payload)
    talk.say(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#)
    #expect(talk.lines.last == start("1"))
    talk.subscribe("2", payload: payload)
    #expect(talk.lines.last == start("2"))
  }

  @Test
  func `the legacy protocol uses WebSocket pings`() {
    var talk = Conversation(.legacy)
    talk.open()
    talk.say(#"{"type":"connection_ack"}"#)
    talk.wait(.seconds(20))
    #expect(talk.lines.last == "> ping frame")
    talk.pong()
    talk.wait(.seconds(10))
    #expect(talk.lines.last == "> ping frame")
  }
}

@Suite("Lost connections", .timeLimit(.minutes(1)))
struct ReconnectionTests {
  @Test
  func `close codes 4400 to 4429 are described and fatal`() {
    let words = [4400, 4401, 4403, 4404, 4406, 4408, 4409, 4429].map { CloseCode($0) }
    #expect(words.allSatisfy { $0.isFatal })
    #expect(words.map(\.words).allSatisfy { !$0.hasPrefix("code") })
    let failure = SubscriptionError.closed(url: "http://h/graphql", code: 4403, reason: "Forbidden\u{1b}[2J")
    #expect(
      "\(failure)"
        == "http://h/graphql closed the subscription: forbidden (4403) ('Forbidden [2J'); "
        + "check the credentials and the connection's payload")
  }

  @Test
  func `lost connections are retried, and protocol violations are not`() {
    #expect([1000, 1001, 1005, 1006, 1012, 1013, 1014, 3000, 4999].allSatisfy { !CloseCode($0).isFatal })
    #expect([1002, 1003, 1007, 1008, 1009, 1011, 4500].allSatisfy { CloseCode($0).isFatal })
  }

  @Test
  func `server errors on upgrade may be temporary, and other rejections are not`() {
    func refused(_ status: Int) -> SubscriptionError { .rejected(HTTPHead(status: status, headers: [:]), body: []) }
    #expect([500, 502, 503, 504].allSatisfy { refused($0).mayPass })
    #expect(SubscriptionError.network(.interrupted(host: "h", receivedBytes: 0)).mayPass)
    #expect([400, 404, 405, 426, 501].allSatisfy { !refused($0).mayPass })
    #expect(!SubscriptionError.network(.notWebSocket(host: "h")).mayPass)
  }

  @Test
  func `the attempt count restarts after a stable connection`() {
    var policy = ReconnectionPolicy()
    (policy.jitter, policy.maximumAttempts, policy.period) = (0, 3, .zero)
    var reconnection = ReconnectionBackoff(policy: policy)
    var now = ContinuousClock.now
    func lose(after live: Duration?) -> Duration? {
      if let live {
        reconnection.becameLive(at: now)
        now += live
      }
      return reconnection.lost(at: now)
    }
    #expect(!reconnection.hasBeenLive)
    #expect(lose(after: .zero) == .seconds(0.5))
    #expect(reconnection.hasBeenLive && reconnection.attempt == 1)
    #expect(lose(after: .seconds(9.9)) == .seconds(1))
    #expect(lose(after: .seconds(10)) == .seconds(0.5))
    #expect(lose(after: nil) == .seconds(1))
    #expect(lose(after: nil) == .seconds(2))
    #expect(lose(after: .seconds(1)) == nil)
    #expect(reconnection.attempt == 3)
  }

  @Test
  func `stable connections are limited in number per period`() {
    var policy = ReconnectionPolicy()
    (policy.jitter, policy.maximumAttempts, policy.period) = (0, 3, .seconds(120))
    var reconnection = ReconnectionBackoff(policy: policy)
    var now = ContinuousClock.now
    func lose(after live: Duration) -> Duration? {
      reconnection.becameLive(at: now)
      now += live
      return reconnection.lost(at: now)
    }
    for _ in 0..<3 { #expect(lose(after: .seconds(10)) == .seconds(0.5)) }
    #expect(lose(after: .seconds(10)) == nil)
    #expect(reconnection.attemptCount == 3)
    #expect(lose(after: .seconds(120)) == .seconds(0.5))
    for _ in 0..<20 { #expect(lose(after: .seconds(60)) == .seconds(0.5)) }
  }

  @Test
  func `a subscription that ends after each event is not retried forever`() async throws {
    let event = ScriptedAnswer.response(
      headers: [("Content-Type", "text/event-stream")], [.text("event: next\ndata: {\"data\":{\"s\":1}}\n\n"), .close])
    let server = try ScriptedServer([event])
    let run = try await SubscriptionRun.read(
      client(server.url, .serverSentEvents) { $0.reconnection.maximumAttempts = 3 }, "subscription { s }")
    #expect(run.data == Array(repeating: #"{"s":1}"#, count: 4))
    #expect(run.error.map { "\($0)" }?.contains("given up after 3 attempts to connect again") == true)
    #expect(server.requests.count == 4)
  }

  private static func events(_ data: [String], name: String = "", end: String = "") -> ScriptedAnswer {
    .response(
      headers: [("Content-Type", "text/event-stream")],
      [.text(data.map { "\(name)data: \($0)\n\n" }.joined() + end)])
  }

  private static func parts(_ parts: [String], end: String = "") -> ScriptedAnswer {
    .response(
      headers: [("Content-Type", "multipart/mixed; boundary=-; subscriptionSpec=1.0")],
      [.text(parts.map { "---\r\nContent-Type: application/json\r\n\r\n\($0)\r\n" }.joined() + end)])
  }

  private static let errors = #"{"errors":[{"message":"no"}]}"#

  @Test(arguments: [
    (events([#"{"data":{"s":1}}"#]), 1, false), (events([#"{"data":{"s":1}}"#], name: "event: message\n"), 1, false),
    (events([#"{"data":{"s":1}}"#, errors], name: "event: next\n"), 2, true),
    (events([#"{"data":null,"errors":[{"message":"no"}]}"#], name: "event: next\n"), 1, true),
    (events([errors]), 1, true), (parts([#"{"payload":\#(errors)}"#]), 1, true),
    (parts([#"{"payload":{"data":null,"errors":[{"message":"no"}]},"errors":null}"#]), 1, true),
    (parts([#"{"payload":{"data":{"s":1}}}"#], end: "-----\r\n"), 1, false),
  ])
  func `a response without complete is the end if the server never sends complete, or rejected the operation`(
    _ answer: ScriptedAnswer, _ count: Int, _ isRefusal: Bool
  ) async throws {
    let server = try ScriptedServer([answer])
    for transport in [SubscriptionOptions.Transport.serverSentEvents, .multipart] {
      let run = try await SubscriptionRun.read(client(server.url, transport), "subscription { s }")
      #expect(run.error == nil)
      #expect(run.results.count == count)
      #expect(run.results.last?.errors.isEmpty == !isRefusal)
      #expect(!run.states.contains { $0.name == "reconnecting" })
    }
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    events([#"{"data":{"s":1}}"#], name: "event: next\n"), events([]), events([], end: "event: ping\ndata: {}\n\n"),
    events([errors, #"{"data":{"s":1}}"#], name: "event: next\n"),
    events([#"{"data":{"s":1},"errors":[{"message":"no"}]}"#], name: "event: next\n"),
    parts([#"{"payload":{"data":{"s":1}}}"#]), parts(["{}"]),
  ])
  func `a response without complete is a lost connection if the server sends complete`(_ answer: ScriptedAnswer)
    async throws
  {
    let server = try ScriptedServer([answer])
    let run = try await SubscriptionRun.read(
      client(server.url, .serverSentEvents) { $0.reconnection.maximumAttempts = 2 }, "subscription { s }")
    #expect(run.exitCode == 3)
    #expect(run.error.map { "\($0)" }?.contains("given up after 2 attempts to connect again") == true)
    #expect(server.requests.count == 3)
  }

  @Test
  func `stable responses are repeated up to the limit`() async throws {
    let server = try ScriptedServer([Self.events([#"{"data":{"s":1}}"#], name: "event: next\n")])
    let run = try await SubscriptionRun.read(
      client(server.url, .serverSentEvents) {
        $0.reconnection.maximumAttempts = 3
        $0.reconnection.stableAfter = .zero
      }, "subscription { s }")
    #expect(run.data.count == 4)
    #expect(run.error.map { "\($0)" }?.contains("given up after 3 attempts to connect again") == true)
  }

  @Test
  func `delays double up to the longest, minus at most the jitter`() {
    var policy = ReconnectionPolicy()
    policy.jitter = 0
    #expect((1...8).map { policy.delay(before: $0) } == [0.5, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(policy.delay(before: .max) == .seconds(30))
    policy.jitter = 0.5
    let waits = (0..<200).map { _ in policy.delay(before: 3) }
    #expect(waits.allSatisfy { $0 > .seconds(1) && $0 <= .seconds(2) })
    #expect(Set(waits).count > 100)
  }
}
