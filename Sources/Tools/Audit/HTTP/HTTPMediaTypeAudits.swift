import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of content negotiation, media types and encodings (GraphQL over HTTP, "Accept" and "Body").
enum HTTPMediaTypeAudits {
  static let all: [Audit] = [
    Audit(
      .http, "accept-response-json", .should, "\(GraphQLMediaType.response) is answered with that type",
      .overHTTP("Body"), reason: "strawberry, ariadne and graph-gophers answer application/json"
    ) { context in
      let exchange = try await context.run(AuditContext.typename, accept: GraphQLMediaType.response)
      try context.expect(exchange.status == 200 && exchange.isGraphQLType, exchange)
    },
    Audit(
      .http, "accept-json", .should, "application/json is answered with status 200 and that type", .overHTTP("Body"),
      reason: "clients that read one type break on servers that send another"
    ) { context in
      let exchange = try await context.run(AuditContext.typename, accept: GraphQLMediaType.json)
      try context.expect(exchange.status == 200 && exchange.mediaType.name == GraphQLMediaType.json, exchange)
    },
    Audit(
      .http, "accept-any", .should, "*/* and an absent Accept are answered with JSON", .overHTTP("Accept"),
      reason: "curl gets an HTML page"
    ) { context in
      for accept in ["*/*", nil] {
        let exchange = try await context.run(AuditContext.typename, accept: accept)
        try context.expect(exchange.status == 200 && exchange.isJSON, exchange)
      }
    },
    Audit(
      .http, "accept-quality", .must, "the preferred type is sent, and never a refused one",
      .rfc(9110, "sections 12.4.2 and 12.5.1"), reason: "servers that search Accept for a substring"
    ) { context in
      let (response, json) = (GraphQLMediaType.response, GraphQLMediaType.json)
      let cases = [
        (accept: "\(json);q=0.1, \(response);q=0.9", preferred: response, refused: String?.none),
        ("\(response);q=0.1, \(json);q=0.9", json, nil), ("\(response);q=0, \(json)", json, response),
        ("Application/JSON", json, nil),
      ]
      let supportsResponse = try await context.run(AuditContext.typename, accept: response).isGraphQLType
      let supportsJSON = try await context.run(AuditContext.typename, accept: json).mediaType.name == json
      for (accept, preferred, refused) in cases {
        let exchange = try await context.run(AuditContext.typename, accept: accept)
        let type = exchange.mediaType.name
        // A server with a single type may send it to every client that accepts it.
        let isRight = type == preferred || !supportsResponse && type == json || !supportsJSON && type == response
        // Such a server may also ignore the header field.
        let isRefused = type == refused && supportsJSON
        try context.expect(exchange.status == 406 || isRight && !isRefused, exchange, found: "\(accept): \(type)")
      }
    },
    Audit(
      .http, "accept-unsupported", .must, "image/png is answered with 406 or a complete response", .overHTTP("Body"),
      reason: "status 500"
    ) { context in
      let exchange = try await context.run(AuditContext.typename, accept: "image/png")
      try context.expect(exchange.isClientError || exchange.data != nil, exchange)
    },
    Audit(
      .http, "accept-unsupported-406", .should, "image/png is answered with 406", .overHTTP("Status codes"),
      reason: "seven of eight servers that were tried answer 200"
    ) { context in
      let exchange = try await context.run(AuditContext.typename, accept: "image/png")
      try context.expect(exchange.status == 406, exchange)
    },
    Audit(
      .http, "content-type", .must, "a response has a Content-Type and is UTF-8 without byte order mark",
      .overHTTP("Body"), reason: "clients guess the encoding"
    ) { context in
      let document = #"{ __type(name: "😀") { name } __typename }"#
      for document in [AuditContext.typename, document] {
        let exchange = try await context.run(document)
        let isText = String(validating: exchange.body, as: UTF8.self) != nil
        try context.expect(!exchange.contentType.isEmpty, exchange, found: "no Content-Type")
        try context.expect(isText, exchange, found: "the body is not UTF-8")
        try context.expect(!exchange.body.starts(with: [0xEF, 0xBB, 0xBF]), exchange, found: "a byte order mark")
      }
    },
    Audit(
      .http, "charset", .should, "the Content-Type names charset=utf-8", .overHTTP("Body"),
      reason: "strawberry, ariadne and graph-gophers leave it out"
    ) { context in
      let exchange = try await context.run(AuditContext.typename)
      let charset = exchange.mediaType["charset"]?.lowercased()
      try context.expect(charset == "utf-8", exchange, found: exchange.contentType)
    },
    Audit(
      .http, "cors-credentials", .should, "an arbitrary Origin is not echoed together with credentials",
      .other("Fetch Standard", "CORS protocol and credentials"), reason: "any page can read as the signed-in user"
    ) { context in
      let origin = "https://audit.invalid"
      let exchange = try await context.run(AuditContext.typename, headers: [("Origin", origin)])
      let headers = exchange.head?.headers
      let isOpen =
        headers?["Access-Control-Allow-Origin"] == origin
        && headers?["Access-Control-Allow-Credentials"]?.lowercased() == "true"
      try context.expect(!isOpen, exchange, found: "\(origin) is allowed with credentials")
    },
    Audit(
      .http, "compression", .must, "gzip, br and no encoding are decoded, and no other encoding is sent",
      .rfc(9110, "section 12.5.3"), reason: "gzip for clients that did not accept it"
    ) { context in
      for accepted in ["gzip", "br", "identity"] {
        let exchange = try await context.run(AuditContext.typename, headers: [("Accept-Encoding", accepted)])
        let encoding = exchange.head?.headers["Content-Encoding"]?.lowercased() ?? "identity"
        try context.expect(
          encoding == accepted || encoding == "identity", exchange, found: "\(encoding) was sent for \(accepted)")
        try context.expect(exchange.data != nil, exchange)
      }
    },
    Audit(
      .http, "http2", .must, "an HTTP/2 response has no Transfer-Encoding and no Connection field",
      .rfc(9113, "section 8.2.2"), reason: "the client resets the stream"
    ) { context in
      let exchange = try await context.run(AuditContext.typename)
      if let failure = exchange.failure {
        // The client rejects such header fields, and then has no response.
        var request = exchange.request
        request.connection.version = .http1
        let other = try await context.exchange(request)
        try context.expect(
          other.failure != nil, exchange, found: "\(failure), but status \(other.status) over HTTP/1.1")
      }
      guard let head = exchange.head, head.version.hasPrefix("2") else {
        throw AuditStop.notApplicable("HTTP/2 was not negotiated")
      }
      for name in ["Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection", "Upgrade"] {
        try context.expect(head.headers[name] == nil, exchange, found: "the field \(name)")
      }
    },
  ]
}

extension Exchange {
  var isJSON: Bool { mediaType.name == GraphQLMediaType.json || isGraphQLType }
}
