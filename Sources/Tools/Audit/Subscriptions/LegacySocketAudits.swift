import ApusJSON

/// Audits of the legacy subprotocol `graphql-ws` (the PROTOCOL document of subscriptions-transport-ws).
enum LegacySocketAudits {
  private static let name = "graphql-ws"
  private static func source(_ section: String) -> AuditSource {
    .other("subscriptions-transport-ws PROTOCOL", section)
  }

  static let all: [Audit] = [
    Audit(
      .subscriptions, "legacy-data", .must, "events arrive as data, then complete", source("GQL_DATA"),
      reason: "async-graphql #238"
    ) { context in
      let document = try await context.subscription()
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", document, type: "start"))
      for _ in 0..<TransportSocketAudits.eventLimit {
        let event = await socket.nextMessage(within: .seconds(5))
        if event.type == "complete" { return }
        if case .silence = event { throw AuditStop.notApplicable("no event within 5 s") }
        try context.expect(event.type == "data" && event.message?["payload"] != nil, socket, found: event.text)
      }
    },
    Audit(
      .subscriptions, "legacy-error", .must, "an invalid document gives error, or data with errors",
      source("GQL_ERROR"),
      reason: "silence"
    ) { context in
      let socket = try await context.socket(name)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", "subscription { auditUnknownField }", type: "start"))
      let event = await socket.nextMessage()
      let hasErrors = event.message?["payload"]?["errors"]?.count ?? 0 > 0
      try context.expect(event.type == "error" || event.type == "data" && hasErrors, socket, found: event.text)
    },
    Audit(
      .subscriptions, "legacy-stop", .must, "after stop no data arrives", source("GQL_STOP"), reason: "go-tools #325"
    ) { context in
      let document = try await context.subscription()
      let socket = try await context.socket(name)
      defer { socket.cut() }
      let stopped = try await StoppedSubscription(socket, document, start: "start", event: "data", stop: "stop")
      let late = stopped.lateEvents.count
      // One event may have been sent before the stop was received.
      try context.expect(late <= 1, socket, found: "\(late) events after stop")
    },
  ]
}
