import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Header fields for CSRF protection", .timeLimit(.minutes(1)))
struct PreflightTests {
  private func headers(
    _ text: String = "{ a }", files: [GraphQLFile] = [], given: HTTPHeaders = [:],
    _ change: (inout RequestFeatures) -> Void = { _ in }
  ) async throws -> [[String: [String]]] {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    var features = RequestFeatures()
    change(&features)
    var options = RequestOptions()
    options.headers = given
    options.files = files
    let client = GraphQLClient(url: server.url, features: features)
    let run = await read(client.fetch(query: try operation(text), options: options))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    return server.requests.map { request in
      Dictionary(
        grouping: request.headers.filter { $0.name.lowercased().hasSuffix("preflight") }, by: { $0.name.lowercased() }
      ).mapValues { $0.map(\.value) }
    }
  }

  private let both = ["apollo-require-preflight": ["true"], "graphql-preflight": ["1"]]
  private let file = GraphQLFile(variablePath: "f", name: "a.txt", content: .bytes([1]))

  @Test
  func `a query sent by GET has both fields`() async throws {
    #expect(try await headers { $0.usesGET = true } == [both])
    let persisted = try await headers { $0.persistedQueries = PersistedQueryOptions(usesGET: true) }
    #expect(persisted == [both])
  }

  @Test
  func `a multipart form has both fields`() async throws {
    #expect(try await headers("mutation ($f: Upload) { a(f: $f) }", files: [file]) == [both])
  }

  @Test
  func `a POST of JSON has neither field`() async throws {
    #expect(try await headers() == [[:]])
    let long = "{ a" + String(repeating: " a", count: 5000) + " }"
    #expect(try await headers(long) { $0.usesGET = true } == [[:]])
  }

  @Test
  func `a field set by the caller keeps its value, in any case`() async throws {
    let own: HTTPHeaders = ["APOLLO-require-PREFLIGHT": "mine", "graphql-preflight": "2"]
    let expected = [["apollo-require-preflight": ["mine"], "graphql-preflight": ["2"]]]
    #expect(try await headers(given: own) { $0.usesGET = true } == expected)
    let form = try await headers("mutation ($f: Upload) { a(f: $f) }", files: [file], given: own)
    #expect(form == expected)
  }

  @Test
  func `the fields are not sent to another origin after a redirect`() async throws {
    let target = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let server = try ScriptedServer { request, _ in
      .response(
        status: 307, headers: [("Location", target.url + request.target.dropFirst("/graphql".count))],
        framing: .contentLength, [])
    }
    var features = RequestFeatures()
    features.usesGET = true
    let client = GraphQLClient(url: server.url.replacing("127.0.0.1", with: "localhost"), features: features)
    let run = await read(client.fetch(query: try operation("{ a }")))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    #expect(server.requests.first?.header("GraphQL-Preflight") == "1")
    #expect(target.requests.count == 1)
    #expect(target.requests.first?.header("GraphQL-Preflight") == nil)
    #expect(target.requests.first?.header("Apollo-Require-Preflight") == nil)
  }
}
