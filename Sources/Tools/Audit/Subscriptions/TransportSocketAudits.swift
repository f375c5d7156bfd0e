import ApusJSON

/// Audits of `graphql-transport-ws` (the PROTOCOL document of graphql-ws).
enum TransportSocketAudits {
  static let name = "graphql-transport-ws"
  private static func source(_ section: String) -> AuditSource { .other("graphql-ws PROTOCOL", section) }

  static let all: [Audit] = [
    Audit(
      .subscriptions, "ws-ack", .must, "connection_init is acknowledged, also with a null payload",
      source("ConnectionInit"), reason: "clients wait for an answer"
    ) { context in
      let payload = try await context.connectionPayload()
      // A server that requires a payload refuses null.
      for payload in payload == nil ? [nil, .null] : [payload] {
        let socket = try await context.socket(name, isAcknowledged: false)
        defer { socket.cut() }
        socket.send(Message.initialization(payload))
        let answer = await socket.nextMessage()
        if payload == .null, answer.closeCode == 4400 {
          throw AuditStop.reported("a null payload is refused: older editions of the protocol do not name it")
        }
        try context.expect(answer.type == "connection_ack", socket, found: answer.text)
      }
    },
    Audit(
      .subscriptions, "ws-init-twice", .must, "a second connection_init closes with 4429", source("ConnectionInit"),
      reason: "a second acknowledgement"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      try await context.initialize(socket)
      try await context.expectClose(4429, socket)
    },
    Audit(
      .subscriptions, "ws-early-subscribe", .must, "subscribe before the acknowledgement closes with 4401",
      source("Subscribe"), reason: "it is run"
    ) { context in
      let socket = try await context.socket(name, isAcknowledged: false)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", AuditContext.typename))
      try await context.expectClose(4401, socket)
    },
    Audit(
      .subscriptions, "ws-ping", .must, "ping is answered with pong, before and after the acknowledgement",
      source("Ping"), reason: "async-graphql #635, benzene #89"
    ) { context in
      let socket = try await context.socket(name, isAcknowledged: false)
      defer { socket.cut() }
      socket.send(Message.ping)
      var answer = await socket.nextMessage()
      try context.expect(answer.type == "pong", socket, found: answer.text)
      try await context.initialize(socket)
      answer = await socket.nextMessage()
      try context.expect(answer.type == "connection_ack", socket, found: answer.text)
      try await context.expectAlive(socket)
    },
    Audit(
      .subscriptions, "ws-invalid", .must, "an invalid message closes with 4400", source("Invalid message"),
      reason: "ariadne closes with 1006 and accepts a null id; strawberry closes with 1006 for a list"
    ) { context in
      let messages = [
        "text", "[]", #"{"id":"1"}"#, #"{"type":"audit"}"#,
        #"{"type":"subscribe","payload":{"query":"{ __typename }"}}"#,
        #"{"type":"subscribe","id":"1"}"#, #"{"type":"subscribe","id":"1","payload":{"query":1}}"#,
      ]
      for message in messages {
        let socket = try await context.socket(name)
        defer { socket.cut() }
        socket.send(message)
        let event = await socket.nextMessage()
        try context.expect(event.closeCode == 4400, socket, found: "\(message): \(event.text)")
      }
    },
    Audit(
      .subscriptions, "ws-unknown-id", .must, "complete for an unused id and an unrequested pong change nothing",
      source("Complete"), reason: "the connection is closed"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(#"{"type":"complete","id":"audit"}"#)
      socket.send(#"{"type":"pong"}"#)
      try await context.expectAlive(socket)
    },
    Audit(
      .subscriptions, "ws-query", .must, "a query gives one next, then complete", source("Single result operation"),
      reason: "gqlgen #2215"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(
        #"{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","operationName":null,"variables":null,"extensions":null}}"#
      )
      let first = await socket.nextMessage()
      let data = first.message?["payload"]?["data"]
      try context.expect(first.type == "next" && data != nil, socket, found: first.text)
      let second = await socket.nextMessage()
      try context.expect(second.type == "complete", socket, found: second.text)
    },
    Audit(
      .subscriptions, "ws-error", .must, "an invalid document gives one error with a list as payload", source("Error"),
      reason: "a payload that is an object"
    ) { context in
      for document in ["{ auditUnknownField }", "subscription { auditUnknownField }"] {
        let socket = try await context.socket(name)
        defer { socket.cut() }
        socket.send(Message.subscribe("1", document))
        let event = await socket.nextMessage()
        let payload = event.message?["payload"]
        let isRight = event.type == "error" && payload?.kind == .array && payload?[0]?["message"]?.string != nil
        try context.expect(isRight, socket, found: event.text)
      }
    },
    Audit(
      .subscriptions, "ws-after-error", .must, "no complete follows an error, and the connection stays open",
      source("Complete"), reason: "graphql-ws #667, ballerina #3548"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", "{ auditUnknownField }"))
      let error = await socket.nextMessage()
      guard error.type == "error" else { throw AuditStop.notApplicable("no error message: \(error.text)") }
      // Another operation shows that the server has processed the previous message.
      socket.send(Message.subscribe("after", AuditContext.typename))
      for type in ["next", "complete"] {
        let event = await socket.nextMessage()
        let isAfter = event.type == type && event.message?["id"]?.string == "after"
        try context.expect(isAfter, socket, found: event.text)
      }
      try await context.expectAlive(socket)
    },
    Audit(
      .subscriptions, "ws-events", .must, "each event is a next with an execution result", source("Next"),
      reason: "hasura #9453 closes with 1000 instead of complete"
    ) { context in
      let document = try await context.subscription()
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", document))
      for _ in 0..<eventLimit {
        let event = await socket.nextMessage(within: .seconds(5))
        if event.type == "complete" { return }
        if case .silence = event { throw AuditStop.notApplicable("no event within 5 s") }
        let payload = event.message?["payload"]
        let isResult = payload?["data"] != nil || payload?["errors"]?.count ?? 0 > 0
        try context.expect(event.type == "next" && isResult, socket, found: event.text)
      }
    },
    Audit(
      .subscriptions, "ws-duplicate", .must, "an id in use closes with 4409", source("Subscribe"),
      reason: "caliban #2973"
    ) { context in
      let document = try await context.subscription()
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", document))
      socket.send(Message.subscribe("1", document))
      for _ in 0..<eventLimit {
        let event = await socket.nextMessage()
        if event.type == "next" { continue }
        if event.type == "complete" { throw AuditStop.notApplicable("the subscription ends immediately") }
        return try context.expect(event.closeCode == 4409, socket, found: event.text)
      }
      try context.expect(false, socket, found: "\(eventLimit) events and no close")
    },
    Audit(
      .subscriptions, "ws-reuse", .must, "an id can be used again after complete", source("Subscribe"),
      reason: "leaked ids"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      for _ in 0..<2 {
        socket.send(Message.subscribe("1", AuditContext.typename))
        for expected in ["next", "complete"] {
          let event = await socket.nextMessage()
          try context.expect(event.type == expected, socket, found: event.text)
        }
      }
    },
    Audit(
      .subscriptions, "ws-stop", .must, "after the client's complete at most one next arrives", source("Complete"),
      reason: "Hot Chocolate #2740"
    ) { context in
      let stopped = try await stoppedSubscription(context)
      try context.expect(
        stopped.lateEvents.count <= 1, stopped.socket, found: "\(stopped.lateEvents.count) events after complete")
    },
    Audit(
      .subscriptions, "ws-no-echo", .should, "the client's complete is not answered with complete", source("Complete"),
      reason: "graphql-ws #403"
    ) { context in
      let stopped = try await stoppedSubscription(context)
      let echo = stopped.events.firstIndex { $0.type == "complete" }
      let hasNext = stopped.events.prefix(echo ?? 0).contains { $0.type == "next" }
      if stopped.isShort || hasNext {
        throw AuditStop.notApplicable("the subscription ended before it was stopped")
      }
      try context.expect(echo == nil, stopped.socket, found: echo.map { stopped.events[$0].text } ?? "")
    },
    Audit(
      .subscriptions, "ws-multiplex", .must, "two operations on one connection are both answered", source("Subscribe"),
      reason: "dgs #1347"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      for id in ["1", "2"] { socket.send(Message.subscribe(id, AuditContext.typename)) }
      var completed: Set<String> = []
      while completed.count < 2 {
        let event = await socket.nextMessage()
        guard let message = event.message, ["next", "complete"].contains(message["type"]?.string) else {
          return try context.expect(false, socket, found: event.text)
        }
        if event.type == "complete" { completed.insert(message["id"]?.string ?? "") }
      }
    },
    Audit(
      .subscriptions, "ws-other-protocol", .should, "an unknown subprotocol is not accepted", source("Communication"),
      reason: "the server accepts any subprotocol"
    ) { context in
      _ = try await context.socket(name, isAcknowledged: false)
      let socket = try await context.open(["audit-unknown"])
      defer { socket.cut() }
      let event = await socket.next(within: context.settings.timeout)
      // The client decides about a connection without a subprotocol (RFC 6455, section 4.2.2).
      if case .opened(let agreed?) = event {
        try context.expect(false, socket, found: "the server accepted the subprotocol \(agreed)")
      }
    },
    Audit(
      .subscriptions, "ws-defer", .may, "a deferred query gives payloads that can be merged, or one result",
      .incremental("Response"), reason: "graphql-ws #72: reported"
    ) { context in
      let shape = try await context.deferredShape()
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", shape.document))
      var payloads: [JSONValue] = []
      while payloads.count < eventLimit {
        let event = await socket.nextMessage()
        guard event.type == "next", let payload = event.message?["payload"] else { break }
        payloads.append(payload)
      }
      let problem = PayloadMerger(payloads[...], of: shape.document).problem
      throw AuditStop.reported("\(payloads.count) payloads\(problem.map { ", \($0)" } ?? "")")
    },
  ]

  static let eventLimit = 20

  private static func stoppedSubscription(_ context: AuditContext) async throws -> StoppedSubscription {
    if let stopped = context.stopped { return stopped }
    let document = try await context.subscription()
    let socket = try await context.socket(name)
    defer { socket.cut() }
    let stopped = try await StoppedSubscription(socket, document, start: "subscribe", event: "next", stop: "complete")
    context.stopped = stopped
    return stopped
  }
}

/// The events of a subscription that its client stopped. A second subscription shows when the server has processed the
/// stop.
struct StoppedSubscription {
  let socket: SocketConversation
  /// The messages of the stopped subscription.
  private(set) var events: [SocketConversation.Event] = []
  /// The results of the stopped subscription that arrived after the first result of the other, and so were sent too
  /// late.
  private(set) var lateEvents: [SocketConversation.Event] = []
  /// Whether the second subscription ended so soon that the first one may also have ended by itself.
  private(set) var isShort = false

  private static let eventCount = 6
  private static let limit = Duration.seconds(5)

  /// `start`, `event` and `stop` are the message types.
  init(
    _ socket: SocketConversation, _ document: String, start: String, event: String, stop: String
  ) async throws {
    self.socket = socket
    socket.send(Message.subscribe("1", document, type: start))
    guard await socket.nextMessage(within: Self.limit).type == event else {
      throw AuditStop.notApplicable("no event within 5 s")
    }
    socket.send(#"{"type":"\#(stop)","id":"1"}"#)
    socket.send(Message.subscribe("other", document, type: start))
    var otherCount = 0
    let end = ContinuousClock.now + Self.limit
    while otherCount < Self.eventCount, ContinuousClock.now < end {
      let message = await socket.nextMessage(within: end - ContinuousClock.now)
      guard message.message != nil else { break }
      guard message.message?["id"]?.string == "other" else {
        events.append(message)
        if otherCount > 0, message.type == event { lateEvents.append(message) }
        continue
      }
      otherCount += 1
      isShort = message.type != event
    }
  }
}

/// Messages of the WebSocket subprotocols: `{"id":"1","type":"subscribe","payload":{"query":"…"}}`.
enum Message {
  static let ping = #"{"type":"ping"}"#

  static func initialization(_ payload: JSONValue?) -> String {
    JSONWriter.compact(.object([("type", "connection_init")] + (payload.map { [("payload", $0)] } ?? [])))
  }

  static func subscribe(_ id: String, _ document: String, type: String = "subscribe") -> String {
    JSONWriter.compact(["id": JSONValue(id), "type": JSONValue(type), "payload": ["query": JSONValue(document)]])
  }
}

extension AuditContext {
  func expectClose(_ code: Int, _ socket: SocketConversation) async throws {
    let event = await socket.nextMessage()
    try expect(event.closeCode == code, socket, found: event.text)
  }

  /// Fails unless a ping is answered.
  func expectAlive(_ socket: SocketConversation) async throws {
    socket.send(Message.ping)
    let answer = await socket.nextMessage()
    try expect(answer.type == "pong", socket, found: answer.text)
  }
}
