import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Testing

/// A client with a cache, a scripted server, and a query for both.
struct CachedClient {
  static let bird = "{ bird { __typename id name } }"

  let server: ScriptedServer
  let store = CacheStore()
  let client: GraphQLClient

  init(_ answers: [ScriptedAnswer]) throws {
    server = try ScriptedServer(answers)
    client = GraphQLClient(url: server.url, store: store)
  }

  static func bird(_ name: String, id: Int = 1) -> String {
    "{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"\(id)\",\"name\":\"\(name)\"}}}"
  }

  func fetch(
    _ policy: CachePolicy, _ text: String = bird, _ change: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> ClientRun {
    var options = RequestOptions(cachePolicy: policy)
    change(&options)
    return await read(client.fetch(query: try operation(text), options: options))
  }

  /// Returns `part source name` for each result, then the error.
  func reported(_ run: ClientRun) -> [String] {
    run.results.map { result in
      let name = result.data?["bird"]?["name"]?.string ?? "nothing"
      return "\(result.source.rawValue) \(result.completeness.rawValue) \(name)"
    } + (run.error.map { ["\($0)"] } ?? [])
  }
}

@Suite("Cache policies", .timeLimit(.minutes(1)))
struct CachePolicyTests {
  @Test
  func `a client has a default policy`() async throws {
    let server = try ScriptedServer([.json(CachedClient.bird("Apus"))])
    let client = GraphQLClient(url: server.url, store: CacheStore(), defaultCachePolicy: .networkOnly)
    for _ in 0..<2 { #expect(try await client.fetch(operation(CachedClient.bird)).source == .server) }
    #expect(try await client.fetch(operation(CachedClient.bird), cachePolicy: .cacheFirst).source == .cache)
    #expect(try await client.fetch(operation(CachedClient.bird), options: RequestOptions()).source == .cache)
    #expect(server.requests.count == 2)
  }

  @Test
  func `cacheFirst fetches once and then reads the cache`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    #expect(cached.reported(try await cached.fetch(.cacheFirst)) == ["server complete Apus"])
    #expect(cached.reported(try await cached.fetch(.cacheFirst)) == ["cache complete Apus"])
    #expect(cached.server.requests.count == 1)
  }

  @Test
  func `cacheFirst with partial reads emits cached data, then the fetched result`() async throws {
    let more = "{ bird { __typename id name wingspan } }"
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")),
      .json("{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\",\"name\":\"Apus\",\"wingspan\":40}}}"),
    ])
    _ = try await cached.fetch(.cacheFirst)
    let complete = try await cached.fetch(.cacheFirst, more)
    #expect(cached.reported(complete) == ["server complete Apus"])
    _ = try await cached.store.clear()
    let again = try CachedClient([
      .json(CachedClient.bird("Apus")),
      .json("{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\",\"name\":\"Apus\",\"wingspan\":40}}}"),
    ])
    _ = try await again.fetch(.cacheFirst)
    let partial = try await again.fetch(.cacheFirst, more) { $0.allowsPartialReads = true }
    #expect(again.reported(partial) == ["cache partial Apus", "server complete Apus"])
  }

  private static let deferred = "{ bird { __typename id name ... @defer(label: \"late\") { wingspan } } }"
  private static let complete = ScriptedAnswer.json(
    "{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\",\"name\":\"Apus\",\"wingspan\":40}}}")

  @Test func `cacheFirst emits a cached base, then the server's results with the deferred fragments`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("old")), Self.complete])
    _ = try await cached.fetch(.networkOnly)
    #expect(
      cached.reported(try await cached.fetch(.cacheFirst, Self.deferred)) == [
        "cache partial old", "server complete Apus",
      ])
    #expect(cached.reported(try await cached.fetch(.cacheFirst, Self.deferred)) == ["cache complete Apus"])
    #expect(cached.server.requests.count == 2)
  }

  @Test func `a watch with cacheFirst starts with the cached base`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("old")), Self.complete])
    _ = try await cached.fetch(.networkOnly)
    var results = cached.client.watch(query: try operation(Self.deferred), cachePolicy: .cacheFirst).makeAsyncIterator()
    let base = try #require(try await results.next())
    #expect(base.source == .cache && base.fragments.map(\.state.name) == ["pending"])
    let complete = try #require(try await results.next())
    #expect(complete.source == .server && complete.fragments.map(\.state.name) == ["fulfilled"])
  }

  @Test func `cacheFirst emits nothing from an empty cache, even if all fields are deferred`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    let run = try await cached.fetch(.cacheFirst, "{ ... @defer(label: \"late\") { bird { __typename id name } } }")
    #expect(cached.reported(run) == ["server complete Apus"])
  }

  @Test
  func `cacheAndNetwork emits both results`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("old")), .json(CachedClient.bird("new"))])
    _ = try await cached.fetch(.networkOnly)
    #expect(
      cached.reported(try await cached.fetch(.cacheAndNetwork)) == ["cache complete old", "server complete new"])
  }

  @Test
  func `cacheOnly never fetches, and missing data is an error`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    let miss = try await cached.fetch(.cacheOnly)
    #expect(
      miss.lines.first?.hasPrefix("the cache does not have all data of this operation: 'bird' is missing") == true)
    #expect(miss.exitCode == 3)
    #expect(cached.server.requests.isEmpty)
    _ = try await cached.fetch(.networkOnly)
    #expect(cached.reported(try await cached.fetch(.cacheOnly)) == ["cache complete Apus"])
    #expect(cached.server.requests.count == 1)
  }

  @Test
  func `networkFirst falls back to the cache if the network fails, not on server errors`() async throws {
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .raw([.close]), .raw([.close]), .response(status: 500, [.text("oh no")]),
    ])
    #expect(cached.reported(try await cached.fetch(.networkFirst)) == ["server complete Apus"])
    #expect(cached.reported(try await cached.fetch(.networkFirst)) == ["cache complete Apus"])
    let refused = try await cached.fetch(.networkFirst)
    #expect(refused.results.isEmpty)
    #expect(refused.exitCode == 3)
  }

  @Test
  func `a nullable field with an error does not keep the rest from being cached`() async throws {
    let text = "{ bird { __typename id name age } }"
    let answer =
      #"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus","age":null}},"#
      + #""errors":[{"message":"no age","path":["bird","age"]}]}"#
    for (policy, expected) in [
      (CachePolicy.networkFirst, ["cache partial Apus"]),
      (.cacheAndNetwork, ["cache partial Apus", "the network"]),
    ] {
      let cached = try CachedClient([.json(answer), .raw([.close])])
      #expect(cached.reported(try await cached.fetch(.networkOnly, text)) == ["server complete Apus"])
      let run = try await cached.fetch(policy, text) { $0.allowsPartialReads = true }
      #expect(run.results.map { $0.errors.map(\.message) } == [["no age"]])
      #expect(run.results.first?.data?["bird"]?["age"] == .some(.null))
      #expect(cached.reported(run).first == expected[0])
      #expect((run.error == nil) == (expected.count == 1))
    }
  }

  @Test
  func `null data with an error removes only the root field in the error's path`() async throws {
    let text = "{ bird { __typename id name } version }"
    let full = #"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus"},"version":"1"}}"#
    let failed = #"{"data":null,"errors":[{"message":"no bird","path":["bird","name"]}]}"#
    let refused = #"{"errors":[{"message":"not now"}]}"#
    let cached = try CachedClient([.json(full), .json(refused), .json(failed)])
    _ = try await cached.fetch(.networkOnly, text)
    _ = try await cached.fetch(.networkOnly, text)
    #expect(cached.reported(try await cached.fetch(.cacheOnly, text)) == ["cache complete Apus"])
    _ = try await cached.fetch(.networkOnly, text)
    let left = try await cached.fetch(.cacheOnly, text) { $0.allowsPartialReads = true }
    #expect(left.results.map { $0.errors.map(\.message) } == [["no bird"]])
    #expect(left.results.first?.data?.description == #"{"bird":null,"version":"1"}"#)
  }

  @Test
  func `cacheFirst and cacheAndNetwork use the network if the cache cannot be read`() async throws {
    for policy in [CachePolicy.cacheFirst, .cacheAndNetwork, .cacheOnly] {
      let server = try ScriptedServer([.json(CachedClient.bird("Apus"))])
      let client = GraphQLClient(url: server.url, store: CacheStore(cache: UnreadableCache()))
      var options = RequestOptions(cachePolicy: policy)
      options.cacheWrites = .never
      let run = await read(client.fetch(query: try operation(CachedClient.bird), options: options))
      #expect(run.results.map(\.source) == (policy == .cacheOnly ? [] : [.server]), "\(policy)")
      #expect((run.error == nil) == (policy != .cacheOnly))
    }
  }

  @Test
  func `networkFirst without cached data throws the network error`() async throws {
    let cached = try CachedClient([.raw([.close])])
    let run = try await cached.fetch(.networkFirst)
    #expect(run.lines.first?.contains("closed the connection without an answer") == true)
  }

  @Test
  func `cacheOnly without a cache is a cache miss`() async throws {
    let server = try ScriptedServer([.json(CachedClient.bird("Apus"))])
    let run = await read(
      GraphQLClient(url: server.url).fetch(query: try operation(CachedClient.bird), cachePolicy: .cacheOnly))
    #expect(run.exitCode == 3)
    #expect(server.requests.isEmpty)
  }

  @Test
  func `a mutation is sent whatever the policy, and its response is cached`() async throws {
    let cached = try CachedClient([
      .json(CachedClient.bird("old")),
      .json("{\"data\":{\"rename\":{\"__typename\":\"Bird\",\"id\":\"1\",\"name\":\"new\"}}}"),
    ])
    _ = try await cached.fetch(.cacheFirst)
    let mutation = try operation("mutation { rename { __typename id name } }")
    let run = await read(cached.client.perform(mutation: mutation))
    #expect(run.results.first?.changedKeys.contains("Bird:1.name") == true)
    #expect(cached.reported(try await cached.fetch(.cacheOnly)) == ["cache complete new"])
  }

  @Test
  func `a result contains exactly the changed keys`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("old")), .json(CachedClient.bird("new"))])
    let first = try await cached.fetch(.networkOnly)
    #expect(first.results.first?.changedKeys.contains("QUERY_ROOT.bird") == true)
    let second = try await cached.fetch(.networkOnly)
    #expect(second.results.first?.changedKeys == ["Bird:1.name"])
  }

  @Test
  func `a field that is null because of an error is not written`() async throws {
    let cached = try CachedClient([
      .json(
        "{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\",\"name\":null}},"
          + "\"errors\":[{\"message\":\"no\",\"path\":[\"bird\",\"name\"]}]}")
    ])
    _ = try await cached.fetch(.networkOnly)
    #expect(try await cached.fetch(.cacheOnly).lines.first?.contains("'bird.name' is missing") == true)
  }

  private let deferred = "{ bird { __typename id ... @defer { name } } }"
  private let first = "{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\"}},\"hasNext\":true}"
  private let second = "{\"incremental\":[{\"path\":[\"bird\"],\"data\":{\"name\":\"Apus\"}}],\"hasNext\":false}"

  @Test
  func `a deferred result is written when it is complete`() async throws {
    let gate = Gate()
    let cached = try CachedClient([.multipart([.text(first), .hold(gate), .text(second)])])
    var results = cached.client.fetch(query: try operation(deferred)).makeAsyncIterator()
    _ = try await results.next()
    #expect(try await cached.store.snapshot().count == 0)
    gate.open()
    #expect(try await results.next()?.changedKeys.contains("Bird:1.name") == true)
    #expect(cached.reported(try await cached.fetch(.cacheOnly, deferred)) == ["cache complete Apus"])
  }

  @Test
  func `with incremental writes, the initial result can be read before the fragment arrives`() async throws {
    let gate = Gate()
    let cached = try CachedClient([.multipart([.text(first), .hold(gate), .text(second)])])
    var options = RequestOptions(cacheWrites: .incremental)
    options.cachePolicy = .networkOnly
    var results = cached.client.fetch(query: try operation(deferred), options: options).makeAsyncIterator()
    #expect(try await results.next()?.changedKeys.contains("Bird:1.id") == true)
    let early = try await cached.fetch(.cacheOnly, deferred)
    #expect(cached.reported(early) == ["cache partial nothing"])
    #expect(early.results.first?.fragments.map(\.state.name) == ["pending"])
    gate.open()
    #expect(try await results.next()?.changedKeys == ["Bird:1.name"])
    #expect(cached.reported(try await cached.fetch(.cacheOnly, deferred)) == ["cache complete Apus"])
  }

  @Test
  func `nothing is written if the request disables cache writes`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    let run = try await cached.fetch(.networkOnly) { $0.cacheWrites = .never }
    #expect(run.results.first?.changedKeys.isEmpty == true)
    #expect(try await cached.store.snapshot().count == 0)
  }

  @Test
  func `a monitor can be reused by another request`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus")), .raw([.close])])
    var options = RequestOptions(cachePolicy: .networkFirst)
    options.monitor = RequestMonitor()
    let query = try operation(CachedClient.bird)
    let first = try await cached.client.fetch(query, options: options)
    #expect(first.source == .server)
    let second = try await cached.client.fetch(query, options: options)
    #expect(second.source == .cache)
  }
}

/// A cache that cannot be read.
private actor UnreadableCache: NormalizedCache {
  private struct Broken: Error {}

  func records(for request: RecordRequest) throws -> RecordSet { throw Broken() }
  func snapshot() throws -> CacheSnapshot { throw Broken() }
  func apply(_ mutations: [CacheMutation], at time: UInt32) throws -> ChangedKeys { throw Broken() }
  func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) throws -> ChangedKeys { throw Broken() }
  func byteCount() throws -> Int { throw Broken() }
  func recordUse(_ use: RecordUse) {}
  func trim(to limit: Int, keeping requests: [RecordRequest]) throws -> ChangedKeys { throw Broken() }
}
