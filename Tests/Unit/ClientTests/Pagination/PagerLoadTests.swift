import ApusClientAPI
import ApusClientPagination
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// `loadAll`, concurrent loads, reset, cancellation, and failing loads.
@Suite(.timeLimit(.minutes(1))) struct PagerLoadTests {
  // MARK: All pages

  @Test func `loadAll loads both directions with progress`() async throws {
    let flock = try Flock(9)
    let pager = try flock.pager(variables: ["after": "4"])
    let counts = Mutex<[Int]>([])
    #expect(try await pager.loadAll { state in counts.withLock { $0.append(state.pages) } } == .lastPage)
    #expect(counts.withLock { $0 } == [1, 2, 3, 4, 5])
    let output = await pager.current
    #expect(reported(output) == "1 2 | 3 4 | (5 6) | 7 8 | 9")
    #expect(output.progress == nil)
    #expect(!output.isLoading)
  }

  @Test func `loadAll loads one direction`() async throws {
    let flock = try Flock(9)
    let forward = try flock.pager(
      .cursorForward(path: ["birds"], variable: "after"), Flock.connection, ["after": "4"])
    #expect(try await forward.loadAll() == .lastPage)
    #expect(reported(await forward.current) == "(5 6) | 7 8 | 9")
    let reverse = try flock.pager(
      .cursorReverse(path: ["birds"], variable: "before"), Flock.connection, ["before": "6"])
    #expect(try await reverse.loadAll() == .lastPage)
    #expect(reported(await reverse.current) == "1 | 2 3 | (4 5)")
  }

  @Test func `the output contains the progress`() async throws {
    let gate = Gate()
    let flock = try Flock(9) { requested, _ in
      requested["after"] == "4" ? .json(#"{"data":\#(Flock.connection(after: "4", count: 9))}"#).held(by: gate) : nil
    }
    let pager = try flock.pager()
    let load = Task { try await pager.loadAll() }
    let output = await pager.outputs.first { $0.progress?.pages == 2 }
    #expect(output?.isLoading == true)
    gate.open()
    #expect(try await load.joined == .lastPage)
  }

  @Test func `loadAll stops at a page limit and can continue`() async throws {
    let flock = try Flock(9)
    let pager = try flock.pager()
    #expect(try await pager.loadAll(pageLimit: 3) == .pageLimit)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5 6")
    #expect(await pager.canLoadNext)
    #expect(try await pager.loadAll(fetchFromInitialPage: false) == .lastPage)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5 6 | 7 8 | 9")
  }

  @Test func `loadAll can reload from the initial page`() async throws {
    let flock = try Flock(5)
    let pager = try flock.pager()
    try await pager.fetch()
    try await pager.loadNext()
    try await pager.loadAll(fetchFromInitialPage: true)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5")
    #expect(flock.requested.count == 5)
  }

  @Test(arguments: ["null", #""""#]) func `an empty cursor ends loading`(_ cursor: String) async throws {
    let flock = try Flock(9) { _, _ in
      .json(#"{"data":\#(Flock.connection(count: 9, end: cursor, hasNext: true))}"#)
    }
    let pager = try flock.pager()
    #expect(try await pager.loadAll() == .emptyCursor)
    #expect(flock.requested.count == 1)
    #expect(await pager.current.end == .emptyCursor)
  }

  @Test func `a repeated cursor ends loading`() async throws {
    let flock = try Flock(9) { asked, _ in
      asked["after"] == "4"
        ? .json(#"{"data":\#(Flock.connection(after: "4", count: 9, end: #""2""#))}"#) : nil
    }
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    #expect(try await pager.loadAll() == .repeatedCursor)
    #expect(flock.requested.count == 3)
    #expect(
      await outcome { () throws(PagerError) in try await pager.loadNext() }
        == PagingStopReason.repeatedCursor.explanation)
  }

  // MARK: Concurrent loads

  @Test func `five concurrent calls are one load`() async throws {
    let gate = Gate()
    let flock = try Flock(9) { asked, _ in
      asked["after"] == "2" ? .json(#"{"data":\#(Flock.connection(after: "2", count: 9))}"#).held(by: gate) : nil
    }
    let pager = try flock.pager()
    try await pager.fetch()
    let results = await withTaskGroup(of: String.self) { group in
      for _ in 0..<5 { group.addTask { await outcome { () throws(PagerError) in try await pager.loadNext() } } }
      var results: [String] = []
      for await result in group {
        results.append(result)
        if results.count == 4 { gate.open() }
      }
      return results
    }
    #expect(results == Array(repeating: PagerError.loadInProgress.description, count: 4) + ["loaded"])
    #expect(flock.requested.count == 2)
    #expect(reported(await pager.current) == "(1 2) | 3 4")
  }

  @Test func `loads of different kinds exclude each other`() async throws {
    let flock = try Flock(9) { _, index in index == 1 ? .never : nil }
    let pager = try flock.pager()
    try await pager.fetch()
    let load = Task { await outcome { () throws(PagerError) in try await pager.loadNext() } }
    _ = try await flock.server.request(1)
    for result in [
      await outcome({ () throws(PagerError) in try await pager.fetch() }),
      await outcome({ () throws(PagerError) in try await pager.refetch() }),
      await outcome({ () throws(PagerError) in try await pager.loadPrevious() }),
      await outcome({ () throws(PagerError) in try await pager.loadAll() }),
    ] {
      #expect(result == "another page is already being loaded")
    }
    await pager.cancel()
    #expect(await load.joined == "loading was canceled")
  }

  // MARK: Reset and cancellation during a load

  @Test func `reset during a load publishes nothing and closes the connection`() async throws {
    let gate = Gate()
    let flock = try Flock(9) { _, index in
      index == 0 ? .json(#"{"data":\#(Flock.connection(count: 9))}"#).held(by: gate) : nil
    }
    let pager = try flock.pager()
    let load = Task { await outcome { () throws(PagerError) in try await pager.fetch() } }
    _ = try await flock.server.request(0)
    await pager.reset()
    #expect(await load.joined == "loading was canceled")
    try await flock.server.clientClosed(0)
    #expect(await pager.current.pageCount == 0)
    #expect(await !pager.current.isLoading)
    try await pager.fetch()
    #expect(reported(await pager.current) == "(1 2)")
  }

  @Test func `canceling the task during a load closes the connection`() async throws {
    let flock = try Flock(9) { _, index in index == 1 ? .never : nil }
    let pager = try flock.pager()
    try await pager.fetch()
    let load = Task { await outcome { () throws(PagerError) in try await pager.loadNext() } }
    _ = try await flock.server.request(1)
    load.cancel()
    #expect(await load.joined == "loading was canceled")
    try await flock.server.clientClosed(1)
    #expect(reported(await pager.current) == "(1 2)")
    try await pager.loadNext()
    #expect(reported(await pager.current) == "(1 2) | 3 4")
  }

  @Test func `canceling loadAll keeps loaded pages`() async throws {
    let flock = try Flock(99) { _, index in index == 3 ? .never : nil }
    let pager = try flock.pager()
    let load = Task { await outcome { () throws(PagerError) in try await pager.loadAll() } }
    _ = try await flock.server.request(3)
    await pager.cancel()
    #expect(await load.joined == "loading was canceled")
    try await flock.server.clientClosed(3)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5 6")
    #expect(await pager.canLoadNext)
  }

  // MARK: Failures

  @Test func `an initial page with errors and data is published`() async throws {
    let flock = try Flock(9) { _, index in
      index == 0 ? .json(#"{"data":\#(Flock.connection(count: 9)),"errors":[{"message":"tired"}]}"#) : nil
    }
    let pager = try flock.pager()
    try await pager.fetch()
    #expect(await pager.current.errors.map(\.message) == ["tired"])
    try await pager.loadNext()
    #expect(reported(await pager.current) == "(1 2) | 3 4")
    #expect(await pager.current.errors.count == 1)
  }

  @Test func `an initial page without data is an error`() async throws {
    let flock = try Flock(9) { _, index in
      index == 0 ? .json(#"{"data":null,"errors":[{"message":"asleep"}]}"#) : nil
    }
    let pager = try flock.pager()
    #expect(await outcome { () throws(PagerError) in try await pager.fetch() } == "the page has no data: asleep")
    let output = await pager.current
    #expect(output.initialPage == nil)
    #expect(output.failure?.description == "the page has no data: asleep")
    #expect(
      await outcome { () throws(PagerError) in try await pager.loadNext() }
        == "the initial page has not been loaded; fetch it first")
    try await pager.fetch()
    #expect(reported(await pager.current) == "(1 2)")
    #expect(await pager.current.failure == nil)
  }

  @Test func `a later page with errors and data is published`() async throws {
    let flock = try Flock(9) { _, index in
      index == 1
        ? .json(#"{"data":\#(Flock.connection(after: "2", count: 9)),"errors":[{"message":"tired"}]}"#) : nil
    }
    let pager = try flock.pager()
    try await pager.fetch()
    try await pager.loadNext()
    #expect(reported(await pager.current) == "(1 2) | 3 4")
    #expect(await pager.current.errors.map(\.message) == ["tired"])
    #expect(await pager.canLoadNext)
  }

  @Test func `a later page without data can be loaded again`() async throws {
    let flock = try Flock(9) { _, index in index == 1 ? .json(#"{"errors":[{"message":"asleep"}]}"#) : nil }
    let pager = try flock.pager()
    try await pager.fetch()
    #expect(await outcome { () throws(PagerError) in try await pager.loadNext() } == "the page has no data: asleep")
    #expect(reported(await pager.current) == "(1 2)")
    #expect(await pager.canLoadNext)
    try await pager.loadNext()
    #expect(reported(await pager.current) == "(1 2) | 3 4")
  }

  @Test func `a network error is the cause of the pager error`() async throws {
    let flock = try Flock(9) { _, _ in .response(status: 500, [.text("down")]) }
    let pager = try flock.pager()
    let told = await outcome { () throws(PagerError) in try await pager.fetch() }
    #expect(told.hasPrefix("cannot load the page: ") && told.contains("500"))
    #expect(await !pager.current.isLoading)
  }

  // MARK: Deferred fragments

  private static let slow = """
    query ($after: String) { birds(after: $after) { edges { cursor node { __typename id name } } \
    pageInfo { hasNextPage endCursor } } ... @defer(label: "weather") { weather } }
    """

  @Test func `incomplete pages are published`() async throws {
    let gate = Gate()
    let base = #"{"data":\#(Flock.connection(count: 9)),"hasNext":true}"#
    let rest = #"{"incremental":[{"data":{"weather":"rain"},"path":[],"label":"weather"}],"hasNext":false}"#
    let flock = try Flock(9) { _, _ in .multipart([.text(base), .hold(gate), .text(rest)]) }
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"), Self.slow)
    let load = Task { try await pager.fetch() }
    let partial = await pager.outputs.first { $0.initialPage != nil }
    #expect(partial?.initialPage?.result.completeness == .partial)
    #expect(partial?.initialPage?.result.fragments.map(\.state) == [.pending])
    #expect(partial?.isLoading == true)
    gate.open()
    try await load.joined
    let whole = await pager.current
    #expect(whole.initialPage?.data?["weather"] == "rain")
    #expect(whole.initialPage?.result.completeness == .complete)
  }

  @Test func `an interrupted page is kept and loaded again`() async throws {
    let base = #"{"data":\#(Flock.connection(after: "2", count: 9)),"hasNext":true}"#
    let flock = try Flock(9) { _, index in index == 1 ? .multipart([.text(base), .close]) : nil }
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"), Self.slow)
    try await pager.fetch()
    let failure = await outcome { () throws(PagerError) in try await pager.loadNext() }
    #expect(failure.hasPrefix("cannot load the page"))
    #expect(reported(await pager.current) == "(1 2) | 3 4")
    #expect(await pager.canLoadNext)
    try await pager.loadNext()
    #expect(reported(await pager.current) == "(1 2) | 3 4")
    #expect(flock.requested == ["{}", #"{"after":"2"}"#, #"{"after":"2"}"#])
    try await pager.loadNext()
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5 6")
  }
}
