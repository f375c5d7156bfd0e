import ApusClientAPI
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// Sharing of identical concurrent queries, logging, and custom part readers.
@Suite(.timeLimit(.minutes(1))) struct SharedRequestTests {
  private func client(_ url: String) -> GraphQLClient {
    var features = RequestFeatures()
    features.deduplicatesQueries = true
    return GraphQLClient(url: url, features: features)
  }

  @Test func `identical queries share one request`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([ScriptedAnswer.json(#"{"data":{"a":1}}"#).held(by: gate)])
    let client = client(server.url)
    let query = try operation("{ a }")
    let streams = (0..<5).map { _ in client.fetch(query: query) }
    _ = try await server.request()
    gate.open()
    for stream in streams { #expect(await read(stream).lines == [#"0 complete {"a":1}"#]) }
    #expect(server.requests.count == 1)
  }

  @Test func `queries with other variables and later ones are not shared`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let client = client(server.url)
    for variables: JSONValue in [["x": 1], ["x": 2], ["x": 2]] {
      _ = await read(client.fetch(query: try operation("{ a }", variables)))
    }
    #expect(server.requests.count == 3)
  }

  @Test func `a mutation is never shared`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([ScriptedAnswer.json(#"{"data":{"a":1}}"#).held(by: gate)])
    let client = client(server.url)
    let streams = try (0..<2).map { _ in client.perform(mutation: try operation("mutation { a }")) }
    _ = try await server.request(1)
    gate.open()
    for stream in streams { #expect(await read(stream).lines == [#"0 complete {"a":1}"#]) }
  }

  @Test func `a shared request is canceled with its last reader`() async throws {
    let server = try ScriptedServer([
      .multipart([.text(#"{"data":{"a":1},"hasNext":true}"#), .hold(Gate())])
    ])
    let client = client(server.url)
    let query = try operation("{ a ... @defer { b } }")
    var first = client.fetch(query: query).makeAsyncIterator()
    #expect(try await first.next()?.payloadIndex == 0)
    // A later reader gets the current result, and leaving does not affect the first reader.
    for try await result in client.fetch(query: query) {
      #expect(result.data == ["a": 1])
      break
    }
    #expect(server.requests.count == 1)
    first = client.fetch(query: try operation("{ other }")).makeAsyncIterator()
    try await server.clientClosed()
  }

  @Test func `queries with different result checking are not shared`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([ScriptedAnswer.json(#"{"data":{"a":1}}"#).held(by: gate)])
    let client = client(server.url)
    let query = try operation("{ a }")
    var streams: [GraphQLClient.Results<JSONValue>] = []
    for allowsStaleReads in [true, false, true, false] {
      var options = RequestOptions()
      options.allowsStaleReads = allowsStaleReads
      streams.append(client.fetch(query: query, options: options))
    }
    _ = try await server.request(1)
    gate.open()
    for stream in streams { #expect(await read(stream).lines == [#"0 complete {"a":1}"#]) }
    #expect(server.requests.count == 2)
  }

  /// Operations with the same document and type that create different data.
  private struct Multiple: QueryOperation {
    let compiled: CompiledOperation
    let variables: JSONValue = .object([])
    let factor: Int

    func makeData(from response: ResponseData) -> Int { (response.json["a"]?.int ?? 0) * factor }
  }

  @Test func `operations that create different data are not shared`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([ScriptedAnswer.json(#"{"data":{"a":1}}"#).held(by: gate)])
    let client = client(server.url)
    let streams = try [1, 10].map { factor in
      client.fetch(query: Multiple(compiled: try operation("{ a }").compiled, factor: factor))
    }
    _ = try await server.request(1)
    gate.open()
    var values: [Int?] = []
    for stream in streams { for try await result in stream { values.append(result.data) } }
    #expect(values == [1, 10])
  }

  @Test func `the log contains each step without secrets`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#), .json("{}", status: 500)])
    let log = Log()
    var features = RequestFeatures()
    features.log = { log.add($0) }
    let client = GraphQLClient(
      url: server.url + "?key=hush", headers: ["X-Api-Key": "hush", "Accept": "application/json"], features: features)
    let query = try operation("query Q($password: String) { a }", ["password": "hush"])
    for _ in 0..<2 { _ = await read(client.fetch(query: query)) }
    #expect(log.lines.count == 4)
    #expect(log.lines.allSatisfy { !$0.contains("hush") })
    #expect(log.lines.first?.hasPrefix("→ query Q · POST · \(server.url) · ") == true)
    #expect(log.lines.first?.contains("$password · X-Api-Key: ••• · Accept: application/json") == true)
    #expect(log.lines.dropFirst().first?.contains("part 0 complete · 16 bytes") == true)
    #expect(log.lines.last?.hasPrefix("✗ query Q") == true)
  }

  private final class Log: Sendable {
    private let all = Mutex<[String]>([])
    var lines: [String] { all.withLock { $0 } }
    func add(_ line: String) { all.withLock { $0.append(line) } }
  }

  /// A custom specification in which each part wraps its payload in a list.
  private struct WrappedReader: PartReader {
    let specification = "listSpec=1"
    func payload(of json: JSONValue) -> PartPayload { json[0].map { .payload($0) } ?? .heartbeat }
  }

  @Test func `a custom part reader reads its specification`() async throws {
    let server = try ScriptedServer([
      .multipart(specification: "listSpec=\"1\"", [.text(#"[{"data":{"a":1},"hasNext":false}]"#)])
    ])
    var features = RequestFeatures()
    features.partReaders.register(WrappedReader())
    let run = await read(GraphQLClient(url: server.url, features: features).fetch(query: try operation("{ a }")))
    #expect(run.lines == [#"0 complete {"a":1}"#])
  }
}
