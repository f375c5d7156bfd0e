import ApusGraphQLMediaTypes

extension ServerRequest {
  fileprivate var isForm: Bool { header("Content-Type")?.hasPrefix("multipart/form-data") ?? false }
  /// Whether the request contains the hash of a persisted query without its text.
  fileprivate var isHashAlone: Bool { has("persistedQuery") && !has(#""query""#) }
}

extension ServerBreak {
  /// A hash that no audit registers.
  private static let unseenHash = String(repeating: "a0", count: 32)
  private static let typename = #"{"query":"{ __typename }"}"#

  /// Responds with a status if a condition holds.
  private static func status(_ status: Int, if applies: @escaping @Sendable (ServerRequest) -> Bool) -> Hook {
    .head { request, answer in if applies(request) { answer.status = status } }
  }

  /// Changes a header field of the request if it has a value.
  private static func field(_ name: String, _ old: String?, to new: String?) -> Hook {
    .request { request in if request.header(name) == old { request.set(name, new) } }
  }

  private static func replaced(_ old: String, by new: String) -> Hook {
    .request { $0.replace(old, new) }
  }

  static let http: [ServerBreak] = [
    ServerBreak(
      "http-accept-response-json",
      .head { request, answer in
        if request.accept == GraphQLMediaType.response, request.text == typename {
          answer.set("Content-Type", "application/json")
        }
      }),
    ServerBreak(
      "http-accept-json",
      .head { request, answer in
        if request.accept == GraphQLMediaType.json, request.text == typename { answer.set("Content-Type", "text/json") }
      }),
    ServerBreak(
      "http-accept-any",
      .head { request, answer in
        if request.accept == "*/*", request.text == typename { answer.set("Content-Type", "text/html") }
      }),
    ServerBreak(
      "http-accept-quality",
      .request { request in
        if request.accept.contains("q=0.1") {
          request.set(
            "Accept", request.accept.hasPrefix("application/json") ? "application/json" : GraphQLMediaType.response)
        }
      }),
    ServerBreak(
      "http-accept-unsupported", companions: ["http-accept-unsupported-406"], status(500) { $0.accept == "image/png" }),
    ServerBreak("http-accept-unsupported-406", field("Accept", "image/png", to: "application/json")),
    ServerBreak(
      "http-content-type", .head { request, answer in if request.has("😀") { answer.set("Content-Type", nil) } }),
    ServerBreak(
      "http-charset",
      .head { request, answer in
        if request.acceptsBoth, request.text == typename { answer.set("Content-Type", GraphQLMediaType.response) }
      }),
    ServerBreak(
      "http-cors-credentials",
      .head { request, answer in
        guard let origin = request.header("Origin"), request.method == "POST" else { return }
        answer.set("Access-Control-Allow-Origin", origin)
        answer.set("Access-Control-Allow-Credentials", "true")
      }),
    ServerBreak(
      "http-compression",
      .head { request, answer in if request.header("Accept-Encoding") == "br" { answer.set("Content-Encoding", "gzip") }
      }),
    ServerBreak(
      "http-request-utf8", companions: ["http-data-2xx"],
      status(415) { $0.header("Content-Type")?.contains("\"") ?? false }),
    ServerBreak("http-no-content-type", field("Content-Type", nil, to: "application/json")),
    ServerBreak("http-content-type-415", status(400) { $0.header("Content-Type") == "application/xml" }),
    ServerBreak("http-csrf-simple", field("Content-Type", "text/plain", to: "application/json")),
    ServerBreak("http-body-shape", status(500) { $0.text == "null" }),
    ServerBreak("http-body-bad-json", status(500) { $0.text == "{ \"not" }),
    ServerBreak(
      "http-body-bad-json-type", companions: ["errors-map"],
      .text { request, text in
        request.text == "{ \"not" && request.accept == GraphQLMediaType.response ? "no JSON" : text
      }),
    ServerBreak("http-query-type", replaced(#"{"query":0}"#, by: typename)),
    ServerBreak("http-parameter-type", replaced(#","variables":[]"#, by: "")),
    ServerBreak(
      "http-optional-null", companions: ["http-data-2xx"],
      status(400) { $0.has(#""extensions":null"#) && $0.header("Upgrade") == nil }),
    ServerBreak(
      "http-operation-name-empty",
      .text { request, text in request.has(#""operationName":"""#) ? #"{"data":null}"# : text }),
    ServerBreak("http-extra-members", companions: ["http-data-2xx"], status(400) { $0.has(#""audit":1"#) }),
    ServerBreak(
      "http-parameters-used",
      .request { request in
        if request.has("query B {") { request.replace(#""operationName":"B""#, #""operationName":"A""#) }
      }),
    ServerBreak("http-get-variables", status(500) { $0.query["variables"] == "{" }),
    ServerBreak("http-get-empty", companions: ["http-data-2xx"], status(400) { $0.query["variables"] == "" }),
    ServerBreak(
      "http-get-mutation", companions: ["http-get-mutation-405"],
      .request { request in
        guard request.method == "GET", request.query["query"]?.contains("mutation") ?? false else { return }
        request.query["query"] = "{ __typename }"
        request.query["operationName"] = nil
      }),
    ServerBreak(
      "http-get-mutation-405",
      status(400) { $0.method == "GET" && $0.query["query"]?.contains("mutation") ?? false }),
    ServerBreak("http-method", .request { request in if request.method == "PUT" { request.method = "POST" } }),
    ServerBreak("http-method-allow", .head { _, answer in answer.set("Allow", nil) }),
    ServerBreak("http-parse-400", status(200) { $0.acceptsBoth && $0.text == #"{"query":"{"}"# }),
    ServerBreak("http-invalid-4xx", status(200) { $0.acceptsBoth && $0.text == #"{"query":"{ auditUnknownField }"}"# }),
    ServerBreak("http-operation-4xx", status(200) { $0.acceptsBoth && $0.text == #"{"query":""}"# }),
    ServerBreak(
      "http-error-not-2xx", status(200) { $0.accept == GraphQLMediaType.response && $0.text == #"{"query":"{"}"# }),
    ServerBreak("http-data-2xx", status(400) { $0.has("query B {") && $0.has("operationName") }),
    ServerBreak(
      "http-partial-status", companions: ["http-data-2xx"],
      status(500) { $0.acceptsBoth && $0.has(#"{ faults { optional } }"#) }),
  ]

  /// Changes the response to requests whose body contains a text.
  private static func response(
    to part: String, _ old: String, _ new: String, accepts: String? = nil
  ) -> Hook {
    .text { request, text in
      request.has(part) && (accepts == nil || request.accept == accepts) ? text.replacing(old, with: new) : text
    }
  }

  static let responses: [ServerBreak] = [
    ServerBreak("errors-map", response(to: "z: __typename", #"{"data""#, #"{"more":1,"data""#)),
    ServerBreak("errors-request-no-data", response(to: #"{"query":"{"}"#, #"{"errors""#, #"{"data":null,"errors""#)),
    ServerBreak("errors-not-empty", response(to: "z: __typename", #"{"data""#, #"{"errors":[],"data""#)),
    ServerBreak(
      "errors-shape",
      response(
        to: #"{\n  auditUnknownField\n}"#, #""extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}"#, #""extensions":null"#)
    ),
    ServerBreak("errors-entries", response(to: #"{\n  auditUnknownField\n}"#, #"{"message""#, #"{"code":1,"message""#)),
    ServerBreak("errors-locations", response(to: #"{\n  auditUnknownField\n}"#, #""line":2"#, #""line":1"#)),
    ServerBreak("errors-path", response(to: "{ audit: faults", #""path":["audit""#, #""path":["faults""#)),
    ServerBreak(
      "errors-propagation",
      response(to: #"{"query":"{ faults { optional required"#, #""data":null"#, #""data":{"faults":null}"#)),
    ServerBreak(
      "errors-null-at-path",
      response(
        to: #"{"query":"{ faults { optional required"#, #""data":null"#,
        #""data":{"faults":{"optional":"","required":"","list":[],"late":""}}"#)),
    ServerBreak(
      "errors-data-shape",
      .text { request, text in
        let isProbe = request.has(#""{ stations {"#) && !request.has("...") && !request.has("  ")
        return isProbe ? text.replacing(#""stations":[{"#, with: #""stations":[{"more":1,"#) : text
      }),
    ServerBreak(
      "errors-order", response(to: "z: __typename", #"{"z":"Query","a":"Query"}"#, #"{"a":"Query","z":"Query"}"#)),
  ]

  static let others: [ServerBreak] = [
    ServerBreak(
      "uploads-csrf",
      .request { request in
        guard request.isForm, request.header("GraphQL-Preflight") == nil else { return }
        request.set("Content-Type", "application/json")
        request.body = Array(typename.utf8)
      }),
    ServerBreak("uploads-malformed", status(500) { $0.isForm && !$0.has("name=\"operations\"") }),
    ServerBreak("uploads-bad-path", status(500) { $0.isForm && $0.has("variables.audit") && $0.has("name=\"0\"") }),
    ServerBreak(
      "uploads-file-missing", status(500) { $0.isForm && $0.has("variables.audit") && !$0.has("name=\"0\"") }),
    ServerBreak(
      "uploads-files",
      replaced(
        #"{"0":["variables.photos.0"],"1":["variables.photos.1"]}"#,
        by: #"{"0":["variables.photos.1"],"1":["variables.photos.0"]}"#)),
    ServerBreak(
      "uploads-dedupe", replaced(#"["variables.photos.0","variables.photos.1"]"#, by: #"["variables.photos.0"]"#)),
    ServerBreak(
      "persisted-unknown-no-data",
      .text { request, text in
        request.isHashAlone ? text.replacing(#"{"errors""#, with: #"{"data":null,"errors""#) : text
      }),
    ServerBreak(
      "persisted-wrong-hash",
      .request { request in
        if request.has(unseenHash), request.has(#""version":1"#), request.has(#""query""#) {
          request.body = Array(typename.utf8)
        }
      }),
    ServerBreak(
      "persisted-known",
      .request { request in
        if request.method == "POST", request.isHashAlone { request.replace(#""sha256Hash":""#, #""sha256Hash":"0"#) }
      }),
    ServerBreak(
      "persisted-version",
      .request { request in if request.has(#""version":2"#) { request.body = Array(typename.utf8) } }),
    ServerBreak(
      "persisted-get-mutation",
      .request { request in
        guard request.method == "GET", let extensions = request.query["extensions"] else { return }
        request.method = "POST"
        request.set("Content-Type", "application/json")
        request.body = Array("{\"extensions\":\(extensions)}".utf8)
      }),
    ServerBreak(
      "paging-has-next", response(to: "first: 2, after:", #""hasNextPage":false"#, #""hasNextPage":true"#)),
    ServerBreak("paging-last", .request { $0.replace("last: 1, before:", "first: 1, before:") }),
    ServerBreak("paging-first", .request { $0.replace("first: 2)", "first: 3)") }),
    ServerBreak("paging-cursors", response(to: "birds(first: 2)", #""endCursor":""#, #""endCursor":"x"#)),
    ServerBreak("paging-continues", .request { $0.replace("first: 4)", "first: 5)") }),
    ServerBreak(
      "paging-no-next-empty", companions: ["paging-continues", "paging-last"],
      .text { request, text in
        guard request.has("first: 2, after:"), let start = text.firstRange(of: "\"edges\":["),
          let end = text.firstRange(of: "],\"pageInfo\"")
        else { return text }
        return String(text[..<start.upperBound] + text[end.lowerBound...])
      }),
    ServerBreak(
      "paging-no-repeats", companions: ["paging-continues", "paging-has-next", "paging-last"],
      .request { request in
        guard let start = request.text.firstRange(of: ", after:"),
          let end = request.text[start.upperBound...].firstIndex(of: ")")
        else { return }
        request.body = Array((request.text[..<start.lowerBound] + request.text[end...]).utf8)
      }),
    ServerBreak("paging-negative", .request { $0.replace("first: -1", "first: 1") }),
    ServerBreak(
      "paging-has-previous", response(to: "last: 2", #""hasPreviousPage":true"#, #""hasPreviousPage":false"#)),
    ServerBreak("paging-capped", response(to: "{ birds { edges", #""hasNextPage":true"#, #""hasNextPage":false"#)),
    ServerBreak("paging-node", response(to: "{ node(id:", #""__typename":""#, #""__typename":"Other"#)),
  ]
}
