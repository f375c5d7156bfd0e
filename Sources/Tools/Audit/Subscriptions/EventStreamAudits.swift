import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of subscriptions as server-sent events (the PROTOCOL document of graphql-sse, distinct connections mode).
enum EventStreamAudits {
  private static func source(_ section: String) -> AuditSource { .other("graphql-sse PROTOCOL", section) }

  static let all: [Audit] = [
    Audit(
      .subscriptions, "sse-events", .must, "a subscription gives text/event-stream with next events of JSON",
      source("Distinct connections mode, next"), reason: "defradb #3974: events without names"
    ) { context in
      let stream = try await context.eventStream()
      guard !stream.events.isEmpty || stream.isEnded else { throw AuditStop.notApplicable("no event within 5 s") }
      for event in stream.events where event.name == "next" {
        let json = try? JSONDocument(parsing: event.data).root
        try context.expect(
          json?.kind == .object, stream.exchange, found: "an event that is not a JSON object",
          proof: stream.exchange.body.firstRange(of: event.data))
      }
      try context.expect(
        stream.events.contains { $0.name == "next" }, stream.exchange, found: "no next event",
        proof: stream.exchange.range(of: "event:"))
    },
    Audit(
      .subscriptions, "sse-complete", .must, "the last event is complete, and then the body ends", source("complete"),
      reason: "yoga #2279: clients reconnect"
    ) { context in
      let stream = try await context.eventStream()
      guard stream.isEnded else { throw AuditStop.notApplicable("the subscription has no end within 5 s") }
      let isComplete = stream.events.last?.name == "complete" || stream.exchange.completeEvent != nil
      try context.expect(isComplete, stream.exchange)
    },
    Audit(
      .subscriptions, "sse-complete-data", .should, "complete has a data line", source("complete"),
      reason: "spring #940"
    ) { context in
      let stream = try await context.eventStream()
      guard let complete = stream.exchange.completeEvent else { throw AuditStop.notApplicable("no complete event") }
      try context.expect(
        complete.contains("data:"), stream.exchange, found: "complete without data",
        proof: stream.exchange.range(of: "event: complete"))
    },
    Audit(
      .subscriptions, "sse-invalid", .must, "an invalid document gives next with errors and complete, or 4xx",
      source("Distinct connections mode"), reason: "defradb #3986"
    ) { context in
      _ = try await context.eventStream()
      let exchange = try await context.subscribe("subscription { auditUnknownField }")
      if exchange.isClientError { return }
      let events = exchange.serverSentEvents
      let errors = events.first.flatMap { try? JSONDocument(parsing: $0.data).root }?["errors"]?.count ?? 0
      let isRight = exchange.status == 200 && errors > 0 && events.last?.name == "complete"
      try context.expect(exchange.mediaType.isEventStream && isRight, exchange)
    },
    Audit(
      .subscriptions, "sse-query", .must, "a query for text/event-stream gives events or 406",
      source("Distinct connections mode"),
      reason: "multipart for a client that reads events"
    ) { context in
      // A server without event streams may ignore the header field.
      _ = try await context.eventStream()
      var documents = [AuditContext.typename]
      if let shape = try? await context.deferredShape() { documents.append(shape.document) }
      for document in documents {
        let exchange = try await context.run(document, accept: GraphQLMediaType.eventStream)
        try context.expect(exchange.status == 406 || exchange.mediaType.isEventStream, exchange)
      }
    },
    Audit(
      .subscriptions, "sse-not-held", .should, "events are not buffered, and must not be cached",
      source("Distinct connections mode"), reason: "proxies that buffer or cache a stream"
    ) { context in
      let stream = try await context.eventStream()
      let control = stream.exchange.head?.headers["Cache-Control"]?.lowercased() ?? ""
      try context.expect(
        ["no-cache", "no-store"].contains(where: control.contains), stream.exchange,
        found: "Cache-Control: \(control.isEmpty ? "absent" : control)")
      let (first, nexts) = (stream.exchange.reads.first?.elapsed ?? .zero, stream.events.filter { $0.name == "next" })
      guard nexts.count > 1, stream.exchange.duration > .seconds(1) else { return }
      try context.expect(
        first < stream.exchange.duration - .milliseconds(100), stream.exchange,
        found: "\(nexts.count) events arrived together after \(first)")
    },
    Audit(
      .subscriptions, "plain-json", .should,
      "a subscription for a JSON client gets errors that name the transport, or 406",
      .graphQL("6.2.3, Subscription"), reason: "strawberry runs it as a query"
    ) { context in
      let exchange = try await context.run(context.subscription())
      let isRefused = !exchange.errors.isEmpty && exchange.data == nil
      try context.expect(exchange.status == 406 || isRefused, exchange)
    },
    Audit(
      .subscriptions, "cut-cleanup", .should, "a server whose clients leave continues to serve",
      .graphQL("6.2.3, Unsubscribe"),
      reason: "smallrye #1414"
    ) { context in
      let request = try await context.eventStream().exchange.request
      for _ in 0..<5 { _ = try await context.exchange(request, until: { !$0.reads.isEmpty }) }
      let exchange = try await context.exchange(request, until: { !$0.reads.isEmpty })
      try context.expect(exchange.status == 200 && !exchange.reads.isEmpty, exchange)
    },
  ]
}

extension String {
  /// Returns the text after the last occurrence of a marker.
  fileprivate func components(after marker: String) -> String? {
    ranges(of: marker).last.map { String(self[$0.upperBound...]) }
  }
}

extension Exchange {
  /// The text after the name of the `complete` event. Clients ignore an event without a data line.
  fileprivate var completeEvent: String? {
    let text = String(decoding: body, as: UTF8.self)
    return text.components(after: "event: complete") ?? text.components(after: "event:complete")
  }

  var serverSentEvents: [ServerSentEvent] {
    var reader = ServerSentEventReader()
    return (try? reader.receive(body)) ?? []
  }
}

extension AuditContext {
  static func hasManyEvents(_ exchange: Exchange) -> Bool { exchange.reads.count >= TransportSocketAudits.eventLimit }

  /// Returns the events of a subscription over HTTP, for at most five seconds.
  func eventStream(
    _ document: String? = nil
  ) async throws -> (exchange: Exchange, events: [ServerSentEvent], isEnded: Bool) {
    let document: String = if let document { document } else { try await subscription() }
    let exchange = try await subscribe(document)
    guard exchange.mediaType.isEventStream else {
      throw AuditStop.notApplicable("the server sends no text/event-stream for a subscription")
    }
    return (exchange, exchange.serverSentEvents, exchange.timings != nil)
  }

  /// Reads an event stream until it is sufficient, until its end, or for five seconds.
  func subscribe(
    _ document: String, accept: String = GraphQLMediaType.eventStream,
    until isEnough: (Exchange) -> Bool = hasManyEvents
  ) async throws -> Exchange {
    var request = subscriptionRequest(document, accept: accept)
    request.timeouts.total = .seconds(5)
    // Do not wait for the end of a subscription without events.
    request.timeouts.idle = .seconds(3)
    if let stream = streams[request] { return stream }
    let stream = try await exchange(request, until: isEnough)
    streams[request] = stream
    return stream
  }

  func subscriptionRequest(_ document: String, accept: String) -> HTTPRequest {
    var request = subscriptionEndpoint
    request.method = "POST"
    request.headers["Content-Type"] = GraphQLMediaType.json
    request.headers["Accept"] = accept
    request.body = JSONWriter.compactBytes(["query": JSONValue(document)])
    return request
  }
}
