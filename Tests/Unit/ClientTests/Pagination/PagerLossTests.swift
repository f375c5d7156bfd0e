import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientPagination

/// Pages of a pager that lose cached records.
@Suite(.timeLimit(.minutes(1))) struct PagerLossTests {
  /// A server like the flock's, but with other names from a request on.
  private func flock(
    _ count: Int, again: @escaping @Sendable (JSONValue) -> ScriptedAnswer?, from first: Int
  ) throws -> Flock {
    try Flock(count, store: CacheStore()) { variables, index in index >= first ? again(variables) : nil }
  }

  @Test func `a loss read before its notification is still a loss`() async throws {
    let server = try ScriptedServer([.json(CachedClient.bird("Apus"))])
    let store = CacheStore()
    var changes = await store.changes().makeAsyncIterator()
    let query = try operation(CachedClient.bird)
    let result = try await GraphQLClient(url: server.url, store: store).fetch(query)
    let complete = try await store.read(query.compiled, allowPartial: true)
    var watch = PageWatcher<Int>()
    watch.loaded(0, result, complete, fetchBegan: 0, mayFetch: true)
    try await store.evict("Bird:1")
    let rest = try await store.read(query.compiled, allowPartial: true)
    #expect(!rest.isComplete)
    let written = try #require(await changes.next())
    let evicted = try #require(await changes.next())
    // The page's own write is not a loss, whatever was removed before its notification.
    #expect(watch.pages(touchedBy: written).isEmpty)
    #expect(watch.pages(touchedBy: evicted) == [0])
    guard case .lost(mayFetch: true) = watch.reread(0, rest, evicted) else {
      Issue.record("the eviction took something")
      return
    }
  }

  @Test func `an incomplete page is kept and only that page is refetched`() async throws {
    let gate = Gate()
    let flock = try flock(
      6,
      again: { _ in
        ScriptedAnswer.json(#"{"data":\#(Flock.connection(after: "2", count: 6).replacing("bird 4", with: "back"))}"#)
          .held(by: gate)
      }, from: 3)
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    try await pager.loadAll()
    try await flock.store?.evict("Bird:4")
    _ = try await flock.server.request(3)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5 6")
    #expect(await pager.current.end == .lastPage)
    gate.open()
    let output = await pager.outputs.first { reported($0).contains("back") }
    #expect(output.map { reported($0) } == "(1 2) | 3 4=back | 5 6")
    #expect(flock.requested == ["{}", #"{"after":"2"}"#, #"{"after":"4"}"#, #"{"after":"2"}"#])
  }

  @Test func `changes during a refetch are shown`() async throws {
    let gate = Gate()
    let flock = try flock(
      4,
      again: { _ in
        let data = Flock.connection(after: "2", count: 4)
        return .multipart([
          .text(#"{"data":\#(data),"hasNext":true}"#), .hold(gate), .text(#"{"hasNext":false}"#),
        ])
      }, from: 2)
    var options = RequestOptions()
    options.cacheWrites = .incremental
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"), options: options)
    try await pager.loadAll()
    let store = try #require(flock.store)
    try await store.evict("Bird:4")
    try await waitUntil { try await store.record("Bird:4") != nil }
    try await store.modify("Bird:3") { $0["name"] = .scalar("renamed") }
    try await waitUntil { await pager.changesDuringFetches.contains { $0.cause == .modification } }
    gate.open()
    let output = await pager.outputs.first { reported($0).contains("renamed") }
    #expect(output.map { reported($0) } == "(1 2) | 3=renamed 4")
    #expect(flock.requested.count == 3)
  }

  @Test func `a lost record in several pages is refetched once`() async throws {
    let flock = try Flock(6, store: CacheStore()) { variables, _ in
      let data = Flock.connection(after: variables["after"]?.string, count: 6)
      return .json(
        #"{"data":\#(data.replacing(#""name":"#, with: #""ringer":{"__typename":"Person","id":"p","age":4},"name":"#))}"#
      )
    }
    let text = Flock.connection.replacing("id name", with: "id name ringer { __typename id age }")
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"), text)
    try await pager.loadAll()
    try await flock.store?.evict("Person:p")
    _ = try await flock.server.request(3)
    // One response completes all pages. The next request is this one.
    try await waitUntil { try await flock.store?.record("Person:p") != nil }
    try await pager.refetch()
    #expect(flock.requested.count == 5)
    #expect(reported(await pager.current) == "(1 2)")
  }

  @Test func `an item deleted on the server is removed from the page`() async throws {
    let flock = try flock(
      6,
      again: { _ in
        .json(#"{"data":\#(Flock.connection(after: "2", count: 6).replacing(Flock.bird(4), with: "null"))}"#)
      }, from: 3)
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    try await pager.loadAll()
    try await flock.store?.evict("Bird:4")
    let output = await pager.outputs.first {
      $0.nextPages.first?.data?.value(at: ["birds", "edges", 1, "node"])?.isNull == true
    }
    #expect(output?.canLoadNext == false)
    #expect(output?.pageCount == 3)
    #expect(flock.requested.count == 4)
  }

  @Test func `a failed refetch is reported and retried`() async throws {
    let waits = Mutex<[Duration]>([])
    let failing = try Flock(2, store: CacheStore()) { _, index in
      index == 1 || index == 2 ? .json("{}", status: 503) : nil
    }
    var options = RequestOptions()
    options.refetching.jitter = 0
    options.refetching.sleep = { duration in waits.withLock { $0.append(duration) } }
    let pager = Flock.Pager.Actor(
      source: failing.client, initialQuery: try Flock.operation(Flock.connection),
      strategy: .cursorForward(path: ["birds"], variable: "after"), options: options)
    try await pager.fetch()
    var outputs = pager.outputs.makeAsyncIterator()
    try await failing.store?.evict("Bird:1")
    while let output = await outputs.next(), output.failure == nil { #expect(reported(output) == "(1 2)") }
    while let output = await outputs.next(), output.failure != nil { #expect(reported(output) == "(1 2)") }
    #expect(waits.withLock { $0 } == [.milliseconds(300), .milliseconds(600)])
    #expect(failing.requested.count == 4)
  }

  @Test func `a page with cacheOnly is not refetched`() async throws {
    let flock = try Flock(4, store: CacheStore())
    try await flock.pager().fetch()
    let pager = try flock.pager()
    try await pager.fetch(cachePolicy: .cacheOnly)
    try await flock.store?.evict("Bird:1")
    try await pager.loadNext()
    #expect(reported(await pager.current) == "(1 2) | 3 4")
    #expect(flock.requested.count == 2)
  }

  // MARK: Releasing

  @Test func `releasing a pager cancels its load`() async throws {
    let gate = Gate()
    let flock = try Flock(60) { _, index in
      index == 1 ? .json(#"{"data":\#(Flock.connection(after: "2", count: 60))}"#).held(by: gate) : nil
    }
    var pager: Flock.Pager? = Flock.Pager(actor: try flock.pager(.cursorForward(path: ["birds"], variable: "after")))
    let (ended, end) = AsyncStream.makeStream(of: String.self)
    pager?.loadAll { end.yield("\($0.map { "\($0)" } ?? "done")") }
    pager?.refetch { end.yield("\($0.map { "\($0)" } ?? "done")") }
    _ = try await flock.server.request(1)
    pager = nil
    try await flock.server.clientClosed(1)
    gate.open()
    var errors: [String] = []
    for await error in ended.prefix(2) { errors.append(error) }
    #expect(errors.sorted() == ["another page is already being loaded", "loading was canceled"])
    #expect(flock.requested.count == 2)
  }

  @Test func `releasing a pager cancels its refetch`() async throws {
    let flock = try Flock(4, store: CacheStore()) { _, index in index == 1 ? .never : nil }
    var pager: Flock.Pager.Actor? = try flock.pager()
    try await pager?.fetch()
    try await flock.store?.evict("Bird:1")
    _ = try await flock.server.request(1)
    pager = nil
    try await flock.server.clientClosed(1)
  }

  @Test func `a reset cancels the refetch of a lost page`() async throws {
    let flock = try Flock(4, store: CacheStore()) { _, index in index == 1 ? .never : nil }
    let pager = try flock.pager()
    try await pager.fetch()
    try await flock.store?.evict("Bird:1")
    _ = try await flock.server.request(1)
    await pager.reset()
    try await flock.server.clientClosed(1)
    #expect(await pager.refetcher.lost.isEmpty)
    try await pager.fetch()
    #expect(reported(await pager.current) == "(1 2)")
    #expect(flock.requested.count == 3)
  }

  // MARK: Empty pages

  @Test func `too many empty pages are an error`() async throws {
    var strategy = DynamicPagingStrategy.cursorForward(path: ["birds"], variable: "after")
    strategy.emptyPageLimit = 5
    let endless = try Flock(2) { _, index in
      .json(#"{"data":{"birds":{"edges":[],"pageInfo":{"hasNextPage":true,"endCursor":"c\#(index)"}}}}"#)
    }
    let other = Flock.Pager.Actor(
      source: endless.client, initialQuery: try Flock.operation(Flock.connection), strategy: strategy)
    let error = await #expect(throws: PagerError.self) { try await other.loadAll() }
    #expect(error.map { "\($0)" } == PagingStopReason.emptyPages.explanation)
    #expect(endless.requested.count == 5)
    #expect(await other.current.end == .emptyPages)
    await #expect(throws: PagerError.self) { try await other.loadNext() }
    #expect(endless.requested.count == 5)
  }

  /// The limit is for consecutive pages, and the first page is one page however often it is fetched.
  @Test(arguments: [true, false])
  func `refetching an empty first page does not end paging`(isForward: Bool) async throws {
    var strategy = DynamicPagingStrategy.cursorBoth(path: ["birds"], after: "after", before: "before")
    strategy.emptyPageLimit = 3
    let info = #"{"hasNextPage":true,"endCursor":"0","hasPreviousPage":true,"startCursor":"3"}"#
    let flock = try Flock(2) { variables, _ in
      guard variables["after"]?.string == nil, variables["before"]?.string == nil else { return nil }
      return .json(#"{"data":{"birds":{"edges":[],"pageInfo":\#(info)}}}"#)
    }
    let pager = Flock.Pager.Actor(
      source: flock.client, initialQuery: try Flock.operation(Flock.connection), strategy: strategy)
    for _ in 0..<5 { try await pager.refetch() }
    #expect(await isForward ? pager.current.canLoadNext : pager.current.canLoadPrevious)
    try await isForward ? pager.loadNext() : pager.loadPrevious()
    #expect(reported(await pager.current) == (isForward ? "() | 1 2" : "1 2 | ()"))
  }

  @Test func `some empty pages are skipped`() async throws {
    let flock = try Flock(2) { _, index in
      let edges = index.isMultiple(of: 4) ? #"{"cursor":"x","node":\#(Flock.bird(index))}"# : ""
      return .json(
        #"{"data":{"birds":{"edges":[\#(edges)],"pageInfo":{"hasNextPage":\#(index < 12),"endCursor":"c\#(index)"}}}}"#)
    }
    var strategy = DynamicPagingStrategy.cursorForward(path: ["birds"], variable: "after")
    strategy.emptyPageLimit = 4
    let pager = Flock.Pager.Actor(
      source: flock.client, initialQuery: try Flock.operation(Flock.connection), strategy: strategy)
    #expect(try await pager.loadAll() == .lastPage)
    #expect(flock.requested.count == 13)
  }

  @Test func `a page lost during a canceled load is refetched`() async throws {
    let flock = try Flock(6, store: CacheStore()) { variables, index in
      index == 1 ? .json(#"{"data":\#(Flock.connection(after: "2", count: 6))}"#).held(by: Gate()) : nil
    }
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    try await pager.fetch()
    let load = Task { try await pager.loadNext() }
    _ = try await flock.server.request(1)
    var changes = try #require(await flock.store?.changes()).makeAsyncIterator()
    try await flock.store?.evict("Bird:1")
    _ = await changes.next()
    // The pager has processed the change when it lists the loss.
    try await waitUntil { await !pager.refetcher.lost.isEmpty }
    await pager.cancel()
    _ = try await flock.server.request(2)
    #expect(flock.requested == ["{}", #"{"after":"2"}"#, "{}"])
    _ = await load.result
  }

  @Test func `a stale page follows the cache`() async throws {
    let time = Mutex<UInt32>(1000)
    let store = CacheStore(policies: CachePolicies(defaultTimeToLive: 10), clock: { time.withLock { $0 } })
    let flock = try Flock(2, store: store)
    _ = try await flock.client.fetch(try Flock.operation(Flock.connection))
    time.withLock { $0 = 5000 }
    var options = RequestOptions()
    options.allowsStaleReads = true
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"), options: options)
    try await pager.fetch(cachePolicy: .cacheFirst)
    #expect(reported(await pager.current) == "(1 2)")
    try await store.modify("Bird:1") { $0["name"] = .scalar("changed") }
    let output = await pager.outputs.first { reported($0).contains("changed") }
    #expect(output.map { reported($0) } == "(1=changed 2)")
    #expect(flock.requested.count == 1)
  }
}
