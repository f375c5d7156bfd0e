import PeopleAPI
import ScriptedServers
import Synchronization

private typealias Both = PagingStrategy<ListQuery, ListQuery>

/// Checks the contract of a pager: one load at a time, both directions, each call ends, several listeners.
func checkPagerUse(_ report: Report) async throws {
  try await checkDirections(report)
  try await checkLoads(report)
  try await checkListeners(report)
}

private func slices(_ client: GraphQLClient, from offset: Int) -> GraphQLQueryPager<ListQuery, ListQuery> {
  let pageInfo: Both.OffsetReader = { edge in
    func info(_ data: ListQuery.Data) -> OffsetPageInfo {
      OffsetPageInfo(offset: edge.variables["offset"]?.int ?? 0, count: data.list.count, limit: 2)
    }
    return edge.map(first: info, other: info)
  }
  return GraphQLQueryPager(
    client: client, query: ListQuery(offset: offset, limit: 2),
    strategy: .offsetBoth(pageInfo: pageInfo, query: { ListQuery(offset: $0.offset, limit: $0.limit) }))
}

private func ids(_ output: PagerOutput<ListQuery, ListQuery>) -> [String] {
  output.pages.flatMap { $0.data?.list.map(\.id) ?? [] }
}

private func checkDirections(_ report: Report) async throws {
  let scripted = try Scripted([
    .json(People.slice(2..<4)), .json(People.slice(0..<2)), .json(People.slice(4..<5)), .json(People.slice(5..<5)),
  ])
  let pager = slices(scripted.client, from: 2)
  try await pager.actor.fetch()
  report.check("there is a previous page and a next one", pager.canLoadPrevious && pager.canLoadNext)
  try await pager.actor.loadPrevious()
  try await pager.actor.loadNext()
  report.check("a short page may have a next one", pager.canLoadNext)
  try await pager.actor.loadNext()
  report.check("pages are in order", ids(pager.output), is: ["0", "1", "2", "3", "4"])
  report.check("and both ends of the list are found", pager.canLoadPrevious || pager.canLoadNext, is: false)

  // One query loads the first page, another one the rest.
  let first = PeopleQuery(first: 2)
  let twice = try Scripted([.json(People.page([1, 2], next: "c2")), .json(People.page([3], next: nil))])
  let other = GraphQLQueryPager<PeopleQuery, DynamicOperation>(
    client: twice.client, initialQuery: first,
    initialPageInfo: {
      ConnectionPageInfo(hasNextPage: $0.people.pageInfo.hasNextPage, endCursor: $0.people.pageInfo.endCursor)
    },
    pageInfo: { ConnectionPageInfo(json: $0["people"]?["pageInfo"]) },
    after: { DynamicOperation(compiled: first.compiled, variables: ["first": 2, "after": $0.json]) })
  try await other.actor.loadAll()
  report.check("the other pages can come from another query", other.output.pageCount, is: 2)
}

private func checkLoads(_ report: Report) async throws {
  let gate = Gate()
  let scripted = try Scripted([
    ScriptedAnswer.json(People.slice(0..<2)).held(by: gate), .json(People.slice(0..<2)),
  ])
  let pager = slices(scripted.client, from: 0)
  let load = Task { try await pager.actor.fetch() }
  _ = try await scripted.server.request()
  do {
    try await pager.actor.fetch()
    report.check("one page is loaded at a time", false)
  } catch {
    if case .loadInProgress = error { report.check("one page is loaded at a time", true) }
  }
  await pager.actor.cancel()
  gate.open()
  if case .failure(let failure as PagerError) = await load.result, case .cancelled = failure {
    report.check("a canceled load reports the cancellation", true)
  } else {
    report.check("a canceled load reports the cancellation", false)
  }

  // If there is a cached and a server result, a load ends with the server's.
  let query = ListQuery(offset: 0, limit: 2)
  let cached = try Scripted([.json(People.slice(0..<2)), .json(People.slice(0..<1))])
  _ = await all(cached.client.fetch(query: query))
  let both = slices(cached.client, from: 0)
  try await both.actor.fetch(cachePolicy: .cacheAndNetwork)
  report.check("a load ends with the server's response", ids(both.output), is: ["0"])

  // A call outside of a task has a completion, which receives the error.
  let lost = slices(try Scripted([.json("{}", status: 500)]).client, from: 0)
  let failure = await withCheckedContinuation { continuation in
    lost.fetch { (failure: PagerError?) in continuation.resume(returning: failure) }
  }
  report.check("a completion has the error", failure != nil)
}

private func checkListeners(_ report: Report) async throws {
  let pager = slices(try Scripted([.json(People.slice(0..<2))]).client, from: 0)
  let any = AnyGraphQLQueryPager(pager, transform: { output in ids(output).joined(separator: " ") })
  let heard = Mutex<[String: String]>([:])
  let subscriptions = ["one", "two"].map { name in
    any.subscribe { output in heard.withLock { $0[name] = output.model } }
  }
  try await any.fetch()
  var values = any.outputs.makeAsyncIterator()
  while let output = await values.next(), output.model != "0 1" {}
  while heard.withLock({ $0 }) != ["one": "0 1", "two": "0 1"] { await Task.yield() }
  report.check("all subscribers receive the same pages, in their own form", heard.withLock { $0.count }, is: 2)
  for subscription in subscriptions { subscription.cancel() }
}
