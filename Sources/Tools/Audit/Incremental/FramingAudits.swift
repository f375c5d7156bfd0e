import ApusClientIncremental
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
          delivery.body?.hasFirstLineEnd == true, delivery, found: "the body begins with the delimiter")
      }
    },
    Audit(
      .incremental, "part", .must, "a part has a Content-Type and one JSON object", .incrementalOverHTTP(),
      reason: "graphql-ruby #5380: a part inside a part"
    ) { context in
      for delivery in try await context.multipartDeliveries() {
        for (index, part) in (delivery.body?.parts ?? []).enumerated() {
          let place = "part \(index + 1)"
          try context.expect(part.header("content-type") != nil, delivery, found: "\(place) has no Content-Type")
          try context.expect(part.json?.kind == .object, delivery, found: "\(place) is not one JSON object")
          if let length = part.header("content-length") {
            try context.expect(Int(length) == part.body.count, delivery, found: "\(place): Content-Length \(length)")
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
        try context.expect(rest.isEmpty, delivery, found: "\(rest.count) bytes after the closing delimiter")
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
      _ = try await context.exchange(exchange.request, until: { !$0.reads.isEmpty })
      for _ in 0..<3 {
        let after = try await context.exchange(plain.request)
        try context.expect(
          after.duration < plain.duration + tolerance, after,
          found: "the next request took \(after.duration), before that \(plain.duration)")
      }
    },
  ]

  private static let tolerance = Duration.milliseconds(150)

  /// Compares the initial result's time with that of the same document without the slow field.
  private static func expectEarlyInitialResult(_ context: AuditContext, headers: [(String, String)]) async throws {
    _ = try await context.incrementalDeliveries()
    let slow = try await context.slowField()
    let without = try await context.run("{ __typename ... @include(if: false) { \(slow.field.text) } }")
    let document = "{ __typename ... @defer { \(slow.field.text) } }"
    let exchange = try await context.run(document, accept: IncrementalFormat.incrementalV02.accept, headers: headers)
    guard exchange.mediaType.isMultipart else { throw AuditStop.notApplicable("the fragment was not deferred") }
    guard exchange.duration > OperationPool.slowDuration else {
      throw AuditStop.notApplicable("the field was not slow again")
    }
    let first = exchange.reads.first?.elapsed ?? exchange.duration
    let isEarly = first < without.duration + tolerance || exchange.duration - first > .milliseconds(100)
    try context.expect(
      isEarly, exchange,
      found: "the first part arrived after \(first), the same document without the field takes \(without.duration)")
  }
}

extension AuditContext {
  fileprivate func slowField() async throws -> ProbedField {
    guard let slow = try await probe().slow.first else {
      throw AuditStop.notApplicable("no field takes longer than \(OperationPool.slowDuration)")
    }
    return slow
  }
}
