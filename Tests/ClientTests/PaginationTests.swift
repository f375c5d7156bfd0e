import ClientAPI
import ClientOperation
import JSON
import Synchronization
import Testing

@testable import ClientPagination

/// What a pager promises to who pages.
@Suite struct PaginationTests {
  private static let text = """
    query ($after: String) { birds(first: 2, after: $after) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }
    """

  private func pager(
    _ server: PageServer, strategy: PagingStrategy = .cursorForward(path: ["birds"], variable: "after")
  ) throws -> GraphQLQueryPager.Actor {
    GraphQLQueryPager.Actor(
      first: PageRequest(operation: try compiled(Self.text)), strategy: strategy, fetch: server.fetch)
  }

  private func server(_ count: Int, gate: PageGate? = nil) -> PageServer {
    PageServer(gate: gate) { [GraphQLResult(data: PageServer.birds(count, after: $0.variables["after"]?.string))] }
  }

  private func ids(_ output: PagerOutput) -> [[String]] {
    output.pages.map { page in
      (page.result.data?.value(at: ["birds", "edges"])?.elements.map { $0 } ?? []).compactMap {
        $0.value(at: ["node", "id"])?.string
      }
    }
  }

  @Test func pagesComeInReadingOrderUntilTheLast() async throws {
    let server = server(5)
    let pager = try pager(server)
    #expect(await !pager.canLoadNext)
    try await pager.fetch()
    #expect(await pager.canLoadNext)
    try await pager.loadNext()
    #expect(await pager.canLoadNext)
    try await pager.loadNext()
    let output = await pager.current
    #expect(ids(output) == [["1", "2"], ["3", "4"], ["5"]])
    #expect(!output.canLoadNext)
    #expect(output.end == .lastPage)
    #expect(output.lastUpdated == (try parsed(#"{"after":"4"}"#)))
    #expect(server.requests.map(\.variables.description) == ["{}", #"{"after":"2"}"#, #"{"after":"4"}"#])
    await #expect(throws: PagerError.self) { try await pager.loadNext() }
    #expect(server.requests.count == 3)
  }

  @Test func withoutAFirstPageThereIsNoNext() async throws {
    let pager = try pager(server(5))
    do {
      try await pager.loadNext()
      Issue.record("loaded")
    } catch {
      guard case .missingFirstPage = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func allPagesWithProgressAndALimit() async throws {
    let counts = Mutex<[Int]>([])
    let pager = try pager(server(9))
    #expect(try await pager.loadAll { count in counts.withLock { $0.append(count) } } == .lastPage)
    #expect(counts.withLock { $0 } == [1, 2, 3, 4, 5])
    let limited = try self.pager(server(9))
    #expect(try await limited.loadAll(pageLimit: 3) == .pageLimit)
    #expect(ids(await limited.current) == [["1", "2"], ["3", "4"], ["5", "6"]])
    #expect(await limited.canLoadNext)
  }

  @Test func anEmptyOrARepeatedCursorEndsIt() async throws {
    for empty in ["null", #""""#] {
      let server = PageServer { _ in
        [GraphQLResult(data: PageServer.birds(9, after: nil, end: empty, hasNext: true))]
      }
      #expect(try await pager(server).loadAll() == .emptyCursor)
      #expect(server.requests.count == 1)
    }
    let server = PageServer { asked in
      let isSecond = asked.variables["after"]?.string == "2"
      return [
        GraphQLResult(data: PageServer.birds(9, after: asked.variables["after"]?.string, end: isSecond ? #""2""# : nil))
      ]
    }
    let pager = try pager(server)
    #expect(try await pager.loadAll() == .repeatedCursor)
    #expect(server.requests.count == 2)
    #expect(await pager.current.end == .repeatedCursor)
  }

  @Test func oneLoadAtATime() async throws {
    let gate = PageGate()
    let server = server(9, gate: gate)
    let pager = try pager(server)
    await gate.open()
    try await pager.fetch()
    let results = await withTaskGroup(of: String.self) { group in
      for _ in 0..<5 {
        group.addTask {
          do {
            try await pager.loadNext()
            return "loaded"
          } catch {
            if case .loadInProgress? = error as? PagerError { await gate.open() }
            return "\(error)"
          }
        }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(results.filter { $0 == "loaded" }.count == 1)
    #expect(results.filter { $0 == PagerError.loadInProgress.description }.count == 4)
    #expect(ids(await pager.current) == [["1", "2"], ["3", "4"]])
  }

  @Test func cancellingPublishesNothingMore() async throws {
    let gate = PageGate()
    let server = server(9, gate: gate)
    let pager = try pager(server)
    await gate.open()
    try await pager.fetch()
    let load = Task { try await pager.loadNext() }
    await gate.arrival(2)
    load.cancel()
    await gate.open()
    let outcome = await load.result
    guard case .failure(let error) = outcome, case .cancelled? = error as? PagerError else {
      Issue.record("\(outcome)")
      return
    }
    #expect(ids(await pager.current) == [["1", "2"]])
    #expect(await !pager.current.isLoading)
    await gate.open()
    try await pager.loadNext()
    #expect(ids(await pager.current) == [["1", "2"], ["3", "4"]])
  }

  @Test func resetInFlightLeavesNothing() async throws {
    let gate = PageGate()
    let pager = try pager(server(9, gate: gate))
    let load = Task { try await pager.fetch() }
    await gate.arrival(1)
    await pager.reset()
    await gate.open()
    _ = await load.result
    #expect(await pager.current.pages.isEmpty)
    await gate.open()
    try await pager.fetch()
    #expect(ids(await pager.current) == [["1", "2"]])
  }

  @Test func manySubscribersSeeTheLatestFirst() async throws {
    let pager = try pager(server(3))
    try await pager.fetch()
    let first = await pager.outputs()
    let second = await pager.outputs()
    try await pager.loadNext()
    for stream in [first, second] {
      for await output in stream where !output.isLoading && output.pages.count == 2 {
        #expect(ids(output) == [["1", "2"], ["3"]])
        break
      }
    }
    for await output in await pager.outputs() {
      #expect(output.pages.count == 2)
      break
    }
  }

  @Test func errorsOfAPageAreKeptAndAPageWithoutDataFails() async throws {
    let error = GraphQLError(message: "tired")
    let server = PageServer { asked in
      let cursor = asked.variables["after"]?.string
      if cursor == "2" { return [GraphQLResult(data: nil, errors: [error])] }
      return [GraphQLResult(data: PageServer.birds(9, after: cursor), errors: [error])]
    }
    let pager = try pager(server)
    try await pager.fetch()
    #expect(await pager.current.errors == [error])
    do {
      try await pager.loadNext()
      Issue.record("loaded")
    } catch {
      #expect(error.description == "the page has no data: tired")
    }
    #expect(await pager.canLoadNext)
    #expect(ids(await pager.current) == [["1", "2"]])
  }

  @Test func aFailingFetchIsTheCause() async throws {
    struct Broken: Error {}
    let pager = try pager(PageServer { _ in throw Broken() })
    do {
      try await pager.fetch()
      Issue.record("loaded")
    } catch {
      guard case .failed(let cause) = error, cause is Broken else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(await !pager.current.isLoading)
  }

  @Test func partialResultsOfAPageArePublished() async throws {
    let partial = try parsed(#"{"birds":{"edges":[],"pageInfo":{"hasNextPage":true,"endCursor":"x"}}}"#)
    let server = PageServer { _ in
      [GraphQLResult(data: partial, response: .partial), GraphQLResult(data: PageServer.birds(2, after: nil))]
    }
    let pager = try pager(server)
    try await pager.fetch()
    #expect(ids(await pager.current) == [["1", "2"]])
    #expect(await pager.current.end == .lastPage)
  }

  @Test func theFormForCallersThatDoNotWait() async throws {
    let pager = GraphQLQueryPager(
      first: PageRequest(operation: try compiled(Self.text)),
      strategy: .cursorForward(path: ["birds"], variable: "after"), fetch: server(3).fetch)
    await withCheckedContinuation { done in
      pager.loadAll { error in
        #expect(error == nil)
        done.resume()
      }
    }
    #expect(ids(await pager.actor.current) == [["1", "2"], ["3"]])
  }
}
