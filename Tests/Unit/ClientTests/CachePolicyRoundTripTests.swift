import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// Field and type policies with fetches over HTTP.
@Suite("Cache policies over HTTP", .timeLimit(.minutes(1)))
struct CachePolicyRoundTripTests {
  private static let schema = Schema.load(
    sdl: """
      type Query @fieldPolicy(forField: "bird", keyArgs: "ring") {
        bird(ring: String!): Bird
        birds(first: Int, after: String): BirdConnection
        feed(page: Int): [Bird]
      }
      type Bird @typePolicy(keyFields: "ring") { ring: String! name: String mate: Bird }
      type BirdConnection { edges: [BirdEdge] pageInfo: PageInfo! }
      type BirdEdge { cursor: String! node: Bird }
      type PageInfo { hasNextPage: Boolean! endCursor: String }
      """)

  /// A clock that tests advance.
  private final class Clock: Sendable {
    let time = Mutex<UInt32>(1000)
    func pass(_ seconds: UInt32) { time.withLock { $0 += seconds } }
  }

  private let clock = Clock()

  private func client(
    _ answers: [ScriptedAnswer], _ change: (inout CachePolicies) -> Void = { _ in }
  ) throws -> (client: GraphQLClient, server: ScriptedServer) {
    var resolver = CacheKeyResolver()
    var policies = CachePolicies()
    resolver.addKeyFields(from: Self.schema)
    policies.addPolicies(from: Self.schema)
    change(&policies)
    let server = try ScriptedServer(answers)
    let clock = clock
    let store = CacheStore(resolver: resolver, policies: policies, clock: { clock.time.withLock { $0 } })
    return (GraphQLClient(url: server.url, store: store), server)
  }

  private func compiled(_ text: String) throws -> DynamicOperation {
    DynamicOperation(
      compiled: try CompiledOperation.compile(
        Document(parsing: text), schema: Self.schema,
        options: CompileOptions(addTypename: true, keyFields: ["Bird": ["ring"]])))
  }

  /// Returns `source data` for each result, then the error.
  private func fetch(
    _ client: GraphQLClient, _ text: String, _ policy: CachePolicy = .cacheFirst,
    _ change: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> [String] {
    var options = RequestOptions(cachePolicy: policy)
    change(&options)
    let run = await read(client.fetch(query: try compiled(text), options: options))
    return run.results.map { "\($0.source.rawValue) \($0.data?.description ?? "nothing")" }
      + (run.error.map { ["\($0)"] } ?? [])
  }

  private static let apus = #"{"bird":{"__typename":"Bird","ring":"A1","name":"Apus"}}"#

  @Test
  func `a field with key arguments is a cache hit, as is the record fetched in another way`() async throws {
    let feed = #"{"feed":[{"__typename":"Bird","ring":"B2","name":"Sula"}]}"#
    let (client, server) = try client([.json(#"{"data":\#(Self.apus)}"#), .json(#"{"data":\#(feed)}"#)])
    let query = #"{ bird(ring: "A1") { ring name } }"#
    #expect(try await fetch(client, query) == ["server \(Self.apus)"])
    #expect(try await fetch(client, query) == ["cache \(Self.apus)"])
    _ = try await fetch(client, "{ feed { ring name } }")
    #expect(
      try await fetch(client, #"{ bird(ring: "B2") { ring name } }"#)
        == [#"cache {"bird":{"__typename":"Bird","ring":"B2","name":"Sula"}}"#])
    #expect(server.requests.count == 2)
    #expect(try await client.store?.summaries().map(\.key.text) == ["QUERY_ROOT", "Bird:A1", "Bird:B2"])
  }

  @Test
  func `Cache-Control and Age determine the lifetime, and stale reads may be allowed`() async throws {
    let answer = ScriptedAnswer.json(
      #"{"data":\#(Self.apus)}"#, headers: [("Cache-Control", "private, max-age=60"), ("Age", "20")])
    let (client, server) = try client([answer, answer]) { $0.obeysCacheControl = true }
    let query = #"{ bird(ring: "A1") { ring name } }"#
    _ = try await fetch(client, query)
    clock.pass(39)
    #expect(try await fetch(client, query) == ["cache \(Self.apus)"])
    clock.pass(1)
    #expect(
      try await fetch(client, query, .cacheOnly) { $0.allowsStaleReads = true } == ["cache \(Self.apus)"])
    #expect(try await fetch(client, query) == ["server \(Self.apus)"])
    #expect(server.requests.count == 2)
  }

  @Test
  func `a response with no-store is not stored`() async throws {
    let answer = ScriptedAnswer.json(#"{"data":\#(Self.apus)}"#, headers: [("Cache-Control", "no-store")])
    let (client, server) = try client([answer]) { $0.obeysCacheControl = true }
    _ = try await fetch(client, #"{ bird(ring: "A1") { ring name } }"#)
    #expect(try await client.store?.snapshot().count == 0)
    #expect(server.requests.count == 1)
  }

  @Test
  func `pages of a connection are appended and read together`() async throws {
    func page(_ cursors: [String], next: Bool) -> String {
      let edges = cursors.map {
        #"{"__typename":"BirdEdge","cursor":"\#($0)","node":{"__typename":"Bird","ring":"\#($0)"}}"#
      }
      return
        #"{"birds":{"__typename":"BirdConnection","edges":[\#(edges.joined(separator: ","))],"pageInfo":{"__typename":"PageInfo","hasNextPage":\#(next),"endCursor":"\#(cursors.last ?? "")"}}}"#
    }
    let (client, server) = try client([
      .json(#"{"data":\#(page(["a", "b"], next: true))}"#), .json(#"{"data":\#(page(["c"], next: false))}"#),
      .json(#"{"data":{"feed":[{"__typename":"Bird","ring":"1"}]}}"#),
      .json(#"{"data":{"feed":[{"__typename":"Bird","ring":"2"}]}}"#),
    ]) {
      $0.fields["Query.birds"] = FieldPolicy(merge: .connection)
      $0.fields["Query.feed"] = FieldPolicy(merge: .append(arguments: ["page"]))
    }
    func birds(_ arguments: String) -> String {
      "{ birds(\(arguments)) { edges { cursor node { ring } } pageInfo { hasNextPage endCursor } } }"
    }
    _ = try await fetch(client, birds("first: 2"))
    _ = try await fetch(client, birds("first: 2, after: \"b\""))
    #expect(try await fetch(client, birds("first: 3")) == ["cache \(page(["a", "b", "c"], next: false))"])
    _ = try await fetch(client, "{ feed(page: 1) { ring } }", .networkOnly)
    _ = try await fetch(client, "{ feed(page: 2) { ring } }", .networkOnly)
    #expect(
      try await fetch(client, "{ feed(page: 3) { ring } }")
        == [#"cache {"feed":[{"__typename":"Bird","ring":"1"},{"__typename":"Bird","ring":"2"}]}"#])
    #expect(server.requests.count == 4)
  }

  @Test
  func `errors are stored with the data and returned on partial reads`() async throws {
    let (client, server) = try client([
      .json(
        #"{"data":{"bird":{"__typename":"Bird","ring":"A1","name":null}},"errors":[{"message":"lost","path":["bird","name"]}]}"#
      )
    ])
    let first = try await fetch(client, #"{ bird(ring: "A1") { ring name } }"#)
    #expect(first == [#"server {"bird":{"__typename":"Bird","ring":"A1","name":null}}"#])
    let snapshot = try await client.store?.snapshot() ?? CacheSnapshot()
    #expect(snapshot.summaries().map(\.key.text) == ["QUERY_ROOT", "Bird:A1"], "\(CacheExport.json(snapshot))")
    var options = RequestOptions(cachePolicy: .cacheOnly)
    options.allowsPartialReads = true
    let run = await read(
      client.fetch(query: try compiled(#"{ bird(ring: "A1") { ring name } }"#), options: options))
    #expect(run.error == nil, "\(run.lines)")
    #expect(run.results.first?.data?.description == #"{"bird":{"__typename":"Bird","ring":"A1","name":null}}"#)
    #expect(run.results.first?.errors.map(\.message) == ["lost"])
    #expect(server.requests.count == 1)
  }
}
