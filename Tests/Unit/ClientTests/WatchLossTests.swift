import ApusClientAPI
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientCache

/// Watched queries whose records are removed from the cache.
@Suite("Watched queries that lose records", .timeLimit(.minutes(1)))
struct WatchLossTests {
  typealias Results = GraphQLClient.Results<JSONValue>.AsyncIterator

  private func next(_ results: inout Results) async throws -> String {
    let result = try #require(try await results.next())
    let name = result.data?["bird"]?["name"]?.string ?? "nothing"
    return "\(result.source.rawValue) \(result.completeness.rawValue) \(name)"
  }

  /// Records delays without waiting.
  private final class Waits: Sendable {
    private let durations = Mutex<[Duration]>([])
    var all: [Duration] { durations.withLock { $0 } }

    var policy: RetryPolicy {
      var policy = RetryPolicy()
      policy.jitter = 0
      policy.sleep = { [self] duration in durations.withLock { $0.append(duration) } }
      return policy
    }
  }

  @Test
  func `each loss is refetched once`() async throws {
    let cached = try CachedClient((1...5).map { .json(CachedClient.bird("bird \($0)")) })
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    #expect(try await next(&results) == "server complete bird 1")
    for number in 2...5 {
      if number.isMultiple(of: 2) { try await cached.store.evict("Bird:1") } else { try await cached.store.clear() }
      #expect(try await next(&results) == "cache partial nothing")
      #expect(try await next(&results) == "server complete bird \(number)")
      #expect(cached.server.requests.count == number)
    }
  }

  @Test
  func `a loss during a refetch is refetched, too`() async throws {
    let gate = Gate()
    let cached = try CachedClient([
      .json(CachedClient.bird("first")),
      .multipart([
        .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"second"}},"hasNext":true}"#), .hold(gate),
        .text(#"{"hasNext":false}"#),
      ]), .json(CachedClient.bird("third")),
    ])
    var options = RequestOptions()
    options.cacheWrites = .incremental
    var results = cached.client.watch(query: try operation(CachedClient.bird), options: options).makeAsyncIterator()
    #expect(try await next(&results) == "server complete first")
    try await cached.store.clear()
    #expect(try await next(&results) == "cache partial nothing")
    #expect(try await next(&results) == "server partial second")
    try await cached.store.clear()
    gate.open()
    #expect(try await next(&results) == "server complete second")
    #expect(try await next(&results) == "cache partial nothing")
    #expect(try await next(&results) == "server complete third")
  }

  @Test
  func `a failed refetch is retried with doubling delays`() async throws {
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .json("{}", status: 503), .json("{}", status: 500),
      .json(CachedClient.bird("back")), .json(CachedClient.bird("again")),
    ])
    let waits = Waits()
    var options = RequestOptions()
    options.refetching = waits.policy
    var results = cached.client.watch(query: try operation(CachedClient.bird), options: options).makeAsyncIterator()
    #expect(try await next(&results) == "server complete Apus")
    try await cached.store.evict("Bird:1")
    // The remaining data, then the same with each error.
    for _ in 0..<3 { #expect(try await next(&results) == "cache partial nothing") }
    #expect(try await next(&results) == "server complete back")
    #expect(waits.all == [.milliseconds(300), .milliseconds(600)])
    // After a successful fetch, delays start over.
    try await cached.store.evict("Bird:1")
    #expect(try await next(&results) == "cache partial nothing")
    #expect(try await next(&results) == "server complete again")
    #expect(waits.all.count == 2)
  }

  @Test
  func `after a response without data, the next loss is refetched with a delay`() async throws {
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .json(#"{"data":null,"errors":[{"message":"not now"}]}"#),
      .json(CachedClient.bird("back")),
    ])
    let waits = Waits()
    var options = RequestOptions()
    options.refetching = waits.policy
    var results = cached.client.watch(query: try operation(CachedClient.bird), options: options).makeAsyncIterator()
    #expect(try await next(&results) == "server complete Apus")
    try await cached.store.evict("Bird:1")
    #expect(try await next(&results) == "cache partial nothing")
    #expect(try await next(&results) == "server complete nothing")
    #expect(waits.all.isEmpty)
    try await cached.store.evict("Bird:1")
    #expect(try await next(&results) == "cache partial nothing")
    #expect(try await next(&results) == "server complete back")
    #expect(waits.all == [.milliseconds(300)])
  }

  @Test
  func `a field that is null because of an error is not refetched`() async throws {
    let answer =
      #"{"data":{"bird":{"__typename":"Bird","id":"1","name":null}},"errors":[{"message":"shy","path":["bird","name"]}]}"#
    let cached = try CachedClient([.json(answer), .json(CachedClient.bird("asked once too often"))])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    #expect(try await next(&results) == "server complete nothing")
    try await cached.store.modify("Bird:1") { $0["id"] = .scalar("1") }
    try await cached.store.modify("Bird:1") { $0["name"] = .scalar("told by another") }
    #expect(try await next(&results) == "cache complete told by another")
    #expect(cached.server.requests.count == 1)
  }

  @Test
  func `two conflicting queries stop refetching until the next change`() async throws {
    let server = try ScriptedServer { request, _ in
      request.bodyText.contains("age")
        ? .json(#"{"data":{"bird":{"__typename":"Bird","id":"2","age":3}}}"#)
        : .json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus"}}}"#)
    }
    let client = GraphQLClient(url: server.url, store: CacheStore())
    var names = client.watch(query: try operation("{ bird { __typename id name } }")).makeAsyncIterator()
    #expect(try await next(&names) == "server complete Apus")
    var ages = client.watch(query: try operation("{ bird { __typename id age } }")).makeAsyncIterator()
    #expect(try await next(&ages) == "server complete nothing")
    // Each keeps its complete result while it refetches the data that the other's response removed.
    #expect(try await next(&names) == "server complete Apus")
    #expect(try await next(&ages) == "server complete nothing")
    // No more requests: the next one follows an eviction.
    #expect(server.requests.count == 4)
    try await client.store?.evict("Bird:2")
    while try await next(&names) != "server complete Apus" {}
  }

  @Test
  func `a loss caused by another process soon after a fetch is not refetched`() {
    var refetching = RefetchScheduler(RequestOptions())
    func change(_ cause: CacheChange.Cause, depth: Int = 0) -> CacheChange {
      CacheChange(number: 1, ChangeOrigin(cause, refetchDepth: depth), ChangedKeys())
    }
    #expect(refetching.changed(by: change(.external), isComplete: false, isLoss: true) == .fetch(depth: 1))
    refetching.succeeded(hasData: true)
    #expect(refetching.changed(by: change(.external), isComplete: false, isLoss: true) == .nothing)
    #expect(refetching.changed(by: change(.eviction), isComplete: false, isLoss: false) == .fetch(depth: 1))
    refetching.succeeded(hasData: true)
    #expect(
      refetching.changed(by: change(.write(operation: nil, part: 0), depth: 2), isComplete: false, isLoss: true)
        == .nothing)
  }

  @Test
  func `the same result is not emitted twice in a row`() async throws {
    let gate = Gate()
    let cached = try CachedClient([ScriptedAnswer.json(CachedClient.bird("Apus")).held(by: gate)])
    let query = try operation(CachedClient.bird)
    var results = cached.client.watch(query: query, cachePolicy: .networkOnly).makeAsyncIterator()
    _ = try await cached.server.request()
    // Other code writes the same records in the meantime. The fetched data overwrites it.
    let other = try operation("query Other { bird { __typename id name } }")
    try await cached.store.write(
      ["bird": ["__typename": "Bird", "id": "1", "name": "Hirundo"]], operation: other.compiled)
    gate.open()
    #expect(try await next(&results) == "server complete Apus")
    try await cached.store.modify("Bird:1") { $0["name"] = .scalar("Corvus") }
    #expect(try await next(&results) == "cache complete Corvus")
  }
}
