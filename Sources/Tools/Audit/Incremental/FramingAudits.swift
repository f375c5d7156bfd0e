import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of the multipart framing (RFC 2046; Incremental Delivery over HTTP).
enum FramingAudits {
  static let all: [Audit] = [
    Audit(
      .incremental, "boundary", .must, "the Content-Type has a boundary, and a delimiter begins a line",
      .rfc(2046, "section 5.1.1"), reason: "Apollo Router #1588: dashes inside JSON end the part"
    ) { context in
      for delivery in try await context.multipartDeliveries() {
        let named = delivery.exchange.mediaType["boundary"] != nil
        try context.expect(named, delivery, found: "no boundary: \(delivery.exchange.contentType)")
        try context.expect(
          delivery.body?.parts.isEmpty == false, delivery, found: "no delimiter at the start of a line")
      }
    },
    Audit(
      .incremental, "first-crlf", .should, "a CRLF precedes the first delimiter", .incrementalOverHTTP(),
      reason: "some parsers lose the first part without it"
    ) { context in
      for delivery in try await context.multipartDeliveries() {
        try context.expect(
          delivery.body?.hasFirstLineEnd == true, delivery, found: "the body begins with the delimiter",
          proof: 0..<(delivery.body?.parts.first?.range.lowerBound ?? 0))
      }
    },
    Audit(
      .incremental, "part", .must, "a part has a Content-Type and one JSON object", .incrementalOverHTTP(),
      reason: "graphql-ruby #5380: a part inside a part"
    ) { context in
      for delivery in try await context.multipartDeliveries() {
        for (index, part) in (delivery.body?.parts ?? []).enumerated() {
          let place = "part \(index + 1)"
          func expect(_ condition: Bool, _ found: String) throws(AuditStop) {
            try context.expect(condition, delivery, found: "\(place)\(found)", proof: part.range)
          }
          try expect(part.header("content-type") != nil, " has no Content-Type")
          try expect(part.json?.kind == .object, " is not one JSON object")
          if let length = part.header("content-length") {
            try expect(Int(length) == part.body.count, ": Content-Length \(length)")
          }
        }
      }
    },
    Audit(
      .incremental, "close", .must, "the closing delimiter comes once, and the body ends after it",
      .rfc(2046, "section 5.1.1"), reason: "strawberry #3865, #4180: clients wait for more"
    ) { context in
      for delivery in try await context.multipartDeliveries() {
        try context.expect(delivery.body?.isClosed == true, delivery, found: "no closing delimiter")
        let rest = delivery.body?.epilogue.filter { ![0x0D, 0x0A].contains($0) } ?? []
        let end = delivery.exchange.body.count
        try context.expect(
          rest.isEmpty, delivery, found: "\(rest.count) bytes after the closing delimiter",
          proof: (end - (delivery.body?.epilogue.count ?? 0))..<end)
        try context.expect(delivery.exchange.failure == nil, delivery, found: delivery.exchange.summary)
      }
    },
    Audit(
      .incremental, "gzip", .must, "compression delays no part", .incrementalOverHTTP(),
      reason: "Apollo Router #1572: the first part arrives with the last"
    ) { context in
      try await expectEarlyInitialResult(context, headers: [("Accept-Encoding", "gzip")])
    },
    Audit(
      .incremental, "initial-not-held", .should, "the initial result does not wait for a deferred one",
      .incrementalOverHTTP(), reason: "proxies and middleware that buffer"
    ) { context in
      try await expectEarlyInitialResult(context, headers: [])
    },
    Audit(
      .incremental, "cancel", .should, "a client that leaves after the first part delays no other request",
      .graphQL("6.2.3, Unsubscribe"), reason: "the server works for a client that is gone"
    ) { context in
      let slow = try await context.slowField()
      let document = "{ __typename ... @defer { \(slow.field.text) } }"
      let exchange = try await context.run(document, accept: IncrementalFormat.incrementalV02.accept)
      guard exchange.mediaType.isMultipart else { throw AuditStop.notApplicable("the fragment was not deferred") }
      let plain = try await context.run(AuditContext.typename)
      // Work for a disconnected client takes as long as the field; half of that counts as a delay.
      let limit = plain.duration + max(slow.exchange.duration / 2, tolerance)
      var found: Exchange?
      // A busy machine delays a single request; a server that continues to work delays each one.
      for _ in 0..<attemptCount {
        _ = try await context.exchange(exchange.request, until: { !$0.reads.isEmpty })
        found = nil
        for _ in 0..<3 {
          let after = try await context.exchange(plain.request)
          if after.duration > limit { found = found ?? after }
        }
        if found == nil { return }
      }
      if let found {
        try context.expect(
          false, found,
          found:
            "the next request takes \(found.duration.text); the same request alone takes \(plain.duration.text)")
      }
    },
  ]

  private static let attemptCount = 3
  private static let tolerance = Duration.milliseconds(150)

  /// Fails if the initial result arrives together with the last payload, although the deferred field is slow.
  private static func expectEarlyInitialResult(_ context: AuditContext, headers: [(String, String)]) async throws {
    let slow = try await context.slowField()
    let document = "{ __typename ... @defer { \(slow.field.text) } }"
    var exchange = try await context.run(document, accept: IncrementalFormat.incrementalV02.accept, headers: headers)
    // A busy machine occasionally joins two reads; a server that buffers payloads does so every time.
    for attempt in 1...attemptCount {
      guard exchange.mediaType.isMultipart else { throw AuditStop.notApplicable("the fragment was not deferred") }
      guard exchange.duration > slow.exchange.duration / 2 else {
        throw AuditStop.notApplicable("the field was not slow again")
      }
      if exchange.firstPartLead > .milliseconds(100) { return }
      if attempt < attemptCount { exchange = try await context.exchange(exchange.request) }
    }
    let first = exchange.firstPart?.elapsed ?? exchange.duration
    try context.expect(
      false, exchange, found: "the first part arrives after \(first.text), with the last one",
      proof: exchange.firstPart?.range)
  }
}

extension Duration {
  /// The duration in whole milliseconds.
  fileprivate var text: String { SingleLineText.milliseconds(self) }
}

extension Exchange {
  /// The first part of a multipart body, and its arrival time.
  fileprivate var firstPart: (range: Range<Int>, elapsed: Duration)? {
    guard let part = MultipartBody(body, boundary: mediaType.boundary).parts.first else { return nil }
    var exchange = self
    exchange.proof = part.range
    return exchange.proofTime.map { (part.range, $0) }
  }

  /// The time from the arrival of the first part to the last read.
  fileprivate var firstPartLead: Duration {
    guard let firstPart, let last = reads.last?.elapsed else { return .zero }
    return last - firstPart.elapsed
  }
}

extension AuditContext {
  fileprivate func slowField() async throws -> ProbedField {
    guard schema?.directive(named: "defer")?.isImplied == false else {
      throw AuditStop.notApplicable("the schema has no @defer")
    }
    let slowDuration = settings.slowDuration
    if confirmedSlowField == nil,
      let slow = try await probe().slow.max(by: { $0.exchange.duration < $1.exchange.duration })
    {
      // A busy machine makes all requests slow, so the shorter of two durations counts.
      let again = try await exchange(slow.exchange.request)
      let other = try await exchange(try await run(Self.typename).request)
      let shorter = again.duration < slow.exchange.duration ? again : slow.exchange
      if shorter.duration > other.duration + slowDuration {
        confirmedSlowField = ProbedField(field: slow.field, exchange: shorter)
      }
    }
    guard let confirmedSlowField else {
      throw AuditStop.notApplicable("no field takes longer than \(slowDuration.text)")
    }
    return confirmedSlowField
  }
}
