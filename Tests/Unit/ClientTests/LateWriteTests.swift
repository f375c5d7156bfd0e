import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// Results that are emitted before they are written to the cache.
@Suite("Results emitted before they are written", .timeLimit(.minutes(1)))
struct LateWriteTests {
  /// A cache in memory that delays writes until it is opened.
  private actor HeldCache: NormalizedCache {
    struct Full: Error, CustomStringConvertible { let description = "the disk is full" }

    private let inner = InMemoryNormalizedCache()
    private let opening = Signal()
    private let isFull: Bool

    init(isHeld: Bool, isFull: Bool = false) {
      self.isFull = isFull
      if !isHeld { opening.open() }
    }

    nonisolated func open() { opening.open() }

    func records(for request: RecordRequest) async -> RecordSet { await inner.records(for: request) }
    func snapshot() async -> CacheSnapshot { await inner.snapshot() }
    func apply(_ mutations: [CacheMutation], at time: UInt32) async throws -> ChangedKeys {
      await opening.wait()
      if isFull { throw Full() }
      return await inner.apply(mutations, at: time)
    }
    func update(
      at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
    ) async throws -> ChangedKeys { try await inner.update(at: time, body) }
    func byteCount() async -> Int { await inner.byteCount() }
    func recordUse(_ use: RecordUse) async { await inner.recordUse(use) }
    func trim(to limit: Int, keeping requests: [RecordRequest]) async -> ChangedKeys {
      await inner.trim(to: limit, keeping: requests)
    }
  }

  private static let parts = ScriptedAnswer.multipart([
    .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#),
    .text(#"{"incremental":[{"label":"a","path":["bird"],"data":{"age":3}}],"hasNext":true}"#),
    .text(#"{"incremental":[{"label":"b","path":["bird"],"data":{"ring":"x"}}],"hasNext":false}"#),
  ])
  private static let query =
    #"{ bird { __typename id name ... @defer(label: "a") { age } ... @defer(label: "b") { ring } } }"#

  private func options(_ request: RequestID? = nil) -> RequestOptions {
    var options = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .incremental)
    options.cacheWriteTiming = .afterResult
    options.requestID = request
    return options
  }

  @Test
  func `results are emitted while writes are delayed, and the stream ends after them`() async throws {
    let server = try ScriptedServer([Self.parts])
    let cache = HeldCache(isHeld: true)
    let store = CacheStore(cache: cache)
    let request = RequestID()
    let reported = Mutex<[CacheChange]>([])
    let observation = store.observe { change in reported.withLock { $0.append(change.change) } }
    let client = GraphQLClient(url: server.url, store: store)
    var results = client.fetch(query: try operation(Self.query), options: options(request)).makeAsyncIterator()
    var count = 0
    while let result = try await results.next() {
      count += 1
      #expect(result.changedKeys.isEmpty)
      #expect(reported.withLock { $0 }.isEmpty)
      // The last result was emitted. The cache may write from here on, and the stream ends after that.
      if result.completeness == .complete { cache.open() }
    }
    #expect(count == 3)
    let changes = reported.withLock { $0 }
    #expect(changes.map(\.cause) == (0..<3).map { .write(operation: nil, part: $0) })
    #expect(changes.allSatisfy { $0.request == request })
    #expect(changes.map { $0.changedKeys.descriptions.contains("Bird:1.age") } == [false, true, false])
    withExtendedLifetime(observation) {}
  }

  @Test
  func `a result is written even if reading stops`() async throws {
    let server = try ScriptedServer([Self.parts])
    let cache = HeldCache(isHeld: true)
    let store = CacheStore(cache: cache)
    var changes = await store.changes().makeAsyncIterator()
    let client = GraphQLClient(url: server.url, store: store)
    for try await _ in client.fetch(query: try operation(Self.query), options: options()) { break }
    cache.open()
    #expect(await changes.next()?.cause == .write(operation: nil, part: 0))
  }

  @Test
  func `a failing cache does not delay results, and its error follows the last one`() async throws {
    let server = try ScriptedServer([Self.parts])
    let store = CacheStore(cache: HeldCache(isHeld: false, isFull: true))
    let client = GraphQLClient(url: server.url, store: store)
    let run = await read(client.fetch(query: try operation(Self.query), options: options()))
    #expect(run.results.count == 3)
    #expect(run.lines.last?.contains("the disk is full") == true)
  }

  @Test
  func `a watch and a pager emit results with the error of a failing cache`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    let client = GraphQLClient(
      url: cached.server.url, store: CacheStore(cache: HeldCache(isHeld: false, isFull: true)))
    var results = client.watch(query: try operation(CachedClient.bird), cachePolicy: .networkOnly).makeAsyncIterator()
    #expect(try await results.next()?.errors.isEmpty == true)
    let reported = try #require(try await results.next())
    #expect(reported.data?["bird"]?["name"] == "Apus")
    #expect(reported.errors.map(\.message).contains { $0.contains("the disk is full") })

    let flock = try Flock(4, store: CacheStore(cache: HeldCache(isHeld: false, isFull: true)))
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    try await pager.loadAll()
    let pages = await pager.current
    #expect(pages.initialPage?.errors.contains { $0.message.contains("the disk is full") } == true)
    #expect(pages.nextPages.count == 1)
    #expect(!pages.canLoadNext)
  }

  @Test
  func `a result is written before an error ends the stream`() async throws {
    let server = try ScriptedServer([
      .multipart([.text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#), .close])
    ])
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    let run = await read(client.fetch(query: try operation(Self.query), options: options()))
    #expect(run.error != nil)
    #expect(try await store.record("Bird:1")?[field: "name"] == .scalar("Dag"))
  }

  @Test
  func `a result is written before it is emitted if there is an optimistic layer`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"rename":{"__typename":"Bird","id":"1","name":"Apus"}}}"#)])
    let store = CacheStore()
    let names = Mutex<[RecordValue?]>([])
    let observation = store.observe { change in
      names.withLock { $0.append(change.after.record("Bird:1")?[field: "name"]) }
    }
    var options = options()
    options.optimisticData = ["rename": ["__typename": "Bird", "id": "1", "name": "probably"]]
    let client = GraphQLClient(url: server.url, store: store)
    let mutation = try operation("mutation { rename { __typename id name } }")
    for try await _ in client.perform(mutation: mutation, options: options) {}
    // The name before the mutation never reappears, which would be nil.
    #expect(names.withLock { $0 } == [.scalar("probably"), .scalar("probably"), .scalar("Apus")])
    withExtendedLifetime(observation) {}
  }

  @Test
  func `cache changes contain the ID of their request`() async throws {
    let server = try ScriptedServer((1...2).map { .json(CachedClient.bird("bird \($0)")) })
    let store = CacheStore()
    let reported = Mutex<[RequestID?]>([])
    let observation = store.observe { change in reported.withLock { $0.append(change.change.request) } }
    let client = GraphQLClient(url: server.url, store: store)
    for _ in 1...2 {
      _ = await read(
        client.fetch(query: try operation(CachedClient.bird), options: RequestOptions(cachePolicy: .networkOnly)))
    }
    let requests = reported.withLock { $0 }
    #expect(requests.count == 2 && !requests.contains(nil) && Set(requests).count == 2)
    withExtendedLifetime(observation) {}
  }
}
