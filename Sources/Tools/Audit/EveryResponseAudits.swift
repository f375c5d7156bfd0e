import ApusGraphQLMediaTypes
import ApusClientNetwork
import ApusJSON

/// Audits that examine every response of the run, and therefore run last.
enum EveryResponseAudits {
  static let all: [Audit] = [
    Audit(
      .http, "length", .must, "each body has the length that the head promised", .rfc(9110, "section 8.6"),
      reason: "clients see cut bodies, or wait for bytes that never arrive"
    ) { context in
      guard context.exchanges.contains(where: { $0.head != nil }) else {
        throw AuditStop.notApplicable("no response arrived")
      }
      for exchange in context.exchanges {
        if case .interrupted(_, let count)? = exchange.failure, count > 0 { try context.expect(false, exchange) }
        if case .notHTTP? = exchange.failure { try context.expect(false, exchange) }
      }
    },
    Audit(
      .http, "data-2xx", .must, "a response with data has a 2xx status", .overHTTP("Status codes"),
      reason: "clients drop the data of an error status"
    ) { context in
      for exchange in context.completeExchanges where exchange.isGraphQLType && exchange.data != nil {
        try context.expect(exchange.isSuccess, exchange)
      }
    },
    Audit(
      .http, "partial-status", .should, "data with errors has status 200 or 294", .overHTTP("Status codes"),
      reason: "status 500 for a response that has data"
    ) { context in
      let partial = context.completeExchanges.filter { $0.data != nil && !$0.errors.isEmpty }
      guard !partial.isEmpty else { throw AuditStop.notApplicable("no response had data and errors") }
      for exchange in partial { try context.expect([200, 294].contains(exchange.status), exchange) }
    },
    Audit(
      .errors, "map", .must, "a response has data, errors and extensions only, and one of the first two",
      .graphQL("7.1.7, Additional Entries"), reason: "strawberry answers an unknown operation with plain text"
    ) { context in
      for exchange in try context.responses() {
        let keys = exchange.json?.keys ?? []
        let additional = keys.filter { !["data", "errors", "extensions"].contains($0) }
        try context.expect(
          additional.isEmpty, exchange, found: "the members \(additional.joined(separator: ", "))",
          proof: additional.first.flatMap(exchange.range(ofMember:)))
        try context.expect(exchange.response != nil, exchange)
      }
    },
    Audit(
      .errors, "not-empty", .must, "errors is absent or a list with items", .graphQL("7.1.1, Execution Result"),
      reason: "clients treat an empty list as a failure"
    ) { context in
      for exchange in try context.responses() {
        guard let errors = exchange.response?["errors"] else { continue }
        try context.expect(
          errors.kind == .array && errors.count > 0, exchange, found: "errors: \(errors.shortText)",
          proof: exchange.range(ofMember: "errors"))
      }
    },
    Audit(
      .errors, "shape", .must, "an error has a message, and extensions that are absent or a map",
      .graphQL("7.1.5, Errors"), reason: "strawberry writes extensions: null in payloads"
    ) { context in
      try context.expectEachError { error in
        let extensions = error["extensions"]
        if error["message"]?.string == nil { return "an error without message: \(error.shortText)" }
        if let extensions, extensions.kind != .object { return "extensions: \(extensions.shortText)" }
        return nil
      }
    },
    Audit(
      .errors, "entries", .should, "an error has message, locations, path and extensions only",
      .graphQL("7.1.5, Errors"), reason: "a code next to the message is lost by typed clients"
    ) { context in
      try context.expectEachError { error in
        let additional = error.keys.filter { !["message", "locations", "path", "extensions"].contains($0) }
        return additional.isEmpty ? nil : "the members \(additional.joined(separator: ", "))"
      }
    },
  ]
}

extension AuditContext {
  /// The exchanges whose bodies were kept.
  var completeExchanges: [Exchange] { exchanges.filter(\.hasBody) }

  /// Returns the exchanges with a single JSON response; not applicable if there are none.
  func responses() throws(AuditStop) -> [Exchange] {
    let found = completeExchanges.filter { exchange in
      guard exchange.failure == nil, exchange.request.method != "HEAD", exchange.json?.kind != .array else {
        return false
      }
      return exchange.isGraphQLType || exchange.response != nil && exchange.isJSON
    }
    if found.isEmpty { throw AuditStop.notApplicable("no JSON response arrived") }
    return found
  }

  /// Fails with the first error for which `problem` returns a description.
  func expectEachError(_ problem: (JSONValue) -> String?) throws(AuditStop) {
    let errors = completeExchanges.flatMap { exchange in exchange.everyError.map { (exchange, $0) } }
    if errors.isEmpty { throw AuditStop.notApplicable("no response had errors") }
    for (exchange, error) in errors {
      if let problem = problem(error) {
        let text = JSONWriter.compact(error)
        try expect(
          false, exchange, found: problem, proof: exchange.range(of: text) ?? exchange.range(ofMember: "errors"))
      }
    }
  }
}

extension Exchange {
  /// All errors that the response reports, in a multipart response those of every payload.
  var everyError: [JSONValue] {
    guard failure == nil else { return [] }
    guard mediaType.isMultipart else { return isJSON ? errors : [] }
    return MultipartBody(body, boundary: mediaType.boundary).parts.compactMap(\.json).flatMap { payload in
      let entries = ["incremental", "completed"].flatMap { payload[$0]?.elements ?? [] }
      return ([payload, payload["payload"] ?? .null] + entries).flatMap { $0["errors"]?.elements ?? [] }
    }
  }
}
