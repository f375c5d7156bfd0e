import ApusClientAPI
import ApusClientCore
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache
@testable import ApusClientPagination

/// Pagers and the cache: policies, and pages that change.
@Suite(.timeLimit(.minutes(5))) struct PagerCacheTests {
  private static func rename(_ id: Int, _ name: String) -> String {
    #"{"data":{"rename":\#(Flock.bird(id, name: name))}}"#
  }

  private func rename(_ flock: Flock) async throws {
    for try await _ in flock.client.perform(
      mutation: try Flock.operation("mutation { rename { __typename id name } }"))
    {}
  }

  @Test func `a mutation republishes the pages that contain the record`() async throws {
    let flock = try Flock(6, store: CacheStore()) { _, index in
      index == 3 ? .json(Self.rename(3, "Apus")) : index == 4 ? .json(Self.rename(1, "Hirundo")) : nil
    }
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    try await pager.loadAll()
    try await rename(flock)
    let second = await pager.outputs.first { reported($0).contains("Apus") }
    #expect(second.map { reported($0) } == "(1 2) | 3=Apus 4 | 5 6")
    #expect(second?.lastUpdated == ["after": "2"])
    try await rename(flock)
    let first = await pager.outputs.first { reported($0).contains("Hirundo") }
    #expect(first.map { reported($0) } == "(1=Hirundo 2) | 3=Apus 4 | 5 6")
    #expect(first?.lastUpdated == [:])
    #expect(first?.initialPage?.result.source == .cache)
  }

  @Test func `an unrelated change publishes nothing`() async throws {
    let flock = try Flock(2, store: CacheStore()) { _, index in
      index == 1 ? .json(Self.rename(77, "Corvus")) : index == 2 ? .json(Self.rename(1, "Apus")) : nil
    }
    let pager = try flock.pager()
    try await pager.fetch()
    var outputs = pager.outputs.makeAsyncIterator()
    _ = await outputs.next()
    try await rename(flock)
    try await rename(flock)
    #expect(await outputs.next().map { reported($0) } == "(1=Apus 2)")
  }

  @Test func `after a reset nothing is watched`() async throws {
    let store = CacheStore()
    let flock = try Flock(4, store: store)
    let pager = try flock.pager()
    try await pager.fetch()
    await pager.reset()
    try await store.evict("Bird:1")
    try await pager.fetch(cachePolicy: .networkOnly)
    #expect(reported(await pager.current) == "(1 2)")
  }

  @Test func `a pager that is released no longer listens to the cache`() async throws {
    let store = CacheStore()
    let flock = try Flock(4, store: store)
    do {
      let pager = try flock.pager()
      try await pager.fetch()
      #expect(await store.listeners.count == 1)
    }
    try await waitUntil { await store.listeners.isEmpty }
  }

  @Test func `cacheAndNetwork publishes the cached page and returns after the fetch`() async throws {
    let store = CacheStore()
    let gate = Gate()
    let flock = try Flock(9, store: store) { _, index in
      index == 1
        ? .json(#"{"data":\#(Flock.connection(count: 2))}"#).held(by: gate) : nil
    }
    try await flock.pager().fetch()
    let pager = try flock.pager()
    let load = Task { try await pager.fetch(cachePolicy: .cacheAndNetwork) }
    let cached = await pager.outputs.first { $0.initialPage != nil }
    #expect(cached?.initialPage?.result.source == .cache)
    #expect(cached?.isLoading == true)
    #expect(cached?.canLoadNext == true)
    gate.open()
    try await load.joined
    let output = await pager.current
    #expect(output.initialPage?.result.source == .server)
    #expect(!output.canLoadNext)
  }

  @Test func `each load has a cache policy`() async throws {
    let store = CacheStore()
    let flock = try Flock(5, store: store)
    try await flock.pager().loadAll()
    #expect(flock.requested.count == 3)
    let pager = try flock.pager()
    try await pager.fetch(cachePolicy: .cacheOnly)
    try await pager.loadNext(cachePolicy: .cacheFirst)
    #expect(try await pager.loadAll(fetchFromInitialPage: false, cachePolicy: .cacheOnly) == .lastPage)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5")
    #expect(flock.requested.count == 3)
    try await pager.refetch()
    #expect(flock.requested.count == 4)
    #expect(reported(await pager.current) == "(1 2)")
  }

  @Test func `a pager continues from an existing initial page`() async throws {
    let flock = try Flock(5)
    let query = try Flock.operation(Flock.connection)
    var page: Page<DynamicOperation>?
    for try await result in flock.client.fetch(query: query) { page = Page(query: query, result: result) }
    let pager = Flock.Pager.Actor(
      source: flock.client, startingWith: try #require(page),
      strategy: .cursorForward(path: ["birds"], variable: "after"))
    #expect(await pager.canLoadNext)
    #expect(try await pager.loadAll(fetchFromInitialPage: false) == .lastPage)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5")
    #expect(flock.requested.count == 3)
  }

  @Test func `a cache too small for the pages does not cause endless fetches`() async throws {
    let store = CacheStore(policies: CachePolicies(byteLimit: 400))
    let flock = try Flock(12, store: store)
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    try await pager.loadAll()
    #expect(flock.requested.count == 6)
    // Nor does garbage collection.
    try await store.collectGarbage(onlyRetained: true)
    #expect(try await store.summaries().contains { $0.key.text == "Bird:1" })
    // After a reset, the pager no longer retains its pages.
    await pager.reset()
    try await waitUntil {
      try await store.collectGarbage(onlyRetained: true)
      return try await !store.summaries().contains { $0.key.text.hasPrefix("Bird:") }
    }
    #expect(flock.requested.count == 6)
  }

  @Test func `unsubscribing during publishing does not block`() async throws {
    let multicast = Multicast(0)
    let sending = Task.detached {
      var value = 0
      while !Task.isCancelled {
        value += 1
        multicast.send(value)
        // Other tasks of the process must run, too.
        if value.isMultiple(of: 1_000) { await Task.yield() }
      }
    }
    for _ in 0..<200 {
      let listeners = (0..<10).map { _ in Task.detached { for await _ in multicast.values() {} } }
      await Task.yield()
      for listener in listeners { listener.cancel() }
      for listener in listeners { await listener.value }
    }
    sending.cancel()
    await sending.value
  }
}
