import ApusGraphQLMediaTypes
import ApusClientNetwork
import ApusJSON

/// Audits of one event stream for several operations (the PROTOCOL document of graphql-sse, single connection mode).
enum SingleConnectionAudits {
  private static let source = AuditSource.other("graphql-sse PROTOCOL", "Single connection mode")

  static let all: [Audit] = [
    Audit(
      .subscriptions, "single-reserve", .may, "PUT reserves an event stream and returns its token", source,
      reason: "clients of this mode reserve a stream first"
    ) { context in
      _ = try await context.reserveStream()
      throw AuditStop.reported("supported")
    },
    Audit(
      .subscriptions, "single", .must, "one stream has the events of several operations, and opens once", source,
      reason: "stopped operations continue; two clients share a stream"
    ) { context in
      let document = try await context.subscription()
      let stream = try await context.reserveStream()
      let events = try await context.openStream(stream)
      defer { events.cut() }
      let second = try await context.exchange(stream.opening, until: { !$0.reads.isEmpty })
      try context.expect(second.status == 409, second, found: "a second client: \(second.summary)")
      try await context.start(document, "1", on: stream)
      guard let first = await events.next(within: .seconds(5)) else {
        throw AuditStop.notApplicable("no event within 5 s")
      }
      try context.expect(
        first.name == "next" && first.id == "1" && first.hasResult, events.exchange, found: first.text)
      try await context.start(AuditContext.typename, "2", on: stream)
      try await expectResult("2", events, context)
      let stop = try await context.exchange(stream.stopping("1"))
      try context.expect(stop.isSuccess, stop, found: "DELETE: \(stop.summary)")
      // Another operation shows that the server has processed the stop.
      try await context.start(AuditContext.typename, "3", on: stream)
      try await expectResult("3", events, context)
      try await context.start(document, "4", on: stream)
      var (late, existing) = (0, 0)
      while existing < 2, let event = await events.next(within: .seconds(5)) {
        if event.id == "4" { existing += 1 }
        if event.id == "1", event.name == "next" { late += 1 }
      }
      try context.expect(late <= 1, events.exchange, found: "\(late) events of an operation after DELETE")
    },
  ]

  /// Reads events up to the end of an operation with one result.
  private static func expectResult(
    _ id: String, _ events: StreamConversation, _ context: AuditContext
  ) async throws {
    var hasResult = false
    for _ in 0..<(5 * TransportSocketAudits.eventLimit) {
      guard let event = await events.next(within: .seconds(5)) else { break }
      guard event.id == id else { continue }
      if event.name == "complete" {
        return try context.expect(hasResult, events.exchange, found: "complete without a result")
      }
      hasResult = event.hasResult
    }
    try context.expect(false, events.exchange, found: "the operation \(id) was not completed")
  }
}

/// A reserved stream, with its URL and its token, which is sent in `X-GraphQL-Event-Stream-Token`.
struct ReservedStream {
  private static let field = "X-GraphQL-Event-Stream-Token"
  /// The template for all requests to the stream.
  let base: HTTPRequest

  init(_ request: HTTPRequest, token: String) {
    var request = request
    request.headers[Self.field] = token
    request.body = nil
    base = request
  }

  /// The request that opens the stream.
  var opening: HTTPRequest {
    var request = base
    request.method = "GET"
    request.headers["Accept"] = GraphQLMediaType.eventStream
    return request
  }

  func starting(_ document: String, _ id: String) -> HTTPRequest {
    var request = base
    request.method = "POST"
    request.headers["Content-Type"] = GraphQLMediaType.json
    request.body = JSONWriter.compactBytes([
      "query": JSONValue(document), "extensions": ["operationId": JSONValue(id)],
    ])
    return request
  }

  func stopping(_ id: String) -> HTTPRequest {
    var request = base
    request.method = "DELETE"
    request.url += (request.url.contains("?") ? "&" : "?") + "operationId=\(id)"
    return request
  }
}

extension AuditContext {
  /// Reserves a stream at the endpoint, or at a path below it that libraries suggest.
  fileprivate func reserveStream() async throws -> ReservedStream {
    for suffix in ["", "/stream"] {
      var request = subscriptionEndpoint
      request.method = "PUT"
      request.body = nil
      request.headers["Accept"] = "text/plain"
      request.timeouts.total = settings.timeout
      let end = request.url.firstIndex(of: "?") ?? request.url.endIndex
      request.url.insert(contentsOf: suffix, at: end)
      let exchange = try await exchange(request)
      let token = String(decoding: exchange.body, as: UTF8.self)
      let isToken = !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      if exchange.status == 201, isToken { return ReservedStream(request, token: token) }
    }
    throw AuditStop.notApplicable("PUT reserves no event stream")
  }

  fileprivate func openStream(_ stream: ReservedStream) async throws -> StreamConversation {
    try await reserveRequest()
    let conversation = StreamConversation(stream.opening, transport: transport)
    let status = await conversation.status(within: settings.timeout)
    try expect(
      status == 200 && conversation.exchange.mediaType.isEventStream, conversation.exchange,
      found: "GET: \(conversation.exchange.summary)")
    return conversation
  }

  fileprivate func start(_ document: String, _ id: String, on stream: ReservedStream) async throws {
    let exchange = try await exchange(stream.starting(document, id))
    try expect(exchange.status == 202, exchange, found: "POST of an operation: \(exchange.summary)")
  }
}
