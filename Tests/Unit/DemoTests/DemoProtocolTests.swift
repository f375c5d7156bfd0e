import ApusDemo
import ApusDigest
import ApusTestSupport
import Testing

/// Uploads, persisted queries, event streams with several operations, and a subscription whose source fails.
@Suite(.timeLimit(.minutes(1)))
struct DemoProtocolTests {
  private static let json = "Content-Type: application/json"

  private func withServer(_ use: (WireClient) async throws -> Void) async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    try await use(try WireClient(port: server.port))
  }

  // MARK: Uploads

  private static let upload =
    #"{"query":"mutation ($photos: [Upload!]!) { addPhotos(bird: \"b1\", photos: $photos) { photos { name size } } }","variables":{"photos":[null,null]}}"#

  private static func form(_ parts: [(name: String, value: String)]) -> String {
    parts.map { name, value in
      let file = name.allSatisfy(\.isNumber) ? "; filename=\"\(name).txt\"" : ""
      return "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n\(value)\r\n"
    }.joined() + "--b--\r\n"
  }

  private static let formHeaders = ["Content-Type: multipart/form-data; boundary=b", "GraphQL-Preflight: 1"]

  @Test func `files of a multipart request are the values of variables`() async throws {
    try await withServer { (client: WireClient) async throws in
      client.post(
        Self.form([
          ("operations", Self.upload), ("map", #"{"0":["variables.photos.1"],"1":["variables.photos.0"]}"#),
          ("0", "one"), ("1", "first"),
        ]), headers: Self.formHeaders)
      let body = try await client.response().body
      #expect(
        body == #"{"data":{"addPhotos":{"photos":[{"name":"1.txt","size":5},{"name":"0.txt","size":3}]}}}"#)
    }
  }

  @Test(arguments: [
    ([("map", "{}")], #"no part \"operations\""#),
    ([("operations", upload), ("map", "{")], #"\"map\" is not valid JSON"#),
    (
      [("operations", upload), ("map", #"{"0":["variables.photos.0"]}"#)], "names a part that the request does not have"
    ),
    ([("operations", upload), ("map", #"{"0":["variables.other"]}"#), ("0", "x")], "no variable that is null"),
    ([("operations", upload), ("map", #"{"0":["query"]}"#), ("0", "x")], "no variable that is null"),
  ])
  func `a form that is not a GraphQL request is rejected`(_ parts: [(String, String)], _ message: String) async throws {
    try await withServer { (client: WireClient) async throws in
      client.post(Self.form(parts), headers: Self.formHeaders)
      let response = try await client.response()
      #expect(response.head.hasPrefix("HTTP/1.1 400 ") && response.body.contains(message), "\(response)")
    }
  }

  @Test func `a form that another site could send is rejected`() async throws {
    try await withServer { (client: WireClient) async throws in
      client.post(
        Self.form([("operations", Self.upload), ("map", "{}")]), headers: Array(Self.formHeaders.prefix(1)))
      #expect(try await client.response().head.hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test func `a variable without its file is an error`() async throws {
    try await withServer { (client: WireClient) async throws in
      client.post(
        #"{"query":"mutation ($p: Upload!) { addPhotos(bird: \"b1\", photos: [$p]) { photos { name } } }","variables":{"p":0}}"#
      )
      #expect(try await client.response().body.contains("No file was sent"))
    }
  }

  // MARK: Persisted queries

  @Test func `a registered document runs by its hash, by POST and by GET`() async throws {
    let text = "{ observationCount }"
    let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"\#(SHA256Digest.hexadecimal(of: text))"}}"#
    try await withServer { (client: WireClient) async throws in
      client.post("{\"extensions\":\(extensions)}")
      #expect(
        try await client.response().body
          == #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#)
      let answer = #"{"data":{"observationCount":640}}"#
      client.post("{\"query\":\"\(text)\",\"extensions\":\(extensions)}")
      #expect(try await client.response().body == answer)
      client.post("{\"extensions\":\(extensions)}")
      #expect(try await client.response().body == answer)
      client.get("/graphql?extensions=\(extensions.replacing("\"", with: "%22"))")
      #expect(try await client.response().body == answer)
    }
  }

  @Test func `a document with a wrong hash is rejected and not registered`() async throws {
    let extensions = #"{"persistedQuery":{"version":1,"sha256Hash":"\#(SHA256Digest.hexadecimal(of: "{ a }"))"}}"#
    try await withServer { (client: WireClient) async throws in
      client.post("{\"query\":\"{ observationCount }\",\"extensions\":\(extensions)}")
      #expect(try await client.response().body.contains("is not the hash"))
      client.post("{\"extensions\":\(extensions)}")
      #expect(try await client.response().body.contains("PersistedQueryNotFound"))
    }
  }

  // MARK: Subscriptions

  @Test func `one event stream contains the events of several operations`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    client.send("PUT /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    let (head, token) = try await client.response()
    #expect(head.hasPrefix("HTTP/1.1 201 ") && !token.isEmpty)
    let field = "X-GraphQL-Event-Stream-Token: \(token)"

    let stream = try WireClient(port: server.port)
    stream.get("/graphql", headers: [field, "Accept: text/event-stream"])
    #expect(try await stream.read(through: ":\n\n").contains("text/event-stream"))
    client.get("/graphql", headers: [field])
    #expect(try await client.response().head.hasPrefix("HTTP/1.1 409 "))

    for (id, query) in [("a", "subscription { countdown(from: 1) }"), ("b", "{ observationCount }")] {
      client.post(#"{"query":"\#(query)","extensions":{"operationId":"\#(id)"}}"#, headers: [Self.json, field])
      #expect(try await client.response().head.hasPrefix("HTTP/1.1 202 "))
      let events = try await stream.read(through: "event: complete\ndata: {\"id\":\"\(id)\"}\n\n")
      #expect(events.contains(#"data: {"id":"\#(id)","payload":{"data":{"#))
    }
    client.get("/graphql", headers: ["X-GraphQL-Event-Stream-Token: other"])
    #expect(try await client.response().head.hasPrefix("HTTP/1.1 404 "))
  }

  @Test func `a source that fails ends a multipart subscription with a null payload`() async throws {
    try await withServer { (client: WireClient) async throws in
      client.post(
        #"{"query":"subscription { interrupted }"}"#,
        headers: [Self.json, "Accept: multipart/mixed;subscriptionSpec=1.0"])
      _ = try await client.read(through: "\r\n\r\n")
      let body = try await client.chunkedBody()
      #expect(body.contains(#"{"payload":{"data":{"interrupted":2}}}"#))
      #expect(body.contains(#"{"payload":null,"errors":[{"message":"The instrument broke.""#))
      #expect(body.hasSuffix("\r\n-----\r\n"))
    }
  }
}
