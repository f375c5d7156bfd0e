import ApusClientAPI
import ApusClientOperation
import ApusClientPagination
import ApusJSON
import Testing

/// Several pages in each direction, with every strategy.
@Suite(.timeLimit(.minutes(1))) struct PagerDirectionTests {
  @Test func `next pages are loaded until the last`() async throws {
    let flock = try Flock(5)
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    #expect(await !pager.canLoadNext)
    try await pager.fetch()
    #expect(await pager.canLoadNext)
    #expect(await !pager.canLoadPrevious)
    try await pager.loadNext()
    #expect(await pager.canLoadNext)
    try await pager.loadNext()
    let output = await pager.current
    #expect(reported(output) == "(1 2) | 3 4 | 5")
    #expect(!output.canLoadNext)
    #expect(output.end == .lastPage)
    #expect(flock.requested == ["{}", #"{"after":"2"}"#, #"{"after":"4"}"#])
    #expect(await outcome { () throws(PagerError) in try await pager.loadNext() } == "this is the last page")
    #expect(flock.requested.count == 3)
  }

  @Test func `previous pages are in reading order`() async throws {
    let flock = try Flock(6)
    let pager = try flock.pager(
      .cursorReverse(path: ["birds"], variable: "before"), variables: ["before": "6"])
    try await pager.fetch()
    #expect(await pager.canLoadPrevious)
    #expect(await !pager.canLoadNext)
    try await pager.loadPrevious()
    try await pager.loadPrevious()
    let output = await pager.current
    #expect(reported(output) == "1 | 2 3 | (4 5)")
    #expect(!output.canLoadPrevious)
    #expect(output.start == .lastPage)
    #expect(output.lastUpdated == ["before": "2"])
  }

  @Test func `pages are loaded in both directions from the middle`() async throws {
    let flock = try Flock(7)
    let pager = try flock.pager(variables: ["after": "2"])
    try await pager.fetch()
    try await pager.loadNext()
    try await pager.loadPrevious()
    try await pager.loadNext()
    let output = await pager.current
    #expect(reported(output) == "1 2 | (3 4) | 5 6 | 7")
    #expect(!output.canLoadNext)
    #expect(!output.canLoadPrevious)
  }

  @Test func `pages are found by their variables`() async throws {
    let flock = try Flock(5)
    let pager = try flock.pager(.cursorForward(path: ["birds"], variable: "after"))
    try await pager.loadAll()
    let output = await pager.current
    #expect(output.pages.map(\.variables) == [[:], ["after": "2"], ["after": "4"]])
    let page = try #require(output.page(with: ["after": "2"]))
    #expect(page.data?.value(at: ["birds", "edges", 0, "cursor"]) == "3")
    #expect(output.page(with: ["after": "9"]) == nil)
  }

  @Test func `offset pages are loaded in both directions`() async throws {
    let flock = try Flock(8)
    let pager = try flock.pager(
      .offset(path: ["list"], offset: "offset", limit: "limit"), Flock.offsetList, ["offset": 3])
    try await pager.fetch()
    while await pager.canLoadNext { try await pager.loadNext() }
    while await pager.canLoadPrevious { try await pager.loadPrevious() }
    // The page at the start is shorter, so that no item is repeated.
    #expect(reported(await pager.current) == "1 | 2 3 | (4 5) | 6 7 | 8 | ")
    #expect(
      flock.requested == [
        #"{"offset":3}"#, #"{"offset":5,"limit":2}"#, #"{"offset":7,"limit":2}"#, #"{"offset":8,"limit":2}"#,
        #"{"offset":1,"limit":2}"#, #"{"offset":0,"limit":1}"#,
      ])
  }

  @Test func `an offset list of full pages ends with an empty page`() async throws {
    let flock = try Flock(4)
    let pager = try flock.pager(
      .offset(path: ["list"], offset: "offset", limit: "limit"), Flock.offsetList)
    #expect(try await pager.loadAll() == .lastPage)
    #expect(reported(await pager.current) == "(1 2) | 3 4 | ")
  }

  @Test func `offset pages are loaded in one direction`() async throws {
    let flock = try Flock(5)
    let query = try Flock.operation(Flock.offsetList)
    let info: DynamicPagingStrategy.OffsetReader = { edge in
      let count = edge.page.data?["list"]?.count ?? 0
      return OffsetPageInfo(offset: edge.variables["offset"]?.int ?? 0, count: count, limit: 2, total: 5)
    }
    let ask: DynamicPagingStrategy.SliceQuery = { slice in
      DynamicOperation(
        compiled: query.compiled, variables: ["offset": JSONValue(slice.offset), "limit": JSONValue(slice.limit)])
    }
    let forward = try flock.pager(.offsetForward(pageInfo: info, query: ask), Flock.offsetList)
    #expect(try await forward.loadAll() == .lastPage)
    #expect(reported(await forward.current) == "(1 2) | 3 4 | 5")
    #expect(await outcome { () throws(PagerError) in try await forward.loadPrevious() } == noQuery)
    let reverse = try flock.pager(.offsetReverse(pageInfo: info, query: ask), Flock.offsetList, ["offset": 4])
    #expect(try await reverse.loadAll() == .lastPage)
    #expect(reported(await reverse.current) == "1 | 2 | 3 | 4 | (5)")
    #expect(await outcome { () throws(PagerError) in try await reverse.loadNext() } == noQuery)
    let both = try flock.pager(.offsetBoth(pageInfo: info, query: ask), Flock.offsetList, ["offset": 2])
    try await both.loadAll()
    #expect(reported(await both.current) == "1 2 | (3 4) | 5")
  }

  @Test func `numbered pages are loaded in both directions`() async throws {
    let flock = try Flock(7)
    let query = try Flock.operation(Flock.numbered)
    let pager = try flock.pager(
      .pageNumber(
        pageInfo: { edge in
          NumberedPageInfo(
            number: edge.variables["page"]?.int ?? 1, count: edge.page.data?["paged"]?.count ?? 0, pageSize: 2)
        },
        query: { DynamicOperation(compiled: query.compiled, variables: ["page": JSONValue($0)]) }),
      Flock.numbered, ["page": 2])
    try await pager.loadAll()
    #expect(reported(await pager.current) == "1 2 | (3 4) | 5 6 | 7")
  }

  @Test func `a custom strategy loads pages`() async throws {
    let flock = try Flock(9)
    // Every second page.
    let pager = try flock.pager(
      PagingStrategy(next: { edge in
        let number = edge.variables["page"]?.int ?? 1
        guard edge.page.data?["paged"]?.count == 2 else { return .end(.lastPage) }
        return .page(DynamicOperation(compiled: edge.page.query.compiled, variables: ["page": JSONValue(number + 2)]))
      }), Flock.numbered)
    try await pager.loadAll()
    #expect(reported(await pager.current) == "(1 2) | 5 6 | 9")
  }

  @Test func `loading without an initial page is an error`() async throws {
    let flock = try Flock(5)
    let pager = try flock.pager()
    for load in [pager.loadNext, pager.loadPrevious] {
      do throws(PagerError) {
        try await load(.networkOnly)
        Issue.record("loaded")
      } catch {
        guard case .missingInitialPage = error else {
          Issue.record("\(error)")
          return
        }
      }
    }
    #expect(
      await outcome { () throws(PagerError) in try await pager.loadAll(fetchFromInitialPage: false) }
        == "the initial page has not been loaded; fetch it first")
    #expect(flock.requested.isEmpty)
  }

  /// The variables of the pages next to one with both cursors, and to one without.
  @Test(arguments: [#"{"n":1,"after":"a","before":"b"}"#, #"{"n":1}"#])
  func `each direction has only its own cursor`(variables: String) throws {
    let query = DynamicOperation(compiled: try compiled(Flock.connection), variables: try parsed(variables))
    let data = #"{"birds":{"pageInfo":{"hasNextPage":true,"endCursor":"e","hasPreviousPage":true,"startCursor":"s"}}}"#
    let page = Page(query: query, result: GraphQLResult(data: try parsed(data)))
    let strategy = DynamicPagingStrategy.cursorBoth(path: ["birds"], after: "after", before: "before")
    for (step, after, before) in [(strategy.next, "e", nil), (strategy.previous, nil, "s")] {
      guard case .page(let next)? = step?(.first(page)) else {
        Issue.record("no page")
        continue
      }
      #expect(next.variables["n"] == 1)
      #expect(next.variables["after"]?.string == after && next.variables["after"] != nil)
      #expect(next.variables["before"]?.string == before && next.variables["before"] != nil)
    }
  }

  @Test func `loading in an unsupported direction is an error`() async throws {
    let flock = try Flock(5)
    let pager = try flock.pager(
      .cursorForward(pageInfo: { _ in ConnectionPageInfo(hasNextPage: true, endCursor: "2") }, after: { _ in nil }))
    try await pager.fetch()
    #expect(await !pager.canLoadNext)
    #expect(await outcome { () throws(PagerError) in try await pager.loadNext() } == noQuery)
    #expect(await outcome { () throws(PagerError) in try await pager.loadPrevious() } == noQuery)
  }

  private let noQuery = "this pager has no query for this direction"
}

extension Flock {
  func pager(_ strategy: DynamicPagingStrategy? = nil, variables: JSONValue) throws -> Pager.Actor {
    try pager(
      strategy ?? .cursorBoth(path: ["birds"], after: "after", before: "before"), Self.connection, variables)
  }
}
