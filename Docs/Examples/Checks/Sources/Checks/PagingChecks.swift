import PeopleAPI
import ScriptedServers
import Synchronization

/// Checks paging: forward, by offset, several pages in a row, releasing the pager, and lists that never end.
func checkPaging(_ report: Report) async throws {
  try await checkCursors(report)
  try await checkOffsets(report)
  try await checkDynamic(report)
}

private func cursorPager(_ client: GraphQLClient) -> GraphQLQueryPager<PeopleQuery, PeopleQuery> {
  typealias Strategy = PagingStrategy<PeopleQuery, PeopleQuery>
  @Sendable func info(_ data: PeopleQuery.Data) -> ConnectionPageInfo {
    .init(hasNextPage: data.people.pageInfo.hasNextPage, endCursor: data.people.pageInfo.endCursor)
  }
  let pageInfo: Strategy.PageInfoReader = { (edge: Strategy.Edge) in edge.map(first: info, other: info) }
  let after: Strategy.CursorQuery = { cursor in PeopleQuery(first: 2, after: .some(cursor.text)) }
  return GraphQLQueryPager(
    client: client, query: PeopleQuery(first: 2), strategy: .cursorForward(pageInfo: pageInfo, after: after))
}

private func names(_ output: PagerOutput<PeopleQuery, PeopleQuery>) -> [String] {
  output.pages.flatMap { $0.data?.people.edges.map(\.node.name) ?? [] }
}

private func checkCursors(_ report: Report) async throws {
  let scripted = try Scripted([
    .json(People.page([1, 2], next: "c2")), .json(People.page([3, 4], next: "c4")), .json(People.page([5], next: nil)),
  ])
  let pager = cursorPager(scripted.client)
  report.check("a new pager has no pages", pager.output.pageCount, is: 0)
  do {
    try await pager.actor.loadNext()
    report.check("the first page comes first", false)
  } catch {
    let failure: PagerError = error
    report.check("the first page comes first", "\(failure)".contains("initial page"))
  }
  let actor: GraphQLQueryPager<PeopleQuery, PeopleQuery>.Actor = pager.actor
  try await actor.fetch()
  report.check("the first page is there", names(pager.output), is: ["P1", "P2"])
  report.check("there is more", pager.canLoadNext)
  report.check("there is nothing before", !pager.canLoadPrevious)
  try await pager.actor.loadNext()
  report.check("the next page is there", names(pager.output), is: ["P1", "P2", "P3", "P4"])
  report.check(
    "with the cursor of the one before",
    try JSONValue(parsing: scripted.server.requests[1].bodyText)["variables"]?["after"], is: "c2")
  let end: PagingStopReason = try await pager.actor.loadAll(fetchFromInitialPage: false)
  report.check("all pages are there", names(pager.output).count, is: 5)
  report.check("the end is the last page", end, is: .lastPage)
  report.check("an end explains itself", end.explanation.isEmpty, is: false)
  report.check("there is no more", !pager.canLoadNext)
  let page: Page<PeopleQuery>? = pager.output.initialPage
  report.check("a page knows its query", page?.query.first, is: 2)
  report.check("a page has no errors", page?.errors.isEmpty, is: true)
  let pages: PageList<Page<PeopleQuery>> = pager.output.nextPages
  report.check("pages are a list", pages.count, is: 2)
  try await scripted.store.modify("User:1") { $0["name"] = .scalar("Changed") }
  var values: PagerValues<PagerOutput<PeopleQuery, PeopleQuery>>.AsyncIterator = pager.outputs.makeAsyncIterator()
  while let output = await values.next(), names(output).first != "Changed" {}
  report.check("a change of a record updates its page", names(pager.output).first, is: "Changed")
  let subscription: PagerSubscription = pager.subscribe { _ in }
  subscription.cancel()
  await pager.actor.reset()
  report.check("a reset pager is empty", pager.output.pageCount, is: 0)

  let endless = try Scripted((1...60).map { .json(People.page([], next: "c\($0)")) })
  let empty = cursorPager(endless.client)
  do {
    _ = try await empty.actor.loadAll()
    report.check("empty pages with ever new cursors come to an end", false)
  } catch {
    report.check("empty pages with ever new cursors come to an end", "\(error)".contains("empty page"))
  }
  report.check("soon", endless.requestCount <= 25)
  let turning = try Scripted([.json(People.page([1], next: "c1")), .json(People.page([2], next: "c1"))])
  report.check(
    "a cursor that comes again is an end", try await cursorPager(turning.client).actor.loadAll(), is: .repeatedCursor)
  let limited = try Scripted((1...9).map { .json(People.page([$0], next: "c\($0)")) })
  report.check(
    "a limit of pages holds", try await cursorPager(limited.client).actor.loadAll(pageLimit: 3), is: .pageLimit)
  report.check("and no more is asked", limited.requestCount, is: 3)

  let last = cursorPager(try Scripted([.json(People.page([1, 2], next: nil))]).client)
  let any = AnyGraphQLQueryPager(last, transform: { names($0) })
  try await any.fetch()
  let output: AnyGraphQLQueryPager<[String]>.Output? = any.output
  report.check("a type-erased pager has a model", output?.model, is: ["P1", "P2"])
  report.check("and knows its end", output?.canLoadNext, is: false)
  let completion: AnyGraphQLQueryPager<[String]>.Completion = { failure in _ = failure }
  any.fetch(completion: completion)
  let simple = GraphQLQueryPager(
    client: try Scripted([.json(People.page([1], next: nil))]).client, query: PeopleQuery(first: 2),
    pageInfo: { .init(hasNextPage: $0.people.pageInfo.hasNextPage, endCursor: $0.people.pageInfo.endCursor) },
    after: { PeopleQuery(first: 2, after: .some($0.text)) })
  report.check("a pager is made of two closures", try await simple.actor.loadAll(), is: .lastPage)
}

private func checkOffsets(_ report: Report) async throws {
  let scripted = try Scripted([
    .json(People.slice(0..<2)), .json(People.slice(2..<4)), .json(People.slice(4..<5)), .json(People.slice(5..<5)),
  ])
  typealias Strategy = PagingStrategy<ListQuery, ListQuery>
  let pageInfo: Strategy.OffsetReader = { edge in
    func info(_ data: ListQuery.Data) -> OffsetPageInfo {
      OffsetPageInfo(offset: edge.variables["offset"]?.int ?? 0, count: data.list.count, limit: 2)
    }
    return edge.map(first: info, other: info)
  }
  let query: Strategy.SliceQuery = { (slice: PageSlice) in ListQuery(offset: slice.offset, limit: slice.limit) }
  let strategy = Strategy.offsetForward(pageInfo: pageInfo, query: query)
  let pager = AnyGraphQLQueryPager(
    client: scripted.client, query: ListQuery(offset: 0, limit: 2), strategy: strategy, transform: { $0.list.map(\.id) }
  )
  let speed = Mutex(0.0)
  try await pager.loadAll { (progress: PagerProgress) in speed.withLock { $0 = progress.pagesPerSecond } }
  report.check("progress has a speed", speed.withLock { $0 > 0 })
  report.check("pages by offset are loaded", pager.output?.model, is: ["0", "1", "2", "3", "4"])
  report.check("an empty page is the last", scripted.requestCount, is: 4)
  let info = NumberedPageInfo(number: 2, count: 5, pageSize: 5)
  report.check("a full page has a next one", info.hasNext)
  let cursor = PageCursor("c1")
  report.check("a cursor is text", cursor.text, is: "c1")
  let connection = ConnectionPageInfo(hasNextPage: true, endCursor: "c1")
  report.check("a connection's page has a cursor", connection.endCursor, is: cursor)
  let step = PagingStrategy<ListQuery, ListQuery>.Step.end(.lastPage)
  let own = PagingStrategy<ListQuery, ListQuery>(next: { (_: BoundaryPage<ListQuery, ListQuery>) in step })
  let single = GraphQLQueryPager(
    client: try Scripted([.json(People.slice(0..<2))]).client, query: ListQuery(offset: 0, limit: 2), strategy: own)
  report.check("a custom strategy determines the end", try await single.actor.loadAll(), is: .lastPage)
  report.check("there are two directions", Set([PagingDirection.next, .previous]).count, is: 2)
  func store(_ source: any PageSource) -> Bool { source.store != nil }
  report.check("a client is a source of pages", store(scripted.client))
}

private func checkDynamic(_ report: Report) async throws {
  let first = PeopleQuery(first: 2)
  let data = try JSONValue(parsing: People.page([1, 2], next: "c2"))["data"] ?? .null
  let lists: [PageableList] = PageableListFinder.lists(in: data, operation: first.compiled, variables: first.variables)
  report.check("a list with pages is found", lists.count, is: 1)
  report.check("with its location", lists.first?.path, is: ["people"])
  report.check("and its items", lists.first?.itemCount, is: 2)
  if case .connection(let connection)? = lists.first {
    let found: PageableConnection = connection
    report.check("it is a connection", found.fieldName, is: "people")
    report.check("its argument is a variable", found.bindings["after"], is: ArgumentBinding.variable("after"))
  }
  let slice = ListQuery(offset: 0, limit: 2)
  let items = try JSONValue(parsing: People.slice(0..<2))["data"] ?? .null
  if case .offset(let list)? = PageableListFinder.lists(
    in: items, operation: slice.compiled, variables: slice.variables
  ).first {
    let found: OffsetList = list
    report.check("a list with an offset is found", found.placeArgument, is: "offset")
    report.check("it counts items", found.unit, is: OffsetList.Unit.items)
  }
  let scripted = try Scripted([.json(People.page([1, 2], next: "c2")), .json(People.page([3], next: nil))])
  let operation = DynamicOperation(compiled: first.compiled, variables: first.variables)
  let strategy: DynamicPagingStrategy = .cursorForward(path: ["people"], variable: "after")
  let pager: DynamicQueryPager = GraphQLQueryPager(client: scripted.client, query: operation, strategy: strategy)
  try await pager.actor.loadAll()
  report.check("pages are gone through without models", pager.output.pageCount, is: 2)
  report.check("a page is found by its variables", pager.output.page(with: first.variables) != nil)
}
