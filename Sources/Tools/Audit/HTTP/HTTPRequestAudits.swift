import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of the parameters of a request (GraphQL over HTTP, "POST" and "Request Parameters").
enum HTTPRequestAudits {
  static let all: [Audit] = [
    Audit(
      .http, "request-utf8", .must, "a charset of utf-8, quoted or not, or none is accepted", .overHTTP("POST"),
      reason: "a quoted charset gets 415"
    ) { context in
      for type in ["application/json", "application/json; charset=utf-8", "application/json; charset=\"UTF-8\""] {
        let exchange = try await context.post(typenameBody, contentType: type)
        try context.expect(exchange.status == 200, exchange, found: "\(type): \(exchange.summary)")
      }
    },
    Audit(
      .http, "no-content-type", .should, "a body without Content-Type is refused with 4xx", .overHTTP("POST"),
      reason: "graph-gophers runs it, so a form of another site can send it"
    ) { context in
      let exchange = try await context.post(typenameBody, contentType: nil)
      try context.expect(exchange.isClientError, exchange)
    },
    Audit(
      .http, "content-type-415", .should, "application/xml is refused with 415", .overHTTP("Status codes"),
      reason: "strawberry and ariadne answer 400"
    ) { context in
      let exchange = try await context.post(typenameBody, contentType: "application/xml")
      try context.expect(exchange.status == 415, exchange)
    },
    Audit(
      .http, "csrf-simple", .should, "content types that need no preflight are refused with 4xx",
      .overHTTP("Security"), reason: "graph-gophers runs text/plain: other sites can send operations"
    ) { context in
      let plain = try await context.post(typenameBody, contentType: "text/plain")
      let form = try await context.post(
        "query=%7B__typename%7D", contentType: "application/x-www-form-urlencoded")
      for exchange in [plain, form] { try context.expect(exchange.isClientError, exchange) }
    },
    Audit(
      .http, "csrf-get", .may, "a GET from another site without a custom header is refused",
      .other("Apollo Router documentation", "CSRF prevention"), reason: "reported as open or closed"
    ) { context in
      let exchange = try await context.get(
        [("query", AuditContext.typename)], headers: [("Origin", "https://audit.invalid")])
      throw AuditStop.reported(exchange.isClientError ? "refused" : "open: queries by GET run from any site")
    },
    Audit(
      .http, "body-shape", .must, "a body that is not a JSON object is refused with 4xx", .overHTTP("JSON Encoding"),
      reason: "strawberry answers 500"
    ) { context in
      for body in ["", "3", "\"x\"", "null"] {
        let exchange = try await context.post(body)
        try context.expect(
          exchange.isClientError || exchange.isLegacyRefusal, exchange,
          found: "\(body.isEmpty ? "empty" : body): \(exchange.summary)")
      }
    },
    Audit(
      .http, "body-bad-json", .should, "a body that is not JSON is refused with 400", .overHTTP("Status codes"),
      reason: "pages with status 500"
    ) { context in
      let exchange = try await context.post("{ \"not")
      try context.expect(exchange.status == 400, exchange)
    },
    Audit(
      .http, "body-bad-json-type", .must, "\(GraphQLMediaType.response) is used for response maps only",
      .overHTTP("Body"), reason: "text labeled as a GraphQL response"
    ) { context in
      let exchange = try await context.post("{ \"not", accept: GraphQLMediaType.response)
      try context.expect(!exchange.isGraphQLType || exchange.response != nil, exchange)
    },
    Audit(
      .http, "query-type", .must, "a query that is absent or no string is refused with 4xx",
      .overHTTP("Request Parameters"), reason: "a request without a query is run"
    ) { context in
      for body in ["{}", #"{"query":{}}"#, #"{"query":0}"#, #"{"query":false}"#, #"{"query":[]}"#] {
        let exchange = try await context.post(body)
        try context.expect(
          exchange.isClientError || exchange.isLegacyRefusal, exchange, found: "\(body): \(exchange.summary)")
      }
    },
    Audit(
      .http, "parameter-type", .should, "operationName and variables of a wrong type are refused with 4xx",
      .overHTTP("Request Parameters"), reason: "0 is used as a name, a list of variables is ignored"
    ) { context in
      for (name, values) in [
        ("operationName", ["{}", "0", "false", "[]"]), ("variables", ["\"\"", "0", "false", "[]"]),
      ] {
        for value in values {
          let exchange = try await context.post(#"{"query":"{ __typename }","\#(name)":\#(value)}"#)
          try context.expect(
            exchange.isClientError || exchange.isLegacyRefusal, exchange,
            found: "\(name) \(value): \(exchange.summary)")
        }
      }
    },
    Audit(
      .http, "extensions-type", .may, "extensions of a wrong type are refused", .overHTTP("Request Parameters"),
      reason: "six of eight servers ignore them"
    ) { context in
      var accepted: [String] = []
      for value in ["\"\"", "0", "false", "[]"] {
        let exchange = try await context.post(#"{"query":"{ __typename }","extensions":\#(value)}"#)
        if !exchange.isClientError { accepted.append(value) }
      }
      throw AuditStop.reported(accepted.isEmpty ? "refused" : "accepted: \(accepted.joined(separator: " "))")
    },
    Audit(
      .http, "optional-null", .must, "null variables, operationName and extensions are treated as absent",
      .overHTTP("JSON Encoding"), reason: "serializers that write every member"
    ) { context in
      for name in ["variables", "operationName", "extensions"] {
        let exchange = try await context.post(#"{"query":"{ __typename }","\#(name)":null}"#)
        try context.expect(exchange.hasDataAlone, exchange, found: "\(name): \(exchange.summary)")
      }
    },
    Audit(
      .http, "operation-name-empty", .should, "an empty operationName gives data, or an error",
      .graphQL("6.1, GetOperation"), reason: "Apollo Router #4837 answers data: null"
    ) { context in
      let exchange = try await context.post(#"{"query":"{ __typename }","operationName":""}"#)
      // Another audit checks whether the data is null.
      let isRefused = !exchange.errors.isEmpty || exchange.isClientError
      try context.expect(exchange.data != nil || isRefused, exchange)
    },
    Audit(
      .http, "extra-members", .must, "unknown members and unknown extensions are ignored", .overHTTP("JSON Encoding"),
      reason: "clients send extensions that a server does not know"
    ) { context in
      for member in [#""extensions":{"audit":1}"#, #""audit":1"#] {
        let exchange = try await context.post(#"{"query":"{ __typename }",\#(member)}"#)
        try context.expect(exchange.hasDataAlone, exchange)
      }
    },
    Audit(
      .http, "parameters-used", .must, "variables and operationName are used", .overHTTP("Request Parameters"),
      reason: "the first operation runs whatever was named"
    ) { context in
      let document = "query Q($name: String!) { __type(name: $name) { name } }"
      let byVariable = try await context.run(document, variables: ["name": "String"])
      let name = byVariable.data?["__type"]?["name"]?.string
      if byVariable.errors.isEmpty { try context.expect(name == "String", byVariable) }
      let chosen = try await context.run("query A { a: __typename } query B { b: __typename }", operationName: "B")
      try context.expect(chosen.data?["b"] != nil && chosen.data?["a"] == nil, chosen)
    },
    Audit(
      .http, "batch", .may, "a list of requests gets a list of responses, or 4xx",
      .other("GraphQL over HTTP batching (RFC)"), reason: "merged answers, status 500"
    ) { context in
      let batch = "[\(typenameBody),\(#"{"query":"{ b: __typename }"}"#)]"
      let exchange = try await context.post(batch)
      let empty = try await context.post("[]")
      let responses = exchange.json?.elements ?? []
      let isBatch = responses.count == 2 && responses[1]["data"]?["b"] != nil
      let verdict = isBatch ? "supported" : exchange.isClientError ? "refused" : "unexpected: \(exchange.summary)"
      throw AuditStop.reported("\(verdict); an empty list: status \(empty.status)")
    },
    Audit(
      .http, "introspection", .may, "introspection is answered or refused", .graphQL("4"),
      reason: "reported: an open schema may be meant for development only"
    ) { context in
      let exchange = try await context.run("{ __schema { queryType { name } } }")
      throw AuditStop.reported(exchange.data?["__schema"]?["queryType"] != nil ? "open" : "closed")
    },
  ]

  static let typenameBody = #"{"query":"{ __typename }"}"#
}

extension Exchange {
  var hasDataAlone: Bool { isSuccess && data != nil && response?["errors"] == nil }
}
