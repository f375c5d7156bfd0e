import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// Paging with keys: connections and numbered lists, one of several, in both directions, all pages and back.
@Suite(.timeLimit(.minutes(1))) struct PagingScenarioTests {
  /// Birds 1 to 9 as a connection with two birds per page, and as an offset list.
  private static func answer(_ request: ScriptedServer.Request, _ index: Int) -> ScriptedAnswer {
    .json(json(for: request))
  }

  private static func json(for request: ScriptedServer.Request) -> String {
    let body = (try? JSONDocument(parsing: request.body).root) ?? .null
    let text = body["query"]?.string ?? ""
    func argument(_ name: String) -> Int? {
      if let value = body.value(at: ["variables", .key(name)]) { return value.int ?? value.string.flatMap { Int($0) } }
      return text.split(separator: "\(name): ", maxSplits: 1).dropFirst().first
        .flatMap { Int($0.drop { $0 == "\"" }.prefix { $0.isNumber }) }
    }
    func bird(_ number: Int) -> String { #"{"__typename":"Bird","id":"\#(number)","name":"bird \#(number)"}"# }
    if text.contains("list") {
      let offset = argument("offset") ?? 0
      let birds = (offset..<max(offset, min(offset + 4, 9))).map { bird($0 + 1) }
      return #"{"data":{"list":[\#(birds.joined(separator: ","))]}}"#
    }
    var numbers = Array(1...9)
    if let after = argument("after") { numbers.removeAll { $0 <= after } }
    if let before = argument("before") { numbers = Array(numbers.filter { $0 < before }.suffix(2)) }
    numbers = Array(numbers.prefix(2))
    let chicks: (Int) -> String = { number in
      let letters = ["a", "b", "c"].filter { !text.contains("chicks(after: \"b\")") || $0 > "b" }.prefix(2)
      let edges = letters.map { #"{"node":{"__typename":"Chick","id":"\#(number)\#($0)"}}"# }.joined(separator: ",")
      return
        #"{"__typename":"Bird","id":"\#(number)","chicks":{"edges":[\#(edges)],"pageInfo":{"hasNextPage":\#(letters.last != "c"),"endCursor":"\#(letters.last ?? "")"}}}"#
    }
    let node = { text.contains("chicks") ? chicks($0) : bird($0) }
    let edges = numbers.map { #"{"cursor":"\#($0)","node":\#(node($0))}"# }.joined(separator: ",")
    let (first, last) = (numbers.first ?? 1, numbers.last ?? 9)
    let info =
      text.contains("pageInfo")
      ? #","pageInfo":{"hasNextPage":\#(last < 9),"endCursor":"\#(last)","hasPreviousPage":\#(first > 1),"startCursor":"\#(first)"}"#
      : ""
    let more = text.contains("others") ? #","others":{"edges":[],"pageInfo":{"hasNextPage":true,"endCursor":"2"}}"# : ""
    return #"{"data":{"birds":{"edges":[\#(edges)]\#(info)}\#(more)}}"#
  }

  @ScreenActor private func explore(
    _ query: String, schema: String? = nil, width: Int = 100, height: Int = 34,
    _ script: (ExplorerDriver, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer { Self.answer($0, $1) }
    let client = GraphQLClient(url: server.url, store: CacheStore())
    struct NoSchema: Error, CustomStringConvertible { let description = "none" }
    let live = LiveEnvironment(client: client) {
      guard let schema else { throw NoSchema() }
      return Schema.load(sdl: schema)
    }
    let environment = live.environment
    let driver = ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: width, height: height)
    await driver.waitForIdle()
    try await script(driver, server)
    await driver.quit()
  }

  private static let both = """
    { birds(after: "4") { edges { cursor node { id name } } pageInfo { hasNextPage endCursor hasPreviousPage startCursor } } }
    """

  @Test func `keys load pages in both directions all pages and the first`() async throws {
    try await explore(Self.both) { driver, _ in
      await driver.press("F5")
      await driver.press("Alt-3")
      #expect(await driver.screen.contains("2 items, p before, n for more"))
      await driver.press("p")
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 4)
      await driver.press("N")
      #expect(await driver.screen.contains("7 items, p before"))
      await driver.press("p")
      #expect(await driver.screen.contains("9 items, all"))
      let names = await driver.state.tab.response.tree.data?.value(at: ["birds", "edges"])?.elements.compactMap {
        $0["node"]?["id"]?.string
      }
      #expect(names == ["1", "2", "3", "4", "5", "6", "7", "8", "9"])
      await driver.press("P")
      #expect(await driver.screen.contains("Returned to the first page"))
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 2)
    }
  }

  /// Only the page that lost a record is refetched, and its data fills the gap.
  @Test(arguments: [5, 7]) func `evicting a record refetches only its page`(number: Int) async throws {
    try await explore(Self.both) { driver, server in
      await driver.press("F5")
      await driver.press("Alt-3 n")
      await driver.press("Alt-5 /")
      await driver.type("Bird:\(number)")
      await driver.press("Enter d")
      #expect(await driver.screen.contains("Evict Bird:\(number)?"))
      let count = server.requests.count
      await driver.press("y")
      #expect(server.requests.count == count + 1)
      #expect(await driver.state.tab.response.run?.phase == .complete)
      let screen = await driver.screen
      #expect(!screen.contains("not in the cache"), "\(screen)")
      let edges = await driver.state.tab.response.tree.data?["birds"]?["edges"]
      let names = edges?.elements.map { $0["node"]?["name"]?.string ?? "" } ?? []
      #expect(names == (5...8).map { "bird \($0)" })
    }
  }

  @Test func `an offset list is detected from the schema`() async throws {
    let schema = """
      type Query { list(offset: Int, limit: Int): [Bird] } type Bird { id: ID name: String }
      """
    try await explore("{ list { id name } }", schema: schema) { driver, server in
      await driver.press("F5")
      await driver.press("Alt-3 n")
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 8)
      #expect(server.requests.last?.bodyText.contains("list(offset: 4)") == true)
      await driver.press("N")
      #expect(await driver.screen.contains("9 items, all"))
    }
  }

  @Test func `user chooses one of several lists`() async throws {
    let query = """
      { birds { edges { node { id } } pageInfo { hasNextPage endCursor } }
        others { edges { node { id } } pageInfo { hasNextPage endCursor } } }
      """
    try await explore(query) { driver, server in
      await driver.press("F5")
      await driver.press("Alt-n")
      #expect(await driver.screen.contains("Choose a list"))
      #expect(await driver.screen.contains("others"))
      await driver.press("Enter")
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 4)
      #expect(server.requests.last?.bodyText.contains("birds(after:") == true)
      // Chooses another list with the picker's own key.
      await driver.press("Alt-3 = Down n")
      #expect(server.requests.last?.bodyText.contains("others(after:") == true)
    }
  }

  @Test func `page info is offered with a preview if the query lacks it`() async throws {
    try await explore("{\n  birds {\n    edges { node { id name } }\n  }\n}") { driver, server in
      await driver.press("F5")
      await driver.press("Alt-3 n")
      #expect(await driver.screen.contains("No pageable list yet"))
      #expect(await driver.screen.contains("+     pageInfo { hasNextPage endCursor }"))
      #expect(await driver.screen.contains("birds(after: $after)"))
      await driver.press("Enter")
      #expect(
        await driver.state.tab.editors.query.text
          == "query ($after: String) {\n  birds(after: $after) {\n    edges { node { id name } }\n    pageInfo { hasNextPage endCursor }\n  }\n}"
      )
      await driver.press("Alt-3 n")
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 4)
      #expect(server.requests.count == 3)
    }
  }

  @Test func `a cursor argument is offered if the query lacks only that`() async throws {
    try await explore("{ birds { edges { node { id name } } pageInfo { hasNextPage endCursor } } }", width: 180) {
      driver, server in
      await driver.press("F5")
      await driver.press("Alt-3")
      #expect(await driver.screen.contains("A adds the cursor"))
      await driver.press("A")
      #expect(await driver.screen.contains("birds(after: $after)"))
      await driver.press("Enter")
      #expect(
        await driver.state.tab.editors.query.text
          == "query ($after: String) { birds(after: $after) { edges { node { id name } } pageInfo { hasNextPage endCursor } } }"
      )
      await driver.press("Alt-3 n")
      #expect(server.requests.last?.bodyText.contains(#""after":"2""#) == true)
      await driver.press("A")
      #expect(await driver.screen.contains("The query already has everything that paging needs"))
    }
  }

  @Test func `missing page info fields are offered`() async throws {
    try await explore("{ birds(last: 2) { edges { node { id } } pageInfo { endCursor } } }") { driver, _ in
      await driver.press("F5")
      await driver.press("Alt-3 n")
      #expect(await driver.screen.contains("No pageable list yet"))
      await driver.press("Enter")
      #expect(
        await driver.state.tab.editors.query.text
          == "query ($before: String) { birds(last: 2, before: $before) { edges { node { id } } pageInfo { endCursor hasPreviousPage startCursor } } }"
      )
    }
  }

  @Test func `a list inside an item of a later page is paged separately`() async throws {
    try await explore(
      "{ birds { edges { node { id chicks { edges { node { id } } pageInfo { hasNextPage endCursor } } } } pageInfo { hasNextPage endCursor } } }",
      height: 60
    ) { driver, server in
      await driver.press("F5")
      await driver.press("Alt-3 n")
      func chicks(_ index: Int) async -> [String]? {
        await driver.state.tab.response.tree.data?.value(at: [
          "birds", "edges", .index(index), "node", "chicks", "edges",
        ])?
        .elements.compactMap { $0["node"]?["id"]?.string }
      }
      #expect(await chicks(3) == ["4a", "4b"])
      // Each pageable list is marked in the tree.
      #expect(await driver.screen.contains("chicks  ↓"))
      await driver.press(": b i r d s . e d g e s [ 3 ] . n o d e . c h i c k s Enter")
      await driver.press("n")
      // The page's request has the outer cursor of the bird's page, and the inner cursor.
      let body = try JSONDocument(parsing: server.requests.last?.body ?? []).root
      let sent = body["query"]?.string ?? ""
      #expect(sent.contains(#"birds(after: "2")"#) && sent.contains(#"chicks(after: "b")"#), "\(sent)")
      #expect(await chicks(3) == ["4a", "4b", "4c"])
      #expect(await chicks(2) == ["3a", "3b"])
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 4)
    }
  }

  @Test func `pageable lists are marked in the tree`() async throws {
    try await explore(Self.both) { driver, _ in
      await driver.press("F5")
      #expect(await driver.screen.contains("birds  ↕"))
    }
  }

  @Test func `a run can be paged after many other runs`() async throws {
    try await explore("{ birds(first: 2) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }") {
      driver, _ in
      await driver.press("F5")
      await driver.press("Ctrl-T")
      await driver.paste("{ list { id } }")
      for _ in 0..<24 { await driver.press("F5") }
      await driver.press("Ctrl-PageUp Alt-3")
      #expect(await driver.screen.contains("birds"))
      await driver.press("n")
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 4)
    }
  }

  @Test func `paging without a pageable list shows the reason`() async throws {
    try await explore("{ a }") { driver, _ in
      await driver.press("F5")
      await driver.press("Alt-3 n")
      #expect(await driver.screen.contains("The response has no pageable list"))
    }
  }

  /// Returns an explorer that shows a server's first page of two birds.
  @ScreenActor private func firstPage(
    of server: ScriptedServer, query: String = both.replacing(#"after: "4""#, with: "first: 2")
  ) async -> ExplorerDriver {
    let live = LiveEnvironment(client: GraphQLClient(url: server.url, store: CacheStore())) {
      throw CancellationError()
    }
    let driver = ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: live.environment)
    await driver.waitForIdle()
    await driver.press("F5")
    return driver
  }

  /// The last item of the second page repeats the first item, as in a playlist. Only the pages of an offset list shift when
  /// items are inserted.
  @Test(
    arguments: [
      (
        "{ birds { edges { cursor node { __typename id } } pageInfo { hasNextPage endCursor } } }", ["birds", "edges"],
        4
      ),
      ("{ birds { edges { node { id } } nodes { id } pageInfo { hasNextPage endCursor } } }", ["birds", "nodes"], 4),
      ("{ list(offset: 0, limit: 2) { __typename id } }", ["list"], 3),
    ] as [(String, ResponsePath, Int)])
  func `an item that a later page repeats is kept in connections`(
    query: String, list: ResponsePath, count: Int
  ) async throws {
    let server = try ScriptedServer { _, index in
      let birds = [[1, 2], [3, 1]][min(index, 1)].map { #"{"__typename":"Bird","id":"\#($0)"}"# }
      let edges = birds.enumerated().map { #"{"cursor":"\#(index * 2 + $0)","node":\#($1)}"# }
      return .json(
        """
        {"data":{"list":[\(birds.joined(separator: ","))],"birds":{"edges":[\(edges.joined(separator: ","))],
        "nodes":[\(birds.joined(separator: ","))],"pageInfo":{"hasNextPage":true,"endCursor":"\(index * 2 + 1)"}}}}
        """)
    }
    let driver = await firstPage(of: server, query: query)
    await driver.press("Alt-3 n")
    let items = await driver.state.tab.response.tree.data?.value(at: list)?.elements.map { $0 } ?? []
    #expect(items.map { ($0["node"] ?? $0)["id"]?.string } == ["1", "2", "3", "1"].prefix(count).map { $0 })
    await driver.quit()
  }

  /// Each page has its own error. Loading the next page keeps the previous errors.
  @Test func `errors of all pages are kept`() async throws {
    let server = try ScriptedServer { request, index in
      let error = #"{"message":"no name","path":["birds","edges",0,"node","name"]}"#
      let answer = Self.json(for: request).dropLast()
      return .json("\(answer),\"errors\":[\(error)]}")
    }
    let driver = await firstPage(of: server)
    await driver.press("Alt-3 n")
    await driver.press("n")
    let errors = await driver.state.tab.response.run?.errors ?? []
    #expect(
      errors.map { $0.path?.description ?? "" }
        == [0, 2, 4].map { "birds.edges[\($0)].node.name" })
    await driver.quit()
  }

  /// A page without its list does not indicate the end of the list.
  @Test func `a page with a null list stops paging and can be retried`() async throws {
    let server = try ScriptedServer { request, index in
      index == 1
        ? .json(#"{"data":{"birds":null},"errors":[{"message":"page broke","path":["birds"]}]}"#)
        : Self.answer(request, index)
    }
    let driver = await firstPage(of: server)
    await driver.press("Alt-3 n")
    #expect(await driver.screen.contains("Paging stopped: the page has no data: page broke"))
    await driver.press("n")
    #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 4)
    await driver.quit()
  }
}
