import ApusDemo
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// The demo API over HTTP, byte by byte.
@Suite(.timeLimit(.minutes(1)))
struct DemoServerTests {
  static let deferred = #"{"query":"{ bird(id: \"b1\") { id ... @defer(label: \"n\") { name } } }"}"#
  static let json = "Content-Type: application/json"

  @Test func `A query is answered with one JSON object`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(#"{"query":"query ($id: ID!) { bird(id: $id) { id name } }","variables":{"id":"b1"}}"#)
    let (head, body) = try await client.response()
    #expect(head.hasPrefix("HTTP/1.1 200 OK"))
    #expect(head.contains("Content-Type: application/json; charset=utf-8\r\n"))
    #expect(body == #"{"data":{"bird":{"id":"b1","name":"Ýmir Señor Viento"}}}"#)
  }

  @Test func `Several requests share a connection`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    for _ in 0..<3 {
      client.post(#"{"query":"{ observationCount }"}"#)
      #expect(try await client.response().body == #"{"data":{"observationCount":640}}"#)
    }
  }

  @Test func `Deferred fragments are sent as complete parts`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(Self.deferred, headers: [Self.json, "Accept: multipart/mixed;deferSpec=20220824, application/json"])
    let head = try await client.read(through: "\r\n\r\n")
    #expect(head.contains("Content-Type: multipart/mixed; boundary=\"-\"; deferSpec=20220824\r\n"))
    #expect(head.contains("Transfer-Encoding: chunked\r\n"))
    let body = try await client.chunkedBody()
    let partHead = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
    #expect(
      body == "\r\n---" + partHead + #"{"data":{"bird":{"id":"b1"}},"hasNext":true}"# + "\r\n---" + partHead
        + #"{"incremental":[{"data":{"name":"Ýmir Señor Viento"},"path":["bird"],"label":"n"}],"hasNext":false}"#
        + "\r\n-----\r\n")
  }

  @Test func `With early execution, fragments that are ready are in the first part`() async throws {
    let server = try await DemoServer(delayScale: 0, executesEarly: true)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    let deferred = #"{"query":"{ observationCount ... @defer(label: \"b\") { bird(id: \"b1\") { id } } }"}"#
    client.post(deferred, headers: [Self.json, "Accept: multipart/mixed;incrementalSpec=v0.2"])
    let body = try await client.response().body
    #expect(body.contains(#"{"data":{"observationCount":640},"pending":[{"id":"0","path":[],"label":"b"}],"#))
    #expect(body.contains(#""incremental":[{"id":"0","data":{"bird":{"id":"b1"}}}],"completed":[{"id":"0"}],"#))
  }

  @Test func `The v0.2 format is used if it is accepted`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(Self.deferred, headers: [Self.json, "Accept: multipart/mixed;incrementalSpec=\"v0.2\""])
    #expect(try await client.read(through: "\r\n\r\n").contains("incrementalSpec=v0.2"))
    #expect(try await client.chunkedBody().contains(#""completed":[{"id":"0"}],"hasNext":false}"#))
  }

  @Test func `The first part does not wait for slow fields, and heartbeats follow`() async throws {
    let server = try await DemoServer(delayScale: 1, heartbeat: .milliseconds(5))
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(
      #"{"query":"{ observationCount ... @defer { slow(milliseconds: 3600000) } }"}"#,
      headers: [Self.json, "Accept: multipart/mixed"])
    _ = try await client.read(through: #"{"data":{"observationCount":640},"hasNext":true}"#)
    _ = try await client.read(through: "{}\r\n---\r\n")
    _ = try await client.read(through: "{}\r\n---\r\n")
  }

  @Test func `Stopping the server ends waiting connections`() async throws {
    let server = try await DemoServer(delayScale: 1)
    let streaming = try WireClient(port: server.port)
    streaming.post(
      #"{"query":"{ observationCount ... @defer { slow(milliseconds: 3600000) } }"}"#,
      headers: [Self.json, "Accept: multipart/mixed"])
    _ = try await streaming.read(through: "640")
    let waiting = try WireClient(port: server.port)
    waiting.post(#"{"query":"{ slow(milliseconds: 3600000) }"}"#)
    server.stop()
    server.stop()
    await #expect(throws: WireClient.Failure.self) { try await streaming.read(through: "never sent") }
    await #expect(throws: WireClient.Failure.self) { try await waiting.read(through: "never sent") }
  }

  @Test func `Releasing a server stops it`() async throws {
    var server: DemoServer? = try await DemoServer(delayScale: 1)
    let port = try #require(server?.port)
    server = nil
    #expect(throws: WireClient.Failure.self) { try WireClient(port: port) }
  }

  @Test func `A port in use is reported on one line`() async throws {
    let server = try await DemoServer()
    defer { server.stop() }
    do {
      _ = try await DemoServer(port: server.port)
      Issue.record("two servers on one port")
    } catch {
      #expect(
        String(describing: error) == "Cannot listen on 127.0.0.1:\(server.port). "
          + "Another program may use that port: choose another one, or 0 for any.")
    }
  }

  @Test func `GET reads the parameters from the URL`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.get("/graphql?query=query(%24id:ID!)%7Bbird(id:%24id)%7Bname%7D%7D&variables=%7B%22id%22:%22b1%22%7D")
    #expect(try await client.response().body == #"{"data":{"bird":{"name":"Ýmir Señor Viento"}}}"#)
    client.get("/graphql?query=mutation%7BdeleteBird(id:%22b1%22)%7BdeletedId%7D%7D")
    let (head, body) = try await client.response()
    #expect(head.hasPrefix("HTTP/1.1 405 "))
    #expect(head.contains("Allow: GET, POST\r\n"))
    #expect(body == #"{"errors":[{"message":"A mutation must be sent with POST."}]}"#)
  }

  @Test(arguments: [
    ("{", 400, "The body is not valid JSON"), ("[]", 422, "Batches are not supported"),
    ("7", 422, "The body must be a JSON object."), ("{}", 422, "The request has no \\\"query\\\"."),
    (#"{"query": 7}"#, 422, "must be a string"), (#"{"query": "{a}", "variables": []}"#, 422, "must be an object"),
    (#"{"query": "{a}", "operationName": 1}"#, 422, "must be a string"),
    (#"{"extensions": {"persistedQuery": {}}}"#, 422, "must have the version 1"),
    (#"{"query": "{"}"#, 400, "Syntax Error"),
    (#"{"query": "{ bird { nme } }"}"#, 422, #"Cannot query field \"nme\" on type \"Bird\"."#),
  ])
  func `Invalid requests are rejected with JSON`(body: String, status: Int, message: String) async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(body)
    let response = try await client.response()
    #expect(response.head.hasPrefix("HTTP/1.1 \(status) "))
    #expect(response.head.contains("Content-Type: application/graphql-response+json; charset=utf-8\r\n"))
    #expect(response.body.hasPrefix(#"{"errors":[{"message":""#))
    #expect(response.body.contains(message))
  }

  @Test func `With application/graphql-response+json an invalid document gets 400`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    let accept = "Accept: application/graphql-response+json, application/json;q=0.9"
    client.post(#"{"query":"{"}"#, headers: [Self.json, accept])
    let (head, _) = try await client.response()
    #expect(head.hasPrefix("HTTP/1.1 400 "))
    #expect(head.contains("Content-Type: application/graphql-response+json; charset=utf-8\r\n"))
    client.post(#"{"query":"{ fail }"}"#, headers: [Self.json, accept])
    #expect(try await client.response().head.hasPrefix("HTTP/1.1 294 "))
  }

  /// GraphQL over HTTP, draft of 2026, section "Status Codes".
  @Test(arguments: [
    ("{", 400), (#"{"query":"{"}"#, 400), ("[]", 422), ("7", 422), ("{}", 422), (#"{"qeury":"{ __typename }"}"#, 422),
    (#"{"query":"{ __typename }","variables":[7]}"#, 422), (#"{"query":"{ bird { nme } }"}"#, 422),
    (#"{"query":"query A { __typename } query B { __typename }"}"#, 422),
    (#"{"query":"query A { __typename }","operationName":"B"}"#, 422),
    (#"{"query":"query ($id: ID!) { bird(id: $id) { name } }"}"#, 422),
    (#"{"query":"query ($id: ID!) { bird(id: $id) { name } }","variables":{"id":{}}}"#, 422),
    (#"{"query":"subscription { countdown }"}"#, 422), (#"{"extensions": {"persistedQuery": {}}}"#, 422),
    (#"{"query":"{ __typename }"}"#, 200), (#"{"query":"{ fail __typename }"}"#, 294),
  ])
  func `Each kind of failure has a status, which does not depend on the accepted type`(body: String, status: Int)
    async throws
  {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(body, headers: [Self.json, "Accept: application/graphql-response+json"])
    let response = try await client.response()
    #expect(response.head.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
    #expect(response.head.contains("Content-Type: application/graphql-response+json; charset=utf-8\r\n"))
    #expect(response.body.contains(#""data":"#) == (status < 300), "\(response.body)")
    // An older client gets the older type, but only for a 2xx (section "Body").
    client.post(body, headers: [Self.json, "Accept: application/json"])
    let older = try await client.response()
    #expect(older.head.hasPrefix("HTTP/1.1 \(status) "), "\(older.head)")
    let type = status < 300 ? "application/json" : "application/graphql-response+json"
    #expect(older.head.contains("Content-Type: \(type); charset=utf-8\r\n"))
    #expect(older.body == response.body)
  }

  @Test(arguments: [
    (
      "deferSpec=20220824",
      #"{"data":{"__typename":"Query"},"incremental":[{"data":{"a":"Query"},"path":[]}],"hasNext":false}"#
    ),
    (
      "incrementalSpec=v0.2",
      #"{"data":{"__typename":"Query"},"pending":[{"id":"0","path":[]}],"incremental":[{"id":"0","data":{"a":"Query"}}],"#
        + #""completed":[{"id":"0"}],"hasNext":false}"#
    ),
  ])
  func `An initial result with all deferred data ends the response`(format: String, payload: String) async throws {
    let server = try await DemoServer(delayScale: 0, executesEarly: true)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(
      #"{"query":"{ __typename ... @defer { a: __typename } }"}"#,
      headers: [Self.json, "Accept: multipart/mixed;\(format)"])
    let response = try await client.response()
    #expect(response.head.contains(format))
    #expect(response.body.hasSuffix("\r\n\r\n\(payload)\r\n-----\r\n"), "\(response.body)")
  }

  @Test func `Unsupported content types and accepted types are rejected`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post("query={a}", headers: ["Content-Type: text/plain"])
    #expect(try await client.response().head.hasPrefix("HTTP/1.1 415 "))
    client.post(#"{"query":"{ a }"}"#, headers: [Self.json, "Accept: text/turtle"])
    #expect(try await client.response().head.hasPrefix("HTTP/1.1 406 "))
    client.get("/nowhere")
    #expect(try await client.response().head.hasPrefix("HTTP/1.1 404 "))
  }

  @Test(arguments: [
    (
      "multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2, application/json",
      "multipart/mixed; boundary=\"-\"; deferSpec=20220824"
    ),
    (
      "multipart/mixed;deferSpec=20220824;q=0.5, multipart/mixed; incrementalSpec = \"v0.2\"",
      "multipart/mixed; boundary=\"-\"; incrementalSpec=v0.2"
    ),
    ("MULTIPART/Mixed", "multipart/mixed; boundary=\"-\"; deferSpec=20220824"),
    ("multipart/mixed;incrementalSpec=v9, application/json", "application/json; charset=utf-8"),
    ("multipart/mixed;deferSpec=20220824;q=0, */*", "application/json; charset=utf-8"),
    ("application/json;q=0.5, application/graphql-response+json", "application/graphql-response+json; charset=utf-8"),
    ("text/html, application/*", "application/json; charset=utf-8"),
    ("application/json, multipart/mixed;deferSpec=20220824;q=0.5", "application/json; charset=utf-8"),
    ("multipart/mixed;deferSpec=20220824;q=0.5, */*;q=0.9", "application/json; charset=utf-8"),
    ("application/json;q=0.5, multipart/mixed", "multipart/mixed; boundary=\"-\"; deferSpec=20220824"),
    ("application/json, multipart/mixed", "multipart/mixed; boundary=\"-\"; deferSpec=20220824"),
    ("text/event-stream", "text/event-stream; charset=utf-8"),
  ])
  func `The response has the preferred accepted content type`(accept: String, contentType: String) async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(Self.deferred, headers: [Self.json, "Accept: \(accept)"])
    #expect(try await client.read(through: "\r\n\r\n").contains("\r\nContent-Type: \(contentType)\r\n"))
  }

  @Test func `A client that accepts only multipart gets the complete result in one part`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(#"{"query":"{ observationCount }"}"#, headers: [Self.json, "Accept: multipart/mixed"])
    #expect(
      try await client.response().body == "\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
        + #"{"data":{"observationCount":640}}"# + "\r\n-----\r\n")
  }

  @Test(arguments: [
    ("{ observationCount }", #"{"data":{"observationCount":640}}"#),
    ("{ bird(id: \"b1\") { ... @defer { id } } }", #"{"data":{"bird":{"id":"b1"}}}"#),
    (
      "{ nothing }",
      #"{"errors":[{"message":"Cannot query field \"nothing\" on type \"Query\".","locations":[{"line":1,"column":3}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#
    ),
  ])
  func `A client that accepts only events gets one and the end`(query: String, result: String) async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    let body = JSONWriter.compact(["query": JSONValue(query)])
    client.post(body, headers: [Self.json, "Accept: text/event-stream"])
    let (head, events) = try await client.response()
    #expect(head.hasPrefix("HTTP/1.1 200 "))
    #expect(events == ":\n\nevent: next\ndata: \(result)\n\nevent: complete\ndata:\n\n")
  }

  @Test func `A subscription over plain HTTP is rejected`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(#"{"query":"subscription { countdown }"}"#)
    #expect(
      try await client.response().body
        == #"{"errors":[{"message":"A subscription has no single response: subscribe to it."}]}"#)
  }

  @Test func `Closing the connection cancels the request`() async throws {
    let server = try await DemoServer(delayScale: 1, heartbeat: .milliseconds(2))
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.post(
      #"{"query":"{ observationCount ... @defer { slow(milliseconds: 3600000) } }"}"#,
      headers: [Self.json, "Accept: multipart/mixed"])
    _ = try await client.read(through: "640")
    #expect(server.openExchangeCount == 1)
    client.leave()
    try await waitUntil { server.openExchangeCount == 0 }
  }

  @Test(.timeLimit(.minutes(1))) func `Incomplete requests are discarded when the client leaves`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    for _ in 0..<40 {
      let client = try WireClient(port: server.port)
      // The data and the end of the connection arrive together.
      client.send("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
      client.leave()
    }
    // The server accepts connections in order.
    for _ in 0..<2 {
      let client = try WireClient(port: server.port)
      client.post(#"{"query":"{ __typename }"}"#)
      _ = try await client.response()
    }
    try await waitUntil { server.openExchangeCount == 0 }
  }

  @Test func `A browser gets an HTML page`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.get("/")
    let (head, body) = try await client.response()
    #expect(head.contains("Content-Type: text/html; charset=utf-8\r\n"))
    #expect(body.contains("<title>Apus demo API</title>"))
    #expect(body.contains("apus http://localhost/graphql</pre>") && body.contains("curl -N http://localhost/graphql "))
  }

  @Test func `The page of a mock names its endpoint and no bird`() async throws {
    let mock = MockAPI(schema: Schema.load(sdl: "type Query { a: Int }"))
    let server = try await DemoServer(mock: mock)
    defer { server.stop() }
    for path in ["/", "/graphql"] {
      let client = try WireClient(port: server.port)
      client.get(path, headers: ["Accept: text/html"])
      let (head, body) = try await client.response()
      #expect(head.contains("Content-Type: text/html; charset=utf-8\r\n"))
      #expect(
        body.contains("<title>Apus mock API</title>") && body.contains("<code>http://localhost/graphql</code>"),
        "\(body)")
      #expect(!body.lowercased().contains("bird"))
    }
  }

  @Test func `A client that sends pings without reading is throttled`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.get(
      "/graphql",
      headers: [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: graphql-transport-ws",
      ])
    #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
    // A mask of zeros does not change the text.
    let text = #"{"type":"ping","payload":{"p":"\#(String(repeating: "p", count: 80))"}}"#
    let frame = [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
    let limit = 64 << 20
    let taken = client.sendUntilHeldBack(Array(repeatElement(frame, count: 1000).joined()), limit: limit)
    // The size of the socket buffers in both directions.
    #expect(taken < limit / 2)
  }
}

extension WireClient {
  /// Returns a chunked body with its chunks joined.
  func chunkedBody() async throws -> String {
    var body = ""
    while true {
      let line = try await read(through: "\r\n")
      let size = try #require(Int(line.filter(\.isHexDigit), radix: 16))
      let chunk = try await read(count: size + 2)
      if size == 0 { return body }
      body += String(decoding: Array(chunk.utf8).prefix(size), as: UTF8.self)
    }
  }
}
