import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of status codes (GraphQL over HTTP, "Status codes").
///
/// The specification used 400 for an invalid document until April 2026, and the draft of August 2026 uses 422; both
/// pass. So does status 200 with application/json, which the older text recommends for all request errors.
enum HTTPStatusAudits {
  static let all: [Audit] = [
    Audit(
      .http, "parse-400", .should, "a document with a syntax error is refused with 400", .overHTTP("Status codes"),
      reason: "monitoring counts status 200 as success"
    ) { context in
      let exchange = try await RefusedRequest.syntaxError.send(context)
      try context.expect(exchange.status == 400 || exchange.isLegacyRefusal, exchange)
    },
    Audit(
      .http, "invalid-4xx", .should, "an invalid document and ill-typed variables are refused with 400 or 422",
      .overHTTP("Status codes"), reason: "graph-gophers answers data for an ill-typed variable"
    ) { context in
      for request in RefusedRequest.invalid {
        let exchange = try await request.send(context)
        try context.expect(
          [400, 422].contains(exchange.status) || exchange.isLegacyRefusal, exchange,
          found: "\(request.name): \(exchange.summary)")
      }
    },
    Audit(
      .http, "operation-4xx", .should, "an ambiguous, unknown or missing operation is refused with 400 or 422",
      .overHTTP("Status codes"), reason: "strawberry runs the first of two operations"
    ) { context in
      for request in RefusedRequest.withoutOperation {
        let exchange = try await request.send(context)
        try context.expect(
          [400, 422].contains(exchange.status) || exchange.isLegacyRefusal, exchange,
          found: "\(request.name): \(exchange.summary)")
      }
    },
    Audit(
      .http, "error-not-2xx", .must, "\(GraphQLMediaType.response) without data has a 4xx or 5xx status",
      .overHTTP("Status codes"), reason: "monitoring counts status 200 as success"
    ) { context in
      var isApplicable = false
      for request in RefusedRequest.all {
        let exchange = try await request.send(context, accept: GraphQLMediaType.response)
        guard exchange.isGraphQLType, exchange.response?["data"] == nil else { continue }
        isApplicable = true
        try context.expect(exchange.status >= 400, exchange, found: "\(request.name): \(exchange.summary)")
      }
      if !isApplicable { throw AuditStop.notApplicable("the server does not send \(GraphQLMediaType.response)") }
    },
  ]
}

extension Exchange {
  /// Whether the response has errors without data, with application/json and status 200 (GraphQL over HTTP until April
  /// 2026, "application/json").
  var isLegacyRefusal: Bool {
    status == 200 && mediaType.name == GraphQLMediaType.json && !errors.isEmpty && data == nil
  }
}

/// A request that a server rejects before executing it (GraphQL, section 7.1.2, request errors).
struct RefusedRequest: Sendable {
  let name: String
  let body: String

  static let syntaxError = RefusedRequest(name: "a syntax error", body: #"{"query":"{"}"#)
  static let invalid = [
    RefusedRequest(name: "an unknown field", body: #"{"query":"{ auditUnknownField }"}"#),
    RefusedRequest(
      name: "a missing variable", body: #"{"query":"query Q($name: String!) { __type(name: $name) { name } }"}"#),
    RefusedRequest(
      name: "an ill-typed variable",
      body: #"{"query":"query Q($name: String!) { __type(name: $name) { name } }","variables":{"name":[1]}}"#),
  ]
  static let withoutOperation = [
    RefusedRequest(
      name: "two operations without a name", body: #"{"query":"query A { a: __typename } query B { b: __typename }"}"#),
    RefusedRequest(name: "an unknown operation", body: #"{"query":"query A { __typename }","operationName":"B"}"#),
    RefusedRequest(name: "an empty document", body: #"{"query":""}"#),
    RefusedRequest(name: "fragments only", body: #"{"query":"fragment F on Query { __typename }"}"#),
  ]
  static let all = [syntaxError] + invalid + withoutOperation

  func send(_ context: AuditContext, accept: String = GraphQLMediaType.single) async throws -> Exchange {
    try await context.post(body, accept: accept)
  }
}
