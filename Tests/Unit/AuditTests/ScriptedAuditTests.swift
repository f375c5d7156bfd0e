import ApusClientAPI
import ApusClientNetwork
import ApusTestSupport
import Testing

@testable import ApusAudit

/// Servers that break a single rule.
@Suite(.timeLimit(.minutes(2)))
struct ScriptedAuditTests {
  /// The audits whose rule the demo server cannot break.
  static let onlyHere: Set = [
    "http-http2", "http-head", "http-length", "incremental-directives", "paging-types",
  ]

  private static let data = #"{"data":{"__typename":"Query"}}"#

  private func expectFailure(
    _ id: String, _ found: String, location: SourceLocation = #_sourceLocation,
    _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedAnswer
  ) async throws {
    let outcome = try #require(try await AuditSubject.outcome(of: id, answer), sourceLocation: location)
    #expect(outcome.isFailure, "\(outcome)", sourceLocation: location)
    #expect(outcome.found?.hasText(found) == true, "\(outcome.found ?? "")", sourceLocation: location)
  }

  // MARK: HTTP

  @Test(arguments: [
    ("http-content-type", [("Content-Type", "application/json")], "\u{FEFF}\(data)", "a byte order mark"),
    ("http-charset", [("Content-Type", "application/json")], data, "application/json"),
    (
      "http-cors-credentials",
      [("Access-Control-Allow-Origin", "https://audit.invalid"), ("Access-Control-Allow-Credentials", "true")], data,
      "is allowed with credentials"
    ),
    ("http-compression", [("Content-Encoding", "br")], data, ""),
    ("http-accept-response-json", [("Content-Type", "application/json")], data, "status 200"),
    ("errors-order", [("Content-Type", "application/json")], #"{"data":{"a":"Query","z":"Query"}}"#, "status 200"),
    ("http-body-shape", [("Content-Type", "application/json")], data, "empty: status 200"),
    ("http-query-type", [("Content-Type", "application/json")], data, "status 200"),
    ("http-csrf-simple", [("Content-Type", "application/json")], data, "status 200"),
    ("http-parameters-used", [("Content-Type", "application/json")], data, "status 200"),
    ("errors-request-no-data", [("Content-Type", "application/json")], #"{"data":null,"errors":[{}]}"#, "syntax error"),
  ])
  func `a response that breaks a rule of HTTP or of errors is found`(
    _ id: String, _ headers: [(String, String)], _ body: String, _ found: String
  ) async throws {
    try await expectFailure(id, found) { _ in .response(headers: headers, framing: .contentLength, [.text(body)]) }
  }

  @Test func `a status without its required header field is found`() async throws {
    try await expectFailure("http-method-allow", "no Allow field") { _ in .json("{}", status: 405) }
  }

  @Test func `a refused request with a success status is found`() async throws {
    try await expectFailure("http-error-not-2xx", "a syntax error: status 200") { _ in
      .response(
        headers: [("Content-Type", "application/graphql-response+json")], framing: .contentLength,
        [.text(#"{"errors":[{"message":"no"}]}"#)])
    }
  }

  /// These rules apply to all responses, so another audit has to send a request first.
  @Test(arguments: [
    ("http-length", ScriptedAnswer.Framing.claiming(length: 500), data, ""),
    ("errors-map", .contentLength, #"{"data":{"__typename":"Query"},"more":1}"#, "the members more"),
    ("errors-not-empty", .contentLength, #"{"data":{"__typename":"Query"},"errors":[]}"#, "errors: []"),
    ("errors-shape", .contentLength, #"{"errors":[{"message":"m","extensions":null}]}"#, "extensions: null"),
    ("errors-entries", .contentLength, #"{"errors":[{"message":"m","code":1}]}"#, "the members code"),
  ])
  func `a rule for every response is checked on each`(
    _ id: String, _ framing: ScriptedAnswer.Framing, _ body: String, _ found: String
  ) async throws {
    let server = try ScriptedServer { _, _ in
      .response(headers: [("Content-Type", "application/json")], framing: framing, [.text(body)])
    }
    let audits = Audit.all.filter { ["http-accept-json", id].contains($0.id) }
    let results = try await AuditSubject.results(of: server.url, schema: nil, audits)
    let outcome = try #require(results.last?.outcome)
    #expect(outcome.isFailure && outcome.found?.hasText(found) == true, "\(outcome)")
  }

  // MARK: Schemas

  @Test func `directives with other types than the specified ones are found`() async throws {
    let schema = AuditSubject.schema(
      "directive @defer(if: String, label: String) on FRAGMENT_SPREAD type Query { a: Int }")
    let server = try ScriptedServer { _, _ in .json(Self.data) }
    let audits = Audit.all.filter { $0.id == "incremental-directives" }
    let outcome = try await AuditSubject.results(of: server.url, schema: schema, audits).first?.outcome
    #expect(outcome?.isFailure == true && outcome?.found == "@defer(if:) is String")
  }

  @Test func `a connection without a cursor and half of its page information is found`() async throws {
    let schema = AuditSubject.schema(
      """
      type Query { birds(first: Int): Birds }  type Birds { edges: [Edge] pageInfo: PageInfo }
      type Edge { node: Bird }  type Bird { id: ID }  type PageInfo { hasNextPage: Boolean endCursor: String }
      """)
    let server = try ScriptedServer { _, _ in
      .json(#"{"data":{"birds":{"edges":[{"node":{"id":"1"}}],"pageInfo":{"hasNextPage":false}}}}"#)
    }
    let audits = Audit.all.filter { $0.id == "paging-types" }
    let outcome = try await AuditSubject.results(of: server.url, schema: schema, audits).first?.outcome
    #expect(outcome?.isFailure == true)
    #expect(outcome?.found == "missing: cursor, hasPreviousPage, startCursor")
  }

  // MARK: Connections and encodings

  /// The bytes of the body come before the next response on the connection.
  @Test func `a body after HEAD is found`() async throws {
    let server = try ScriptedServer { _, index in
      let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(Self.data.utf8.count)\r\n\r\n"
      return .raw([.text(index == 0 ? head : "\(Self.data)\n\(head)")])
    }
    let audits = Audit.all.filter { $0.id == "http-head" }
    let outcome = try await AuditSubject.results(of: server.url, schema: nil, audits).first?.outcome
    #expect(outcome?.isFailure == true, "\(String(describing: outcome?.found))")
  }

  @Test(arguments: ["", "transfer-encoding:chunked", "connection:keep-alive"])
  func `a field of the connection over HTTP/2 is found`(_ field: String) async throws {
    let python = "\(Checkout.root)/.test-servers/current/bin/python"
    let server = try ChildProcess(
      python, ["-u", "\(Checkout.servers)/http2_fields_server.py"] + (field.isEmpty ? [] : [field]))
    var endpoint = HTTPRequest(method: "POST", url: "http://127.0.0.1:\(try #require(await server.nextLine()))/graphql")
    endpoint.connection.version = .http2PriorKnowledge
    let context = AuditContext(endpoint: endpoint, schema: nil, settings: .init(), transport: HTTPTransport())
    let audits = Audit.all.filter { $0.id == "http-http2" }
    let outcome = try await AuditRun(audits, in: context).results { _ in }.first?.outcome
    switch try #require(outcome) {
    case .failed(let found): #expect(!field.isEmpty && !found.isEmpty)
    case .passed: #expect(field.isEmpty)
    case .unsteady, .notApplicable, .reported: Issue.record("\(field): \(String(describing: outcome))")
    }
  }

  /// A single compressed stream whose parts arrive when they are ready, or together at its end.
  @Test(arguments: [false, true])
  func `compression that delays parts is found`(_ isHeld: Bool) async throws {
    let schema = AuditSubject.birds
    let server = try ScriptedServer { request, _ in
      // The field takes 400 ms.
      let gate = Gate()
      Task {
        try await Task.sleep(for: .milliseconds(400))
        gate.open()
      }
      guard request.bodyText.contains("bird") else { return .json(Self.data) }
      guard Self.isDeferred(request) else { return .json(Self.single).held(by: gate) }
      let parts = [Self.initial, Self.last].enumerated().map { index, payload in
        Array(
          "\(index == 0 ? "\r\n---" : "")\r\nContent-Type: application/json\r\n\r\n\(payload)\r\n---\(index == 0 ? "" : "--\r\n")"
            .utf8)
      }
      let gzip = StoredGzip(parts)
      let pieces: [ScriptedAnswer.Piece] =
        isHeld
        ? [.hold(gate), .bytes(gzip.pieces.flatMap { $0 })]
        : [.bytes(gzip.pieces[0]), .hold(gate), .bytes(gzip.pieces[1])]
      return .response(
        headers: [
          ("Content-Type", "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2"), ("Content-Encoding", "gzip"),
        ], pieces)
    }
    let audits = Audit.all.filter { $0.id == "incremental-gzip" }
    let outcome = try await AuditSubject.results(of: server.url, schema: schema, audits).first?.outcome
    switch try #require(outcome) {
    case .failed(let found): #expect(isHeld && found.hasText("with the last one"), "\(found)")
    case .passed: #expect(!isHeld)
    case .unsteady, .notApplicable, .reported: Issue.record("\(String(describing: outcome))")
    }
  }

  @Test func `a rule that held at the second try is unsteady`() async throws {
    let server = try ScriptedServer { _, index in
      index == 0 ? .json("{}", status: 500) : .json(Self.data)
    }
    let audits = Audit.all.filter { $0.id == "http-extra-members" }
    let outcome = try await AuditSubject.results(of: server.url, schema: nil, audits).first?.outcome
    guard case .unsteady = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
  }

  @Test func `a server that limits requests gets no more`() async throws {
    let server = try ScriptedServer { _, _ in .json("{}", status: 429) }
    let audits = Audit.all.filter { $0.group == .http }
    let results = try await AuditSubject.results(of: server.url, schema: nil, audits)
    #expect(server.requests.count == 1)
    #expect(results[1].outcome.found == "the server limits the rate of requests (status 429)")
  }

  @Test func `the request limit is obeyed`() async throws {
    let server = try ScriptedServer { _, _ in .json(Self.data) }
    var settings = AuditContext.Settings()
    settings.requestLimit = 5
    _ = try await AuditSubject.results(of: server.url, schema: AuditSubject.birds, settings: settings)
    #expect(server.requests.count == 5)
  }

  @Test func `mutations are sent only if named`() async throws {
    let server = try ScriptedServer { _, _ in .json(Self.data) }
    let schema = AuditSubject.schema("type Query { a: A } type Mutation { a: A } type A { id: ID }")
    _ = try await AuditSubject.results(of: server.url, schema: schema)
    #expect(!server.requests.contains { ($0.target + $0.bodyText).contains("mutation") })
  }

  // MARK: Incremental delivery

  private static let single = #"{"data":{"bird":{"id":"1","name":"n"}}}"#
  private static let initial = #"{"data":{"__typename":"Query"},"pending":[{"id":"0","path":[]}],"hasNext":true}"#
  private static let last =
    #"{"incremental":[{"id":"0","data":{"bird":{"id":"1","name":"n"}}}],"completed":[{"id":"0"}],"hasNext":false}"#

  private static func isDeferred(_ request: ScriptedServer.Request) -> Bool {
    request.header("Accept")?.hasPrefix("multipart/mixed") == true && request.bodyText.contains("@defer")
  }

  @Test(arguments: [
    (
      "incremental-has-next", [initial, last.replacing(",\"hasNext\":false", with: "")],
      "hasNext of payload 2 is absent"
    ),
    ("incremental-has-next", [initial], "hasNext of payload 1 is true"),
    ("incremental-later-no-data", [initial, #"{"data":{},"hasNext":false}"#], "data in a later payload"),
    (
      "incremental-entries",
      [initial, last.replacing("\"id\":\"0\",\"data\"", with: "\"id\":\"0\",\"label\":\"x\",\"data\"")],
      "the members label"
    ),
    ("incremental-not-empty", [initial, #"{"incremental":[],"hasNext":false}"#], "incremental: []"),
    (
      "incremental-null-members", [initial.replacing("\"path\":[]", with: "\"path\":[],\"label\":null"), last],
      "label: null"
    ),
    ("incremental-data-or-items", [initial, #"{"incremental":[{"id":"0"}],"hasNext":false}"#], "neither"),
    (
      "incremental-path-resolves", [initial.replacing("\"path\":[]", with: "\"path\":[\"nest\"]"), last],
      "no object is at nest"
    ),
    ("incremental-merged-equals-plain", [initial, #"{"completed":[{"id":"0"}],"hasNext":false}"#], "different at"),
    ("incremental-v-id", [initial.replacing("\"0\"", with: "0"), last], "the id 0"),
    ("incremental-v-id", [initial, last.replacing("\"0\"", with: "\"7\"")], "the id 7, never announced"),
    (
      "incremental-v-completed", [initial, #"{"completed":[{"id":"0"},{"id":"0"}],"hasNext":false}"#], "completed twice"
    ),
    (
      "incremental-v-completed-all", [initial, last.replacing(",\"completed\":[{\"id\":\"0\"}]", with: "")],
      "never completed: 0"
    ),
    (
      "incremental-v-once", [initial, last.replacing("\"bird\":", with: "\"__typename\":\"Query\",\"bird\":")],
      "again: .__typename"
    ),
    (
      "incremental-v-subpath",
      [initial, last.replacing("\"id\":\"0\",\"data\"", with: "\"id\":\"0\",\"subPath\":[],\"data\"")], "subPath: []"
    ),
    ("incremental-v-whole", [initial, #"{"completed":[{"id":"0"}],"hasNext":false}"#], "completed without"),
  ])
  func `payloads that break a rule are found`(_ id: String, _ payloads: [String], _ found: String) async throws {
    try await expectFailure(id, found) { request in
      guard Self.isDeferred(request) else { return .json(Self.single) }
      return .multipart(specification: "incrementalSpec=v0.2", payloads.map { .text($0) })
    }
  }

  private static let part = "\r\n---\r\nContent-Type: application/json\r\n\r\n"

  @Test(arguments: [
    (
      "incremental-first-crlf", "---\r\nContent-Type: application/json\r\n\r\n\(initial)\r\n-----\r\n",
      "the body begins with the delimiter"
    ),
    ("incremental-part", "\r\n---\r\n\r\n\(initial)\r\n-----\r\n", "part 1 has no Content-Type"),
    ("incremental-part", "\(part){}{}\r\n-----\r\n", "part 1 is not one JSON object"),
    (
      "incremental-part",
      "\r\n---\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n\(initial)\r\n-----\r\n",
      "Content-Length 1"
    ),
    ("incremental-close", "\(part)\(initial)\r\n---\r\n", "no closing delimiter"),
    ("incremental-close", "\(part)\(initial)\r\n-----\r\nmore", "4 bytes after the closing delimiter"),
    ("incremental-boundary", "\(initial)", "no delimiter"),
  ])
  func `framing that breaks a rule is found`(_ id: String, _ body: String, _ found: String) async throws {
    try await expectFailure(id, found) { request in
      guard Self.isDeferred(request) else { return .json(Self.single) }
      let type = "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2"
      return .response(headers: [("Content-Type", type)], [.text(body)])
    }
  }

  @Test(arguments: [
    ("incremental-asked-format", "the payloads are of the v0.2 format"),
    ("incremental-preference", "Accept application/json, multipart/mixed;q=0.5"),
    ("incremental-not-accepted", "multipart/mixed"),
  ])
  func `parts for a client that does not accept them are found`(_ id: String, _ found: String) async throws {
    try await expectFailure(id, found) { request in
      guard request.bodyText.contains("@defer") else { return .json(Self.single) }
      return .multipart(specification: "incrementalSpec=v0.2", [.text(Self.initial), .text(Self.last)])
    }
  }

  @Test func `a server without incremental delivery fails only one rule of it`() async throws {
    let server = try ScriptedServer { request, _ in
      let isExcluded = request.bodyText.contains("@include") || request.bodyText.contains("@skip")
      return .json(isExcluded ? Self.data : Self.single)
    }
    let audits = Audit.all.filter { $0.group == .incremental }
    let results = try await AuditSubject.results(of: server.url, schema: AuditSubject.birds, audits)
    #expect(results.filter { $0.outcome.isFailure && $0.audit.level == .must }.map(\.audit.id) == [])
    #expect(results.contains { $0.audit.id == "incremental-honored" && $0.outcome.isFailure })
  }
}

extension String {
  fileprivate func hasText(_ part: String) -> Bool { part.isEmpty || contains(part) }
}
