import ApusJSON

/// Audits of `graphql-transport-ws` (the PROTOCOL document of graphql-ws).
enum TransportSocketAudits {
  static let name = "graphql-transport-ws"
  private static func source(_ section: String) -> AuditSource { .other("graphql-ws PROTOCOL", section) }

  static let all: [Audit] = [
    Audit(
      .subscriptions, "ws-ack", .must, "connection_init is acknowledged, also with a null payload",
      source("ConnectionInit"), reason: "strawberry closes with 4400 for a null payload"
    ) { context in
      for payload in ["", #","payload":null"#] {
        let socket = try await context.socket(name, isAcknowledged: false)
        defer { socket.cut() }
        socket.send(#"{"type":"connection_init"\#(payload)}"#)
        let answer = await socket.nextMessage()
        try context.expect(answer.type == "connection_ack", socket, found: answer.text)
      }
    },
    Audit(
      .subscriptions, "ws-init-twice", .must, "a second connection_init closes with 4429", source("ConnectionInit"),
      reason: "a second acknowledgement"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(#"{"type":"connection_init"}"#)
      try await context.expectClose(4429, socket)
    },
    Audit(
      .subscriptions, "ws-init-timeout", .should, "a connection without connection_init is closed with 4408",
      source("ConnectionInit"), reason: "connections stay open forever"
    ) { context in
      let socket = try await context.socket(name, isAcknowledged: false)
      defer { socket.cut() }
      let event = await socket.nextMessage(within: .seconds(11))
      if case .silence = event { throw AuditStop.notApplicable("no close within 11 s") }
      try context.expect(event.closeCode == 4408, socket, found: event.text)
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
      socket.send(#"{"type":"connection_init"}"#)
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
      let event = await socket.nextMessage(within: .milliseconds(500))
      if case .silence = event {} else { try context.expect(false, socket, found: event.text) }
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
      let late = try await eventsAfterStop(context)
      // Events before the pong were on their way.
      let nexts = late.events.drop { $0.type != "pong" }.filter { $0.type == "next" }
      try context.expect(nexts.count <= 1, late.socket, found: "\(nexts.count) events after complete")
    },
    Audit(
      .subscriptions, "ws-no-echo", .should, "the client's complete is not answered with complete", source("Complete"),
      reason: "graphql-ws #403"
    ) { context in
      let late = try await eventsAfterStop(context)
      let complete = late.events.firstIndex { $0.type == "complete" }
      if let complete, late.events[..<complete].contains(where: { $0.type == "next" }) {
        throw AuditStop.notApplicable("the subscription ended before it was stopped")
      }
      try context.expect(complete == nil, late.socket, found: "complete")
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
      .subscriptions, "ws-other-protocol", .should, "an unknown subprotocol is not agreed to", source("Communication"),
      reason: "the server agrees to anything"
    ) { context in
      _ = try await context.socket(name, isAcknowledged: false)
      let socket = try await context.open(["audit-unknown"])
      defer { socket.cut() }
      let event = await socket.next(within: context.settings.timeout)
      if case .opened(let subprotocol) = event {
        try context.expect(subprotocol != "audit-unknown", socket, found: "the subprotocol is agreed to")
        let end = await socket.next()
        try context.expect(end.closeCode == 4406, socket, found: end.text)
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
      let problem = PayloadMerger(payloads[...]).problem
      throw AuditStop.reported("\(payloads.count) payloads\(problem.map { ", \($0)" } ?? "")")
    },
  ]

  static let eventLimit = 20

  private static func eventsAfterStop(
    _ context: AuditContext
  ) async throws -> (socket: SocketConversation, events: [SocketConversation.Event]) {
    if let stopped = context.stopped { return stopped }
    let document = try await context.subscription()
    let socket = try await context.socket(name)
    defer { socket.cut() }
    socket.send(Message.subscribe("1", document))
    let first = await socket.nextMessage(within: .seconds(5))
    guard first.type == "next" else { throw AuditStop.notApplicable("no event within 5 s") }
    socket.send(#"{"type":"complete","id":"1"}"#)
    // The pong marks the point up to which the server has read.
    socket.send(Message.ping)
    var events: [SocketConversation.Event] = []
    let end = ContinuousClock.now + .milliseconds(1500)
    while ContinuousClock.now < end {
      let event = await socket.nextMessage(within: end - ContinuousClock.now)
      if case .silence = event { break }
      events.append(event)
    }
    context.stopped = (socket, events)
    return (socket, events)
  }
}

/// Messages of the WebSocket subprotocols.
enum Message {
  static let ping = #"{"type":"ping"}"#

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
