import ApusClientCore
import ApusClientFormats
import ApusClientRequestChain
import ApusClientRequests
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Request extensions", .timeLimit(.minutes(1)))
struct RequestExtensionsTests {
  private let extensions: JSONValue = ["trace": ["id": "ä&b", "on": true], "persistedQuery": "mine"]

  private func requests(
    _ text: String = "query ($x: Int) { a(x: $x) }", files: [GraphQLFile] = [], extensions: JSONValue? = nil,
    answers: [ScriptedAnswer] = [.json(#"{"data":{"a":1}}"#)], _ change: (inout RequestFeatures) -> Void = { _ in }
  ) async throws -> [ScriptedServer.Request] {
    let server = try ScriptedServer(answers)
    var features = RequestFeatures()
    change(&features)
    var options = RequestOptions()
    options.extensions = extensions ?? self.extensions
    options.files = files
    let client = GraphQLClient(url: server.url, features: features)
    let run = await read(client.fetch(query: try operation(text, ["x": 1]), options: options))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    return server.requests
  }

  private func members(ofURL target: String) throws -> [String: JSONValue] {
    let fields = target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { $0.split(separator: "=") }
    return try Dictionary(
      uniqueKeysWithValues: fields.filter { $0[0] != "query" }.map {
        (String($0[0]), try JSONValue(parsing: decoded($0[1])))
      })
  }

  private func decoded(_ text: Substring) -> String {
    var (bytes, rest): ([UInt8], [UInt8]) = ([], Array(text.utf8))
    while let byte = rest.first {
      let hexadecimal = rest.count > 2 ? String(decoding: rest[1...2], as: UTF8.self) : ""
      if byte == UInt8(ascii: "%"), let escaped = UInt8(hexadecimal, radix: 16) {
        bytes.append(escaped)
        rest.removeFirst(3)
      } else {
        bytes.append(byte)
        rest.removeFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test
  func `extensions are in the body of a POST, after the variables`() async throws {
    let body = try #require(try await requests().first).bodyText
    let expected =
      #"{"query":"query ($x: Int) { a(x: $x) }","variables":{"x":1},"#
      + #""extensions":{"trace":{"id":"ä&b","on":true},"persistedQuery":"mine"}}"#
    #expect(body == expected)
  }

  @Test
  func `empty extensions are not sent`() async throws {
    for extensions in [JSONValue.object([]), .null, [1]] {
      let body = try #require(try await requests(extensions: extensions).first).bodyText
      #expect(body == #"{"query":"query ($x: Int) { a(x: $x) }","variables":{"x":1}}"#)
    }
  }

  @Test
  func `extensions are in the URL of a GET`() async throws {
    let request = try #require(try await requests { $0.usesGET = true }.first)
    #expect(try members(ofURL: request.target) == ["variables": ["x": 1], "extensions": extensions])
  }

  @Test
  func `extensions are in the operations of a multipart form`() async throws {
    let file = GraphQLFile(variablePath: "f", name: "a.txt", content: .bytes([1]))
    let body = try #require(try await requests("mutation ($f: Upload) { a(f: $f) }", files: [file]).first).bodyText
    #expect(
      body.contains(
        #""extensions":{"trace":{"id":"ä&b","on":true},"persistedQuery":"mine"},"variables":{"x":1,"f":null}}"#))
  }

  @Test(arguments: [false, true])
  func `persisted queries add their extensions to the request's`(usesGET: Bool) async throws {
    let notFound = ScriptedAnswer.json(#"{"errors":[{"message":"PersistedQueryNotFound"}],"data":null}"#)
    let sent = try await requests(answers: [notFound, .json(#"{"data":{"a":1}}"#)]) {
      $0.persistedQueries = PersistedQueryOptions(usesGET: usesGET)
    }
    #expect(sent.map(\.method) == [usesGET ? "GET" : "POST", "POST"])
    for request in sent {
      let sent =
        request.method == "GET"
        ? try members(ofURL: request.target)["extensions"] : try JSONValue(parsing: request.bodyText)["extensions"]
      #expect(sent?["trace"] == extensions["trace"])
      #expect(sent?["persistedQuery"]?["version"] == 1)
      #expect(sent?.count == 2)
    }
    // A server without persisted queries receives the caller's extensions.
    let refusal = ScriptedAnswer.json(#"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#)
    let plain = try await requests(answers: [refusal, .json(#"{"data":{"a":1}}"#)]) {
      $0.persistedQueries = PersistedQueryOptions(usesGET: usesGET)
    }
    #expect(try JSONValue(parsing: try #require(plain.last).bodyText)["extensions"] == extensions)
  }

  @Test(arguments: [SubscriptionOptions.Transport.multipart, .serverSentEvents])
  func `extensions are sent with a subscription over HTTP`(transport: SubscriptionOptions.Transport) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    var subscriptions = SubscriptionOptions()
    subscriptions.transport = transport
    var options = RequestOptions()
    options.extensions = extensions
    let client = GraphQLClient(url: server.url, subscriptions: subscriptions)
    _ = await read(client.subscribe(subscription: try operation("subscription { a }"), options: options))
    #expect(try JSONValue(parsing: try #require(server.requests.first).bodyText)["extensions"] == extensions)
  }

  @Test
  func `queries with different extensions do not share a request`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#).held(by: gate)])
    var features = RequestFeatures()
    features.deduplicatesQueries = true
    let client = GraphQLClient(url: server.url, features: features)
    let query = try operation("{ a }")
    async let first = read(client.fetch(query: query, options: options(["n": 1])))
    async let second = read(client.fetch(query: query, options: options(["n": 2])))
    _ = try await server.request(1)
    gate.open()
    #expect(await first.error == nil)
    #expect(await second.error == nil)
    let bodies = try server.requests.map { try JSONValue(parsing: $0.bodyText)["extensions"]?["n"]?.int ?? 0 }
    #expect(bodies.sorted() == [1, 2])
  }

  @Test
  func `copied requests contain extensions`() {
    var request = RequestDraft(url: "http://h/graphql", query: "{ a }", variables: #"{"x":1}"#)
    request.extensions = #"{"trace":{"id":7}}"#
    #expect(request.curlCommand.contains(#""variables":{"x":1},"extensions":{"trace":{"id":7}}"#))
    #expect(request.httpFile.contains(#""trace""#))
    #expect(request.apusCommand.contains(#"--extensions '{"trace":{"id":7}}'"#))
  }

  private func options(_ extensions: JSONValue) -> RequestOptions {
    var options = RequestOptions()
    options.extensions = extensions
    return options
  }
}
