import ApusClientCore
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusTestSupport
import Testing

@Suite("Errors for responses that are not results", .timeLimit(.minutes(1)))
struct ResponseCodeTests {
  private func answer(
    _ status: Int, _ type: String?, _ body: String, _ options: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> ClientRun {
    try await run(
      "{ a }",
      [
        .response(
          status: status, headers: type.map { [("Content-Type", $0)] } ?? [], framing: .contentLength, [.text(body)])
      ], options)
  }

  /// A client whose subscriptions use HTTP.
  private func overHTTP(_ server: ScriptedServer) -> GraphQLClient {
    var options = SubscriptionOptions()
    options.transport = .multipart
    return GraphQLClient(url: server.url, subscriptions: options)
  }

  @Test
  func `application/graphql-response+json is read whatever the status`() async throws {
    let run = try await answer(400, "application/graphql-response+json", "{\"errors\":[{\"message\":\"no\"}]}")
    #expect(run.lines == ["0 complete no data “no”"])
  }

  @Test(
    arguments: [400, 401, 404, 422, 500, 503],
    ["application/json; charset=utf-8", "application/problem+json", "text/json", "text/plain", nil])
  func `a GraphQL response is read whatever the status and the JSON content type`(status: Int, type: String?)
    async throws
  {
    let error = #"{"message":"no such field","locations":[{"line":1,"column":3}],"extensions":{"code":"V"}}"#
    let run = try await answer(status, type, #"{"errors":[\#(error),{"message":"and another"}]}"#)
    #expect(run.lines == ["0 complete no data “no such field” “and another”"])
    #expect(run.results.first?.errors.first?.locations == [.init(line: 1, column: 3)])
    #expect(run.results.first?.errors.first?.extensions?["code"]?.string == "V")
    let partial = try await answer(status, type, #"{"data":{"a":null},"errors":[{"message":"half","path":["a"]}]}"#)
    #expect(partial.lines == [#"0 complete {"a":null} “half”"#])
  }

  @Test(arguments: [400, 503])
  func `a rejected subscription over HTTP has the GraphQL response as its result`(status: Int) async throws {
    let server = try ScriptedServer([.json(#"{"errors":[{"message":"no such field"}]}"#, status: status)])
    let run = await read(overHTTP(server).subscribe(subscription: try operation("subscription { a }")))
    #expect(run.lines == ["0 complete no data “no such field”"])
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    (#"{"message":"Bad credentials"}"#, "Bad credentials"), (#"{"errors":["no","never"]}"#, "no; never"),
    (#"{"errors":"boom"}"#, #"{"errors":"boom"}"#), (#"{"data":null}"#, #"{"data":null}"#), ("[]", "[]"),
    (#"{"errors":[{"code":7}]}"#, #"{"errors":[{"code":7}]}"#), ("{ broken", "{ broken"),
  ])
  func `JSON with an error status that is not a GraphQL response is a status error`(body: String, words: String)
    async throws
  {
    let run = try await answer(400, "application/json", body)
    #expect(run.lines.count == 1 && run.lines[0].contains("answered 400 (\(words)); check the request"), "\(run.lines)")
    #expect(run.exitCode == 3)
  }

  @Test(
    arguments: [
      ("<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>", "an HTML page", ": Sign in;"),
      ("\n <html><body><h1>Down for  maintenance</h1></body></html>", "an HTML page", ": Down for maintenance;"),
      ("<?xml version=\"1.0\"?><error>no</error>", "an XML document", "<error>no</error>"),
      ("\u{FEFF}<!doctype html><title>Hi</title>", "an HTML page", ": Hi;"),
      (
        "--graphql\r\nContent-Type: application/json\r\n\r\n{\"data\":{\"a\":1}}\r\n--graphql--",
        "a multipart response", ";"
      ),
      ("---\r\n\r\n{\"data\":{\"a\":1}}\r\n-----\r\n", "a multipart response", ";"),
      ("event: next\ndata: {\"data\":{\"a\":1}}\n\n", "an event stream", ";"),
      ("<!doctype html><title>Tom &amp; &lt;Co&gt;</title>", "an HTML page", ": Tom & <Co>;"),
    ], ["application/json", "application/graphql-response+json", nil])
  func `a mislabeled HTML page or multipart response is recognized`(
    _ answered: (body: String, name: String, words: String), type: String?
  ) async throws {
    let run = try await answer(200, type, answered.body)
    let line = try #require(run.lines.first)
    #expect(
      line.contains("answered with \(answered.name) (its content type: \(type ?? "no content type")), which is no"),
      "\(line)")
    #expect(line.contains(answered.words), "\(line)")
    #expect(run.exitCode == 4)
  }

  @Test(arguments: [
    ("multipart/mixed; boundary=\"-\"", "<!doctype html><title>Sign in</title>", "an HTML page", ": Sign in;"),
    ("text/event-stream", "<html><body>Down</body></html>", "an HTML page", ": Down;"),
    ("multipart/mixed", "data: {\"data\":{\"a\":1}}\n\n", "an event stream", ";"),
    ("text/event-stream", "---\r\n\r\n{\"data\":{\"a\":1}}\r\n-----\r\n", "a multipart response", ";"),
    ("text/event-stream", "{\"data\":{\"a\":1}}", "JSON", ": {\"data\":{\"a\":1}};"),
  ])
  func `another format in place of parts is recognized`(type: String, body: String, name: String, words: String)
    async throws
  {
    let run = try await answer(200, type, body)
    let line = try #require(run.lines.first)
    let media = type.split(separator: ";")[0]
    #expect(line.contains("answered with \(name) (its content type: \(media)), which is no"), "\(line)")
    #expect(line.contains(words), "\(line)")
    #expect(run.exitCode == 4)
  }

  @Test
  func `the error for a mislabeled page with an error status contains its title`() async throws {
    let run = try await answer(502, "application/json", "<!doctype html><title>Bad gateway</title><p>nginx")
    #expect(run.lines.first?.contains("answered 502 (Bad gateway);") == true, "\(run.lines)")
  }

  @Test(arguments: [
    (#"[{"message":"no such field"},{"message":"nor that"}]"#, "no such field; nor that"),
    (#"["no","never"]"#, "no; never"), (#"{"errors":[{"message":"refused"}]}"#, "refused"),
    (#"{"message":"refused"}"#, "refused"), (#""refused""#, "refused"), ("refused", "refused"), ("[]", "[]"),
  ])
  func `the errors in an error event are reported in every format`(data: String, words: String) async throws {
    let server = try ScriptedServer([
      .response(headers: [("Content-Type", "text/event-stream")], [.text("event: error\ndata: \(data)\n\n")])
    ])
    var options = SubscriptionOptions()
    options.transport = .serverSentEvents
    let client = GraphQLClient(url: server.url, subscriptions: options)
    let run = await read(client.subscribe(subscription: try operation("subscription { a }")))
    #expect(run.lines.last?.hasSuffix("ended its event stream with an error: \(words)") == true, "\(run.lines)")
  }

  @Test(arguments: [nil, "application/json", "text/html"])
  func `a response without a body is an error with its status`(type: String?) async throws {
    let headers = type.map { [("Content-Type", $0)] } ?? []
    let run = try await run("{ a }", [.response(status: 204, headers: headers, framing: .contentLength, [])])
    #expect(
      run.lines.first?.contains("answered with 204 (no content), which is not a GraphQL") == true,
      "\(run.lines)")
    #expect(run.exitCode == 4)
  }

  @Test(arguments: [200, 294, 400, 405, 415, 422, 500])
  func `in the 2026 draft a GraphQL response is read whatever its status`(status: Int) async throws {
    let type = "application/graphql-response+json; charset=utf-8"
    let refused = try await answer(status, type, #"{"errors":[{"message":"no such field"}]}"#)
    #expect(refused.lines == ["0 complete no data “no such field”"])
    let partial = try await answer(status, type, #"{"data":{"a":null},"errors":[{"message":"half","path":["a"]}]}"#)
    #expect(partial.lines == [#"0 complete {"a":null} “half”"#])
    let none = try await answer(status, type, #"{"data":null,"errors":[{"message":"all","path":["a"]}]}"#)
    #expect(none.lines.count == 1 && none.lines[0].contains("“all”"), "\(none.lines)")
  }

  @Test
  func `an error status is reported even if the body is truncated`() async throws {
    let run = try await run(
      "{ a }",
      [
        .response(
          status: 502, headers: [("Content-Type", "application/json")], framing: .claiming(length: 100),
          [.text(#"{"errors":"#)])
      ])
    #expect(run.lines.count == 1 && run.lines[0].contains("answered 502"), "\(run.lines)")
    #expect(run.exitCode == 3)
  }

  @Test(arguments: ["multipart/form-data", "multipart/related"])
  func `other multipart types are reported`(type: String) async throws {
    let run = try await answer(200, "\(type); boundary=b", "--b\r\n\r\n{\"data\":{\"a\":1}}\r\n--b--")
    #expect(run.lines[0].contains("answered with \(type) in place of multipart/mixed, which is not a GraphQL response"))
    #expect(run.exitCode == 4)
  }

  @Test
  func `JSON nested too deeply is reported with the limit`() async throws {
    let depth = 1100
    let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let run = try await answer(200, "application/json", #"{"data":{"a":\#(list)}}"#)
    #expect(
      run.lines[0].contains("sent JSON that exceeds the limits: nested deeper than the limit of 1024 levels at line 1"))
    #expect(run.exitCode == 4)
  }

  @Test
  func `the error for 401 with HTML contains the title and advice`() async throws {
    let run = try await answer(
      401, "text/html", "<html><head><title>Log in\n first</title></head><body>\u{1B}[31m</body></html>")
    #expect(run.lines[0].hasSuffix("/graphql answered 401 (Log in first); check the credentials"))
    #expect(run.exitCode == 3)
  }

  @Test
  func `the error for 500 with HTML contains the text without tags and control characters`() async throws {
    let page = "<html><style>p { color: red }</style><body><h1>Oh\u{1B}[31m no</h1><p>it\u{7} broke</p></body></html>"
    let run = try await answer(500, "text/html", page)
    #expect(run.lines[0].contains("answered 500 (Oh [31m no it broke); the server failed"))
    #expect(run.exitCode == 3)
  }

  @Test
  func `an HTML page with status 200 is an error`() async throws {
    let run = try await answer(200, "text/html; charset=utf-8", "<title>Welcome</title>")
    #expect(run.lines[0].contains("answered with text/html, which is not a GraphQL response: Welcome"))
    #expect(run.exitCode == 4)
  }

  @Test
  func `invalid JSON is reported with its location`() async throws {
    let run = try await answer(200, "application/json", "{\"data\":{\"a\":}")
    #expect(run.lines[0].contains("sent invalid JSON"))
    #expect(run.lines[0].contains("line 1"))
    #expect(run.exitCode == 4)
  }

  @Test
  func `other JSON and an empty body are errors`() async throws {
    let other = try await answer(200, "application/json", "{\"message\":\"hello\"}")
    #expect(other.lines[0].contains("a message in place of data"))
    #expect(other.exitCode == 4)
    let empty = try await answer(200, "application/json", "")
    #expect(empty.lines[0].contains("the body is empty"))
  }

  /// Specification, section "Response Format".
  @Test(
    arguments: [
      ("{}", "neither data nor errors"), (" { } ", "neither data nor errors"),
      (#"{"errors":[]}"#, "neither data nor errors"), (#"{"extensions":{}}"#, "neither data nor errors"),
      (#"{"hasNext":false}"#, "neither data nor errors"), (#"{"incremental":[]}"#, "neither data nor errors"),
      ("[]", "JSON that is a list"), (#""x""#, "JSON that is a string"), ("null", "JSON that is null"),
      ("7", "JSON that is a number"),
    ])
  func `a body that is not a response is described in the error`(body: String, answer what: String) async throws {
    for text in ["{ a }", "mutation { a }", "subscription { a }"] {
      let server = try ScriptedServer([
        .response(headers: [("Content-Type", "application/json")], framing: .contentLength, [.text(body)])
      ])
      let run = await read(overHTTP(server).subscribe(subscription: try operation(text)))
      #expect(run.lines.count == 1, "\(text): \(run.lines)")
      let line = run.lines.first ?? ""
      #expect(line.contains("/graphql answered with \(what), which is not a GraphQL response: "), "\(line)")
      #expect(line.hasSuffix("; check the path of the URL"))
      #expect(run.exitCode == 4)
    }
    let refused = try await answer(400, "application/graphql-response+json", body)
    #expect(refused.lines.count == 1 && refused.lines[0].contains("answered 400"), "\(refused.lines)")
    #expect(refused.exitCode == 3)
  }

  @Test
  func `a response of only heartbeats is an error`() async throws {
    let beats = try await run("{ a }", [.multipart([.text("{}"), .text("{}")])])
    #expect(beats.lines.count == 1 && beats.lines[0].contains("ended without data and without errors"))
    #expect(beats.exitCode == 4)
    let late = try await run(
      "{ a ... @defer { b } }",
      [
        .multipart([
          .text("{}"), .text(#"{"data":{"a":1},"hasNext":true}"#), .text("{}"),
          .text(#"{"incremental":[{"path":[],"data":{"b":2}}],"hasNext":true}"#), .text("{}"),
          .text(#"{"hasNext":false}"#),
        ])
      ])
    #expect(late.error == nil && late.results.last?.data == ["a": 1, "b": 2], "\(late.lines)")
    let server = try ScriptedServer([
      .multipart(specification: "subscriptionSpec=1.0", [.text("{}"), .text("{}")])
    ])
    let none = await read(overHTTP(server).subscribe(subscription: try operation("subscription { a }")))
    #expect(none.lines.isEmpty, "\(none.lines)")
  }

  @Test(arguments: [nil, "text/plain"])
  func `JSON without a content type or as plain text is read`(_ type: String?) async throws {
    let run = try await answer(200, type, "{\"data\":{\"a\":1}}")
    #expect(run.lines == ["0 complete {\"a\":1}"])
  }

  @Test
  func `a redirect that drops the operation is reported`() async throws {
    let redirect = ScriptedAnswer.response(
      status: 303, headers: [("Location", "/elsewhere")], framing: .contentLength, [])
    let server = try ScriptedServer([redirect, .json(#"{"errors":[{"message":"no query"}]}"#, status: 400)])
    let run = await read(GraphQLClient(url: server.url).fetch(query: try operation("{ a }")))
    #expect(
      run.lines == [
        "http://127.0.0.1:\(server.port)/elsewhere answered 400 (no query; the redirect to this URL dropped the operation; "
          + "use this URL directly); check the request"
      ])
  }

  @Test(arguments: ["application/json", "application/graphql-response+json"])
  func `the response after a redirect that drops the operation is an error`(type: String) async throws {
    let redirect = ScriptedAnswer.response(
      status: 303, headers: [("Location", "/elsewhere")], framing: .contentLength, [])
    let answer = ScriptedAnswer.response(
      headers: [("Content-Type", type)], framing: .contentLength, [.text(#"{"data":{"a":1}}"#)])
    let server = try ScriptedServer([redirect, answer])
    let run = await read(GraphQLClient(url: server.url).fetch(query: try operation("{ a }")))
    #expect(run.results.isEmpty)
    #expect(
      run.lines.first?.contains("the redirect to this URL dropped the operation; use this URL directly") == true,
      "\(run.lines)")
    #expect(run.exitCode == 4)
    #expect(server.requests.map(\.method) == ["POST", "GET"])
  }

  @Test
  func `other redirects keep the operation`() async throws {
    for status in [301, 302, 307, 308] {
      let redirect = ScriptedAnswer.response(
        status: status, headers: [("Location", "/elsewhere")], framing: .contentLength, [])
      let server = try ScriptedServer([redirect, .json(#"{"data":{"a":1}}"#)])
      let run = await read(GraphQLClient(url: server.url).fetch(query: try operation("{ a }")))
      #expect(run.lines == [#"0 complete {"a":1}"#])
      #expect(server.requests.map(\.method) == ["POST", "POST"])
      #expect(Set(server.requests.map(\.bodyText)).count == 1)
    }
  }

  @Test
  func `the error for 406 suggests another format`() async throws {
    let run = try await answer(406, "text/plain", "")
    #expect(run.lines[0].hasSuffix("answered 406; it supports none of the requested formats; pin another one"))
  }

  @Test
  func `a closed connection is a network error`() async throws {
    let server = try ScriptedServer([.raw([.close])])
    let run = await read(GraphQLClient(url: server.url).fetch(query: try operation("{ a }")))
    #expect(
      run.lines == [
        "127.0.0.1:\(server.port) closed the connection without an answer; try again or look at the server's log"
      ])
    #expect(run.exitCode == 3)
  }

  @Test
  func `an invalid URL is a usage error`() async throws {
    let run = await read(GraphQLClient(url: "example.com/graphql").fetch(query: try operation("{ a }")))
    #expect(run.exitCode == 2)
  }
}
