import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusClientPagination
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Testing

/// Pagers with Relay connections and offset lists of strawberry, a third-party server.
@Suite(.timeLimit(.minutes(2))) struct PagerServerTests {
  private static let shelf = """
    query ($first: Int, $after: String, $last: Int, $before: String) {
      shelf(first: $first, after: $after, last: $last, before: $before) {
        edges { cursor node { __typename id title } }
        pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
      }
    }
    """

  private func titles(_ output: PagerOutput<DynamicOperation, DynamicOperation>, _ path: ResponsePath) -> [[String]] {
    output.pages.map { page in
      page.data?.value(at: path)?.elements.compactMap { ($0["node"] ?? $0)["title"]?.string } ?? []
    }
  }

  private func volumes(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "Volume \($0)" } }

  /// A pager that continues from a result, with the first pageable list in it.
  private func pager(
    _ client: GraphQLClient, _ text: String, _ variables: JSONValue
  ) async throws -> (pager: DynamicQueryPager.Actor, list: PageableList) {
    let query = DynamicOperation(
      compiled: try CompiledOperation.compile(Document(parsing: text)), variables: variables)
    var first: Page<DynamicOperation>?
    for try await result in client.fetch(query: query) { first = Page(query: query, result: result) }
    let page = try #require(first)
    #expect(page.errors.isEmpty)
    let list = try #require(
      PageableListFinder.lists(
        in: page.data ?? .null, operation: query.compiled, variables: query.variables
      ).first)
    return (DynamicQueryPager.Actor(source: client, startingWith: page, strategy: list.strategy), list)
  }

  @Test func `a Relay connection is loaded in both directions`() async throws {
    let server = try await PythonServer.start(.strawberry)
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let start = try await pager(client, Self.shelf, ["first": 9]).pager
    let cursor = try #require(
      await start.current.initialPage?.data?.value(at: ["shelf", "pageInfo", "endCursor"]))
    let (pager, list) = try await pager(client, Self.shelf, ["first": 5, "after": cursor])
    #expect(list.canLoadNext && list.canLoadPrevious)
    #expect(try await pager.loadAll(fetchFromInitialPage: false) == .lastPage)
    let output = await pager.current
    let pages = titles(output, ["shelf", "edges"])
    #expect(pages.flatMap { $0 } == volumes(1...23))
    #expect(pages.map(\.count) == [4, 5, 5, 5, 4])
    #expect(!output.canLoadNext && !output.canLoadPrevious)
    #expect(output.errors.isEmpty)
  }

  @Test(arguments: [
    ("query ($o: Int!) { volumes(offset: $o, limit: 6) { id title } }", "o", 8),
    ("query ($o: Int!) { taken(skip: $o, take: 6) { id title } }", "o", 8),
    ("query ($p: Int!) { pages(page: $p, perPage: 6) { total items { id title } } }", "p", 2),
  ])
  func `offset lists are loaded in both directions`(_ query: String, _ variable: String, _ start: Int) async throws {
    let server = try await PythonServer.start(.strawberry)
    let client = GraphQLClient(url: server.url)
    let (pager, list) = try await pager(client, query, .object([(variable, JSONValue(start))]))
    #expect(try await pager.loadAll(fetchFromInitialPage: false) == .lastPage)
    #expect(titles(await pager.current, list.listPaths[0]).flatMap { $0 } == volumes(1...23))
  }
}
