import ApusASCII
import ApusClientNetwork
import ApusGraphQLLanguage
import ApusJSON

/// Audits of GET and of other methods (GraphQL over HTTP, "GET"; RFC 9110, section 9).
enum HTTPMethodAudits {
  static let all: [Audit] = [
    Audit(
      .http, "get", .may, "a query by GET is answered", .overHTTP("GET"),
      reason: "the audits of GET do not apply to servers without it"
    ) { context in
      throw AuditStop.reported(try await supportsGET(context) ? "supported" : "not supported")
    },
    Audit(
      .http, "get-variables", .must, "variables in the URL are decoded once; broken JSON is refused with 4xx",
      .overHTTP("GET"), reason: "double decoding, status 500"
    ) { context in
      let query = "query Q($name: String!) { __type(name: $name) { name } __typename }"
      try await requireGET(context)
      let plain = try await context.get(
        [("query", query), ("variables", #"{"name":"String"}"#)], headers: preflight)
      if plain.errors.isEmpty { try context.expect(plain.data?["__type"]?["name"]?.string == "String", plain) }
      let encoded = PercentEncoding.encoded(query)
      // A plus sign is a space, which is allowed between the tokens of JSON.
      let plus = try await context.get(
        [("query", encoded), ("variables", "%7B%22name%22:+%22String%22%7D")], isEncoded: true, headers: preflight)
      try context.expect(plus.isSuccess, plus)
      // If it were decoded twice, this would be the type String.
      let twice = try await context.get(
        [("query", query), ("variables", #"{"name":"Str%69ng"}"#)], headers: preflight)
      try context.expect(twice.isSuccess && twice.data?["__type"]?["name"] == nil, twice)
      let broken = try await context.get([("query", query), ("variables", "{")], headers: preflight)
      try context.expect(broken.isClientError || broken.isLegacyRefusal, broken)
    },
    Audit(
      .http, "get-empty", .should,
      "empty variables, operationName and extensions are treated as absent", .overHTTP("GET"),
      reason: "strawberry answers 400"
    ) { context in
      try await requireGET(context)
      for name in ["variables", "operationName", "extensions"] {
        let exchange = try await context.get(
          [("query", AuditContext.typename), (name, "")], headers: preflight)
        try context.expect(exchange.hasDataAlone, exchange, found: "\(name): \(exchange.summary)")
      }
    },
    Audit(
      .http, "get-mutation", .must, "a mutation by GET is refused with 4xx and not run", .overHTTP("GET"),
      reason: "graphql-go handler #87, api-platform #1188, DGS #1638: links change data"
    ) { context in
      let exchange = try await mutationByGET(context)
      try context.expect(exchange.isClientError, exchange)
      let mutation = try context.userOperation(.mutation)
      guard let name = Document(parsing: mutation).operations.first?.name?.value else { return }
      let chosen = try await context.get(
        [("query", "query ApusAudit { __typename } \(mutation)"), ("operationName", name)], headers: preflight)
      try context.expect(chosen.isClientError, chosen)
    },
    Audit(
      .http, "get-mutation-405", .should, "a mutation by GET is refused with 405", .overHTTP("GET"),
      reason: "status 400"
    ) { context in
      let exchange = try await mutationByGET(context)
      try context.expect(exchange.status == 405, exchange)
    },
    Audit(
      .http, "method", .should, "PUT is refused with 405", .overHTTP("Status codes"), reason: "graph-gophers runs it"
    ) { context in
      let exchange = try await put(context)
      try context.expect(exchange.status == 405, exchange)
    },
    Audit(
      .http, "method-allow", .must, "a response with 405 has an Allow field", .rfc(9110, "section 15.5.6"),
      reason: "strawberry leaves it out"
    ) { context in
      let exchange = try await put(context)
      guard exchange.status == 405 else { throw AuditStop.notApplicable("PUT is not answered with 405") }
      try context.expect(exchange.head?.headers["Allow"] != nil, exchange, found: "no Allow field")
    },
    Audit(
      .http, "head", .must, "HEAD is answered without a body", .rfc(9110, "section 9.3.2"),
      reason: "the next response on the connection is misread"
    ) { context in
      let exchange = try await context.get([("query", AuditContext.typename)], method: "HEAD", headers: preflight)
      try context.expect(exchange.failure == nil && exchange.body.isEmpty, exchange)
      let next = try await context.exchange(exchange.request)
      try context.expect(next.failure == nil, next)
    },
  ]

  /// The header fields that servers with CSRF prevention require for GET.
  private static let preflight = [("Apollo-Require-Preflight", "true"), ("GraphQL-Preflight", "1")]

  private static func put(_ context: AuditContext) async throws -> Exchange {
    try await context.post(HTTPRequestAudits.typenameBody, method: "PUT")
  }

  private static func supportsGET(_ context: AuditContext) async throws -> Bool {
    let exchange = try await context.get([("query", AuditContext.typename)], headers: preflight)
    return exchange.data != nil
  }

  private static func requireGET(_ context: AuditContext) async throws {
    guard try await supportsGET(context) else { throw AuditStop.notApplicable("the server does not answer GET") }
  }

  private static func mutationByGET(_ context: AuditContext) async throws -> Exchange {
    let mutation = try context.userOperation(.mutation)
    try await requireGET(context)
    return try await context.get([("query", mutation)], headers: preflight)
  }
}
