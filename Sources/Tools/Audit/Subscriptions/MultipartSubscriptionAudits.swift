import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of Apollo's multipart protocol for subscriptions.
enum MultipartSubscriptionAudits {
  static func source(_ section: String) -> AuditSource { .other("Apollo multipart subscription protocol", section) }

  static let all: [Audit] = [
    Audit(
      .subscriptions, "mp-framing", .must, "a multipart subscription has a boundary, JSON parts and an end",
      source("Communication"), reason: "strawberry #3865, #4180; Apollo Router #3293"
    ) { context in
      let (exchange, body) = try await context.multipartSubscription()
      try context.expect(exchange.mediaType["boundary"] != nil, exchange, found: exchange.contentType)
      for part in body.parts {
        try context.expect(
          part.json?.kind == .object, exchange, found: "a part that is not a JSON object", proof: part.range)
      }
      if exchange.timings != nil { try context.expect(body.isClosed, exchange, found: "no closing delimiter") }
    },
    Audit(
      .subscriptions, "mp-type", .must, "the Content-Type is one media type", .rfc(9110, "section 8.3"),
      reason: "strawberry writes two types in one field"
    ) { context in
      let (exchange, _) = try await context.multipartSubscription()
      try context.expect(!exchange.contentType.contains(","), exchange, found: exchange.contentType)
    },
    Audit(
      .subscriptions, "mp-envelope", .must, "a part is {} or has a payload", source("Message"),
      reason: "cosmo #1227, #1579"
    ) { context in
      let (exchange, body) = try await context.multipartSubscription()
      for part in body.parts {
        guard let json = part.json, json.count > 0 else { continue }
        let payload = json["payload"]
        let isResult =
          payload.map { $0.isNull ? json["errors"] != nil : $0["data"] != nil || $0["errors"] != nil } ?? false
        try context.expect(isResult, exchange, found: json.shortText, proof: part.range)
      }
    },
    Audit(
      .subscriptions, "mp-fatal", .must, "a source that fails gives a null payload with errors, and the end",
      source("Message and error format"), reason: "Apollo Router #4634: clients treat it as an event and wait"
    ) { context in
      for document in try await context.failingCandidates() {
        let exchange = try await context.subscribe(document, accept: accept)
        guard exchange.mediaType.isMultipart else { continue }
        let body = MultipartBody(exchange.body, boundary: exchange.mediaType.boundary)
        guard let part = body.parts.last(where: { $0.json?.count ?? 0 > 0 }), let json = part.json, json.isSourceFailure
        else { continue }
        let isRight = json["payload"]?.isNull == true && json["errors"]?.count ?? 0 > 0
        try context.expect(isRight, exchange, found: json.shortText, proof: part.range)
        try context.expect(body.isClosed, exchange, found: "no closing delimiter", proof: part.range)
        return
      }
      throw AuditStop.notApplicable("no subscription's source fails")
    },
  ]

  static let accept = "multipart/mixed;subscriptionSpec=1.0, application/json"
}

extension JSONValue {
  /// Whether a message has no data, and errors without a path, which are those of a failed source.
  fileprivate var isSourceFailure: Bool {
    guard let errors = self["errors"] ?? self["payload"]?["errors"], errors[0]?["path"] == nil else { return false }
    return errors.count > 0 && self["payload"]?["data"]?.isNull ?? true
  }
}

extension AuditContext {
  func multipartSubscription() async throws -> (Exchange, MultipartBody) {
    let exchange = try await subscribe(
      try await subscription(), accept: MultipartSubscriptionAudits.accept)
    guard exchange.mediaType.isMultipart else {
      throw AuditStop.notApplicable("the server sends no multipart subscription")
    }
    return (exchange, MultipartBody(exchange.body, boundary: exchange.mediaType.boundary))
  }

  /// Returns the subscriptions whose source may fail: first those that were not tried, then those that ended.
  fileprivate func failingCandidates() async throws -> [String] {
    _ = try await multipartSubscription()
    let tried = Dictionary(
      streams.values.compactMap { exchange in exchange.document.map { ($0, exchange.timings != nil) } },
      uniquingKeysWith: { $0 || $1 })
    let candidates = try subscriptionCandidates()
    return candidates.filter { tried[$0] == nil } + candidates.filter { tried[$0] == true }
  }
}

extension Exchange {
  /// The document of the request.
  fileprivate var document: String? {
    request.body.flatMap { try? JSONDocument(parsing: $0).root }?["query"]?.string
  }
}
