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

/// All ways to assign cache keys, and all field policies, with fetches over HTTP.
@Suite("Cache keys over HTTP", .timeLimit(.minutes(1)))
struct CacheKeyRoundTripTests {
  private static let schema = Schema.load(
    sdl: """
      interface Ringed @typePolicy(keyFields: "ring") { ring: String! }
      type Query @fieldPolicy(forField: "ringed", keyArgs: "rings") {
        ringed(rings: [String!]!): [Ringed]
        station(code: String!): Station
        feed(offset: Int, limit: Int): [Bird]
        birds(first: Int, after: String): BirdConnection
        clock: String
      }
      type Bird implements Ringed { ring: String! name: String nest: Nest }
      type Bat implements Ringed { ring: String! name: String }
      type Nest { eggs: Int }
      type Station @typePolicy(keyFields: "country code") { country: String! code: String! name: String }
      type BirdConnection { edges: [BirdEdge] pageInfo: PageInfo! }
      type BirdEdge { cursor: String! node: Bird }
      type PageInfo { hasNextPage: Boolean! endCursor: String }
      """)

  private final class Clock: Sendable {
    let time = Mutex<UInt32>(1000)
  }

  private let clock = Clock()

  private func client(
    _ data: [String], _ change: (inout CacheKeyResolver, inout CachePolicies) -> Void = { _, _ in }
  ) throws -> (client: GraphQLClient, server: ScriptedServer) {
    var resolver = CacheKeyResolver()
    var policies = CachePolicies()
    resolver.addKeyFields(from: Self.schema)
    policies.addPolicies(from: Self.schema)
    change(&resolver, &policies)
    let server = try ScriptedServer(data.map { .json(#"{"data":\#($0)}"#) })
    let clock = clock
    let store = CacheStore(resolver: resolver, policies: policies, clock: { clock.time.withLock { $0 } })
    return (GraphQLClient(url: server.url, store: store), server)
  }

  /// Returns `source data` for each result, then the error.
  private func fetch(
    _ client: GraphQLClient, _ text: String, _ policy: CachePolicy = .cacheFirst
  ) async throws -> [String] {
    let options = client.store?.resolver.compileOptions ?? CompileOptions()
    let operation = DynamicOperation(
      compiled: try CompiledOperation.compile(Document(parsing: text), schema: Self.schema, options: options))
    let run = await read(client.fetch(query: operation, cachePolicy: policy))
    return run.results.map { "\($0.source.rawValue) \($0.data?.description ?? "nothing")" }
      + (run.error.map { ["\($0)"] } ?? [])
  }

  private func keys(_ client: GraphQLClient) async throws -> [String] {
    try await client.store?.summaries().map(\.key.text).sorted() ?? []
  }

  private static let ringed =
    #"{"ringed":[{"__typename":"Bird","ring":"A","name":"Apus"},{"__typename":"Bat","ring":"B","name":"Nox"}]}"#
  private static let ask = #"{ ringed(rings: ["A", "B"]) { ring ... on Bird { name } ... on Bat { name } } }"#

  @Test
  func `key fields of an interface apply to its objects, and a fetched list of keys is a cache hit`() async throws {
    let (client, server) = try client([Self.ringed])
    #expect(try await fetch(client, Self.ask) == ["server \(Self.ringed)"])
    #expect(try await fetch(client, Self.ask) == ["cache \(Self.ringed)"])
    #expect(try await keys(client) == ["Bat:B", "Bird:A", "QUERY_ROOT"])
    #expect(server.requests.count == 1)
  }

  @Test
  func `types in a unique key group share keys, and key arguments find their records`() async throws {
    let (client, server) = try client([Self.ringed]) { resolver, _ in
      resolver.uniqueKeyGroups = ["Bird": "Ringed", "Bat": "Ringed"]
    }
    _ = try await fetch(client, Self.ask)
    #expect(try await keys(client) == ["QUERY_ROOT", "Ringed:A", "Ringed:B"])
    #expect(try await fetch(client, Self.ask) == ["cache \(Self.ringed)"])
    #expect(server.requests.count == 1)
  }

  @Test
  func `several key fields form one key, even with aliases`() async throws {
    let data = #"{"station":{"__typename":"Station","land":"SE","mark":"OTT","name":"Ottenby"}}"#
    let query = #"{ station(code: "OTT") { land: country mark: code name } }"#
    let (client, server) = try client([data])
    _ = try await fetch(client, query)
    #expect(try await keys(client) == ["QUERY_ROOT", "Station:SE+OTT"])
    #expect(try await fetch(client, query).first?.hasPrefix("cache") == true)
    #expect(server.requests.count == 1)
  }

  @Test
  func `a cache key function takes precedence over key fields`() async throws {
    let (client, server) = try client([Self.ringed]) { resolver, _ in
      resolver.cacheKeyInfo = { typename, object in
        typename == "Bat"
          ? object["ring"]?.string.map { CacheKeyInfo(id: "night-\($0)", uniqueKeyGroup: "Flyer") } : nil
      }
    }
    _ = try await fetch(client, Self.ask)
    #expect(try await keys(client) == ["Bird:A", "Flyer:night-B", "QUERY_ROOT"])
    #expect(try await fetch(client, Self.ask, .cacheOnly) == ["cache \(Self.ringed)"])
    #expect(server.requests.count == 1)
  }

  @Test
  func `an object without a key is stored by its path and removed with its parent`() async throws {
    let data = #"{"ringed":[{"__typename":"Bird","ring":"A","nest":{"__typename":"Nest","eggs":3}}]}"#
    let query = #"{ ringed(rings: ["A"]) { ring ... on Bird { nest { eggs } } } }"#
    let (client, server) = try client([data])
    _ = try await fetch(client, query)
    #expect(try await keys(client) == ["Bird:A", "Bird:A.nest", "QUERY_ROOT"])
    #expect(try await fetch(client, query, .cacheOnly) == ["cache \(data)"])
    _ = try await client.store?.evict("Bird:A")
    #expect(try await keys(client) == ["QUERY_ROOT"])
    #expect(server.requests.count == 1)
  }

  @Test
  func `pages are stored by offset, and a gap is fetched`() async throws {
    func feed(_ rings: [String]) -> String {
      #"{"feed":[\#(rings.map { #"{"__typename":"Bird","ring":"\#($0)"}"# }.joined(separator: ","))]}"#
    }
    let (client, server) = try client([feed(["a", "b"]), feed(["e"]), feed(["c", "d"])]) { _, policies in
      policies.fields["Query.feed"] = FieldPolicy(merge: .offset())
    }
    func ask(_ offset: Int, _ limit: Int) -> String { "{ feed(offset: \(offset), limit: \(limit)) { ring } }" }
    _ = try await fetch(client, ask(0, 2), .networkOnly)
    _ = try await fetch(client, ask(4, 1), .networkOnly)
    #expect(try await fetch(client, ask(0, 5), .cacheOnly).first?.hasPrefix("cache") == false, "there is a gap")
    _ = try await fetch(client, ask(2, 2), .networkOnly)
    #expect(try await fetch(client, ask(0, 5), .cacheOnly) == ["cache \(feed(["a", "b", "c", "d", "e"]))"])
    #expect(server.requests.count == 3)
  }

  @Test
  func `a connection with a gap is a cache miss until the missing page is fetched`() async throws {
    func page(_ cursors: [String], next: Bool) -> String {
      let edges = cursors.map {
        #"{"__typename":"BirdEdge","cursor":"\#($0)","node":{"__typename":"Bird","ring":"\#($0)"}}"#
      }
      return
        #"{"birds":{"__typename":"BirdConnection","edges":[\#(edges.joined(separator: ","))],"pageInfo":{"__typename":"PageInfo","hasNextPage":\#(next),"endCursor":"\#(cursors.last ?? "")"}}}"#
    }
    let (client, server) = try client([page(["a"], next: true), page(["c"], next: false), page(["b"], next: true)]) {
      _, policies in policies.fields["Query.birds"] = FieldPolicy(merge: .connection)
    }
    func birds(_ arguments: String) -> String {
      "{ birds(\(arguments)) { edges { cursor node { ring } } pageInfo { hasNextPage endCursor } } }"
    }
    _ = try await fetch(client, birds("first: 1"))
    _ = try await fetch(client, birds("first: 1, after: \"b\""))
    #expect(try await fetch(client, birds("first: 3"), .cacheOnly).first?.hasPrefix("cache") == false)
    _ = try await fetch(client, birds("first: 1, after: \"a\""))
    #expect(
      try await fetch(client, birds("first: 3"), .cacheOnly) == ["cache \(page(["a", "b", "c"], next: false))"])
    #expect(server.requests.count == 3)
  }

  @Test
  func `fields and types have separate lifetimes, and a function merges values`() async throws {
    let (client, server) = try client([#"{"clock":"1"}"#, Self.ringed, #"{"clock":"2"}"#, Self.ringed]) {
      _, policies in
      policies.fields["Query.clock"] = FieldPolicy(
        timeToLive: 10,
        merge: .function(omitting: []) { old, new, _ in
          guard case .scalar(let old)? = old, case .scalar(let new) = new else { return new }
          return .scalar(JSONValue((old.string ?? "") + (new.string ?? "")))
        })
      policies.timeToLive = ["Bird": 20]
    }
    _ = try await fetch(client, "{ clock }")
    _ = try await fetch(client, Self.ask)
    clock.time.withLock { $0 += 9 }
    #expect(try await fetch(client, "{ clock }") == [#"cache {"clock":"1"}"#])
    clock.time.withLock { $0 += 1 }
    #expect(try await fetch(client, "{ clock }") == [#"server {"clock":"2"}"#])
    #expect(try await fetch(client, "{ clock }") == [#"cache {"clock":"12"}"#])
    #expect(try await fetch(client, Self.ask) == ["cache \(Self.ringed)"])
    clock.time.withLock { $0 += 10 }
    #expect(try await fetch(client, Self.ask) == ["server \(Self.ringed)"])
    #expect(server.requests.count == 4)
  }

  @Test
  func `keys and values may contain any Unicode`() async throws {
    let strange = "\u{1F426}\u{200D}\u{2B1B} é e\u{301} \u{10FFFF} + . \u{1F} \\ \" ("
    let text = JSONValue(strange).description
    let data = #"{"ringed":[{"__typename":"Bird","ring":\#(text),"name":\#(text)}]}"#
    let query = "{ ringed(rings: [\(text)]) { ring ... on Bird { name } } }"
    let (client, server) = try client([data])
    let first = try await fetch(client, query)
    #expect(first.first?.hasPrefix("server") == true)
    #expect(try await fetch(client, query, .cacheOnly) == first.map { "cache" + $0.dropFirst(6) })
    #expect(try await keys(client).contains("Bird:\(strange)"))
    #expect(server.requests.count == 1)
  }
}
