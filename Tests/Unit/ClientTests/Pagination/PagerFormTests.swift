import ApusClientAPI
import ApusClientCore
import ApusClientOperation
import ApusClientPagination
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// Forms of pagers: several subscribers, callers that do not wait, typed queries, and models.
@Suite(.timeLimit(.minutes(1))) struct PagerFormTests {
  // MARK: Subscribers

  @Test func `subscribers receive the latest output first`() async throws {
    let flock = try Flock(3)
    let pager = try flock.pager()
    try await pager.fetch()
    var first = pager.outputs.makeAsyncIterator()
    var second = pager.outputs.makeAsyncIterator()
    #expect(await first.next().map { reported($0) } == "(1 2)")
    #expect(await second.next().map { reported($0) } == "(1 2)")
    try await pager.loadNext()
    #expect(await first.next().map { reported($0) } == "(1 2) | 3")
    #expect(await second.next().map { reported($0) } == "(1 2) | 3")
    #expect(await pager.outputs.first { _ in true }?.pageCount == 2)
  }

  @Test func `a slow subscriber receives only the newest output`() async throws {
    let flock = try Flock(40)
    let pager = try flock.pager()
    var slow = pager.outputs.makeAsyncIterator()
    _ = await slow.next()
    try await pager.loadAll()
    #expect(await slow.next()?.pageCount == 20)
  }

  @Test func `the flags can be observed`() async throws {
    let flock = try Flock(4)
    let pager = try flock.pager(variables: ["after": "2"])
    var next = pager.canLoadNextValues.makeAsyncIterator()
    var previous = pager.canLoadPreviousValues.makeAsyncIterator()
    #expect(await next.next() == false)
    #expect(await previous.next() == false)
    try await pager.fetch()
    #expect(await previous.next() == true)
    try await pager.loadPrevious()
    #expect(await previous.next() == false)
  }

  @Test func `subscriptions end with their pager`() async throws {
    var outputs: PagerValues<Flock.Pager.Output>.AsyncIterator
    do {
      let flock = try Flock(4)
      let pager = try flock.pager()
      try await pager.fetch()
      outputs = pager.outputs.makeAsyncIterator()
    }
    while await outputs.next() != nil {}
  }

  // MARK: Callers that do not wait

  @Test func `callers need not wait for pages`() async throws {
    let flock = try Flock(3)
    let pager = GraphQLQueryPager(
      client: flock.client, query: try Flock.operation(Flock.connection),
      strategy: .cursorForward(path: ["birds"], variable: "after"))
    #expect(!pager.canLoadNext)
    let seen = Mutex<[Int]>([])
    let subscription = pager.subscribe { output in seen.withLock { $0.append(output.pageCount) } }
    let error = try await completed { pager.loadAll(completion: $0) }[0]
    #expect(error == nil)
    #expect(reported(pager.output) == "(1 2) | 3")
    #expect(!pager.canLoadNext)
    let last = try await completed { pager.loadNext(completion: $0) }[0]
    #expect(last?.description == "this is the last page")
    subscription.cancel()
  }

  @Test func `calls are processed in order`() async throws {
    let gate = Gate()
    let flock = try Flock(3) { _, _ in .json(#"{"data":\#(Flock.connection(count: 3))}"#).held(by: gate) }
    let pager = GraphQLQueryPager(
      client: flock.client, query: try Flock.operation(Flock.connection),
      strategy: .cursorForward(path: ["birds"], variable: "after"))
    let errors = try await completed(3) { completion in
      pager.fetch(completion: completion)
      pager.fetch(completion: completion)
      pager.cancel()
      pager.loadNext(completion: completion)
    }
    #expect(
      Set(errors.map { $0?.description ?? "loaded" }) == [
        "another page is already being loaded", "loading was canceled",
        "the initial page has not been loaded; fetch it first",
      ])
    pager.reset()
    gate.open()
    let error = try await completed { pager.refetch(completion: $0) }[0]
    #expect(error == nil)
    #expect(reported(pager.output) == "(1 2)")
  }

  // MARK: Typed queries

  @Test func `the initial page may have another query than the others`() async throws {
    let flock = try Flock(5)
    let pager = GraphQLQueryPager(
      client: flock.client, initialQuery: FirstBirds(),
      strategy: .cursorForward(
        pageInfo: { $0.map(first: \.pageInfo, other: \.pageInfo) }, after: { MoreBirds(after: $0.text) }))
    try await pager.actor.loadAll()
    #expect(pager.output.map(first: \.names, other: { $0.ids }) == [["bird 1", "bird 2"], ["3", "4"], ["5"]])
    #expect(flock.server.requests.map { $0.bodyText.contains("FirstBirds") } == [true, false, false])
  }

  @Test func `the strategy follows from the connection's page info`() async throws {
    let flock = try Flock(5)
    let single = GraphQLQueryPager(
      client: flock.client, query: MoreBirds(after: "2"), pageInfo: \.pageInfo, after: { MoreBirds(after: $0.text) })
    try await single.actor.fetch()
    #expect(single.canLoadNext)
    #expect(!single.canLoadPrevious)
    try await single.actor.loadAll()
    #expect(single.output.map(first: \.ids, other: \.ids) == [["3", "4"], ["5"]])
    let several = GraphQLQueryPager(
      client: flock.client, initialQuery: FirstBirds(), initialPageInfo: \.pageInfo, pageInfo: \.pageInfo,
      after: { MoreBirds(after: $0.text) })
    try await several.actor.loadAll()
    #expect(several.output.pageCount == 3)
  }

  // MARK: Models

  @Test func `a type erased pager returns models`() async throws {
    let flock = try Flock(5)
    let pager = AnyGraphQLQueryPager<[String]>(
      client: flock.client, initialQuery: FirstBirds(),
      strategy: .cursorForward(
        pageInfo: { $0.map(first: \.pageInfo, other: \.pageInfo) }, after: { MoreBirds(after: $0.text) }),
      initialTransform: \.names, pageTransform: { $0.ids.map { "bird \($0)" } })
    #expect(pager.output == nil)
    try await pager.fetch()
    #expect(pager.output?.model == ["bird 1", "bird 2"])
    #expect(pager.canLoadNext)
    let error = try await completed { pager.loadNext(completion: $0) }[0]
    #expect(error == nil)
    let output = await pager.outputs.first { $0.model.count == 4 }
    #expect(output?.model.last == "bird 4")
    #expect(try await pager.loadAll(fetchFromInitialPage: false) == .lastPage)
    #expect(pager.output?.model.count == 5)
    #expect(!pager.canLoadNext)
    await pager.reset()
    #expect(pager.output == nil)
  }

  @Test func `type erased pagers of different queries have one type`() async throws {
    let flock = try Flock(3)
    let typed = AnyGraphQLQueryPager<Int>(
      GraphQLQueryPager(
        client: flock.client, query: MoreBirds(after: "0"), pageInfo: \.pageInfo, after: { MoreBirds(after: $0.text) })
    ) { output in output.map(first: \.ids.count, other: \.ids.count).reduce(0, +) }
    let dynamic = AnyGraphQLQueryPager<Int>(
      GraphQLQueryPager(
        client: flock.client, query: try Flock.operation(Flock.connection),
        strategy: .cursorForward(path: ["birds"], variable: "after"))
    ) { output in output.pages.compactMap { $0.data?.value(at: ["birds", "edges"])?.count }.reduce(0, +) }
    for pager in [typed, dynamic] {
      try await pager.loadAll()
      #expect(pager.output?.model == 3)
    }
  }
}

/// A query with its model, as generated code would define it.
private struct FirstBirds: QueryOperation {
  struct Data: Sendable {
    let names: [String]
    let pageInfo: ConnectionPageInfo?
  }

  let compiled = compiledBirds("FirstBirds")
  var variables: JSONValue { [:] }

  func makeData(from response: ResponseData) throws -> Data {
    Data(names: nodes(response.json).compactMap { $0["name"]?.string }, pageInfo: pageInfo(response.json))
  }
}

private struct MoreBirds: QueryOperation {
  struct Data: Sendable {
    let ids: [String]
    let pageInfo: ConnectionPageInfo?
  }

  let after: String
  let compiled = compiledBirds("MoreBirds")
  var variables: JSONValue { ["after": JSONValue(after)] }

  init(after: String) { self.after = after }

  func makeData(from response: ResponseData) throws -> Data {
    Data(ids: nodes(response.json).compactMap { $0["id"]?.string }, pageInfo: pageInfo(response.json))
  }
}

private func nodes(_ json: JSONValue) -> [JSONValue] {
  json.value(at: ["birds", "edges"])?.elements.compactMap { $0["node"] } ?? []
}

private func pageInfo(_ json: JSONValue) -> ConnectionPageInfo? {
  ConnectionPageInfo(json: json.value(at: ["birds", "pageInfo"]))
}

private func compiledBirds(_ name: String) -> CompiledOperation {
  let text = Flock.connection.replacing("query (", with: "query \(name) (", maxReplacements: 1)
  do {
    return try Flock.operation(text).compiled
  } catch {
    fatalError("\(error)")
  }
}

/// Waits for the errors with which a number of calls complete; nil for success.
private func completed(
  _ count: Int = 1, _ call: (@escaping @Sendable (PagerError?) -> Void) -> Void
) async throws -> [PagerError?] {
  let (stream, continuation) = AsyncStream.makeStream(of: PagerError?.self)
  call { continuation.yield($0) }
  let errors = await stream.prefix(count).reduce(into: []) { $0.append($1) }
  try Task.checkCancellation()
  return errors
}
