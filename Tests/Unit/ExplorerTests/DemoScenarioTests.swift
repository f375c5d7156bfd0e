import ApusClientCache
import ApusClientCore
import ApusDemo
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// The explorer on the demo API, with real requests over loopback, the real event loop and a virtual terminal.
@Suite(.timeLimit(.minutes(1))) struct DemoScenarioTests {
  /// Starts the demo API and an explorer, drives the explorer, and stops both.
  private func explore(
    query: String = "", width: Int = 80, height: Int = 24, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let server = try await DemoServer(delayScale: 0)
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), example: DemoServer.exampleQuery,
      schema: { Schema.load(sdl: [Document(parsing: DemoSchema.sdl)]) })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: width, height: height)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
    server.stop()
  }

  @Test func `the explorer opens with the example query and runs it`() async throws {
    try await explore(width: 120, height: 40) { driver in
      let text = await driver.state.tab.editors.query.text
      #expect(text == DemoServer.exampleQuery)
      await driver.press("F5")
      let run = try #require(await driver.state.tab.response.run)
      #expect(run.phase == .complete)
      #expect(run.fragments.map(\.label) == ["station", "history", "range"])
      #expect(run.fragments.allSatisfy { $0.state == .fulfilled && $0.settledAfter != nil })
      #expect(await driver.state.tab.response.tree.data?["birds"]?["totalCount"]?.int == 1248)
      // The last fragment is scrolled into view while the query has the focus.
      let response = await driver.state.tab.response.tree
      let fresh = response.rows.dropFirst(response.list.scroll).prefix(19).filter(\.isFresh)
      #expect(!fresh.isEmpty)
    }
  }

  private static let birds = """
    {
      bird(id: "b42") {
        name
        species {
          commonName
        }
      }
    }
    """

  @Test func `evicting a record refetches the query that depends on it`() async throws {
    try await explore(query: Self.birds, width: 120, height: 40) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 /")
      await driver.type("species")
      #expect(await driver.screen.contains("1 of 3"))
      await driver.press("Enter d")
      #expect(await driver.screen.contains("Evict Species:sp18?"))
      #expect(await driver.screen.contains("3 fields; 1 record refers to it; the current query will update and"))
      await driver.press("n")
      #expect(await driver.state.cache.totalCount == 3)
      await driver.press("d")
      await driver.press("y")
      // The record was evicted, and the query showed the gap and refetched it once.
      #expect(await driver.screen.contains("Evicted Species:sp18"))
      #expect(await driver.state.tab.response.run?.hasFetchedAgain == true)
      #expect(await driver.state.tab.response.run?.phase == .complete)
      #expect(await driver.screen.contains("commonName: \"Aquatic Warbler\""))
      #expect(await driver.state.cache.totalCount == 3)
    }
  }

  @Test func `a key goes from a row to its record and back`() async throws {
    try await explore(query: Self.birds, width: 120, height: 40) { driver in
      await driver.press("F5")
      await driver.press("Alt-3 :")
      await driver.type("bird.species.commonName")
      await driver.press("Enter Alt-r")
      #expect(await driver.state.screen.focus == .cache)
      #expect(await driver.state.cache.openedKey == "Species:sp18")
      #expect(await driver.state.cache.selectedRow?.field.hasPrefix("commonName") == true)
      await driver.press("Alt-r")
      #expect(await driver.state.screen.focus == .response)
      let tree = await driver.state.tab.response.tree
      #expect(tree.path(ofRow: tree.list.selected).description == "bird.species")
      // A root record is the response itself.
      await driver.press("Alt-5")
      while await driver.state.cache.openedKey != nil { await driver.press("Backspace") }
      await driver.press("Home Alt-r")
      #expect(await driver.state.screen.focus == .response)
    }
  }

  @Test func `undoing an eviction reports the changed fields`() async throws {
    try await explore(query: Self.birds, width: 120, height: 40) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 /")
      await driver.type("species")
      await driver.press("Enter d")
      await driver.press("y")
      // The record was refetched, so there is nothing to restore.
      await driver.press("u")
      #expect(await driver.screen.contains("Nothing changed: the data was already restored or overwritten"))
      await driver.press("Alt-c")
      await driver.type("cache only")
      await driver.press("Enter F5")
      // The confirmation describes the query that the last run used.
      await driver.press("Alt-5 d")
      #expect(await driver.screen.contains("will not refetch: its cache policy is cache only"))
      await driver.press("y")
      await driver.press("u")
      #expect(await driver.screen.contains("Undone: Evict Species:sp18. 3 fields of 1 record changed"))
    }
  }

  @Test func `the write log lists writes, and evicting marked records refetches them`() async throws {
    try await explore(query: Self.birds, width: 120, height: 40) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 t")
      #expect(await driver.screen.contains("1 query payload 1"))
      await driver.press("Enter")
      #expect(await driver.screen.contains("Species:sp18.commonName"))
      await driver.press("Backspace t")
      // Two records are marked.
      await driver.press("Down Space Space d")
      #expect(await driver.screen.contains("Evict 2 marked records?"))
      await driver.press("y")
      #expect(await driver.screen.contains("Evicted 2 records"))
      #expect(await driver.state.tab.response.run?.phase == .complete)
      await driver.press("X")
      await driver.press("y")
      #expect(await driver.state.tab.response.run?.phase == .complete)
      #expect(await driver.state.cache.totalCount == 3, "the current query was fetched again")
    }
  }

  @Test func `editing a cached value and undoing it updates the response`() async throws {
    try await explore(query: Self.birds, width: 120, height: 40) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 /")
      await driver.type("species")
      await driver.press("Enter Enter")
      #expect(await driver.state.cache.opened?.path.isEmpty == false)
      let row = try #require(await driver.state.cache.opened?.rows.firstIndex { $0.field.hasPrefix("commonName") })
      for _ in 0..<row { await driver.press("Down") }
      await driver.press("e")
      for _ in 0..<20 { await driver.press("Backspace") }
      await driver.type("\"Seggenrohrsänger\"")
      await driver.press("Enter")
      #expect(await driver.screen.contains("Set commonName("))
      await driver.press("y")
      #expect(await driver.screen.contains("commonName: \"Seggenrohrsänger\""))
      await driver.press("u")
      #expect(await driver.screen.contains("commonName: \"Aquatic Warbler\""))
      await driver.press("w")
      #expect(await driver.state.cache.openedWrite?.rows.isEmpty == false)
    }
  }

  @Test func `references can be followed and navigated back`() async throws {
    try await explore(query: Self.birds) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 Enter")
      #expect(await driver.state.cache.openedKey == "QUERY_ROOT")
      await driver.press("Down Enter")
      #expect(await driver.state.cache.openedKey == "Bird:b42")
      #expect(await driver.screen.contains("species → Species:sp18"))
      await driver.press("r Enter")
      #expect(await driver.state.cache.openedKey == "QUERY_ROOT")
      await driver.press("Backspace")
      #expect(await driver.state.cache.openedKey == "Bird:b42")
      await driver.press("]")
      #expect(await driver.state.cache.openedKey == "QUERY_ROOT")
      await driver.press("[ [ [")
      #expect(await driver.state.cache.openedKey == nil)
    }
  }

  @Test func `loaded pages are merged into the response`() async throws {
    let query = "{ birds(first: 100) { totalCount edges { node { id } } pageInfo { hasNextPage endCursor } } }"
    try await explore(query: query, width: 120, height: 40) { driver in
      await driver.press("F5")
      await driver.press("Alt-3")
      #expect(await driver.screen.contains("100 of 1,248 items, n for more"))
      await driver.press("n")
      #expect(await driver.screen.contains("200 of 1,248 items, n for more"))
      #expect(await driver.screen.contains("▾ 100 … 199"))
      await driver.press("N")
      #expect(await driver.screen.contains("1,248 items, all"))
      #expect(await driver.screen.contains("Loaded 11 pages · 1,248 items"))
      await driver.press("n")
      #expect(await driver.screen.contains("birds has no next page"))
      // After a bird of the last page is evicted, its page is refetched in its position.
      await driver.press("Alt-5 /")
      await driver.type("b1240")
      await driver.press("Enter d")
      await driver.press("y")
      #expect(await driver.state.tab.response.run?.phase == .complete)
      #expect(await driver.state.tab.response.tree.data?["birds"]?["edges"]?.count == 1248)
    }
  }

  @Test func `completion uses the schema`() async throws {
    try await explore { driver in
      await driver.press("Ctrl-A")
      await driver.type("{ bird(id: \"b1\") { na")
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.query.text == "{ bird(id: \"b1\") { name}}")
      await driver.type(" s")
      await driver.press("Ctrl-Space")
      #expect(await driver.screen.contains("species"))
      await driver.type("pe")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{ bird(id: \"b1\") { name species}}")
    }
  }

  @Test func `unknown fields are marked while typing`() async throws {
    try await explore(query: "{ bird(id: \"b1\") { nane } }") { driver in
      let problem = try #require(await driver.state.tab.editors.queryAnalysis.diagnostics.first)
      #expect(problem.range == TextPosition(0, 19)..<TextPosition(0, 23))
      await driver.press("F8")
      #expect(await driver.screen.contains("✗ Cannot query field \"nane\""))
      await driver.press("Right Right Delete")
      await driver.type("m")
      #expect(await driver.state.tab.editors.query.text == "{ bird(id: \"b1\") { name } }")
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty)
    }
  }

  @Test func `F5 runs the operation under the cursor`() async throws {
    let query = "query First { bird(id: \"b1\") { id } }\n\nquery Second { bird(id: \"b2\") { id } }"
    try await explore(query: query) { driver in
      #expect(await driver.screen.contains("F5 runs First"))
      await driver.press("Ctrl-End")
      #expect(await driver.screen.contains("F5 runs Second"))
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.operation?.name == "Second")
      #expect(await driver.state.tab.response.tree.data?["bird"]?["id"]?.string == "b2")
    }
  }

  @Test func `copying reaches the terminal's clipboard`() async throws {
    try await explore(query: "{ stations { id } }") { driver in
      await driver.press("Ctrl-A Ctrl-C")
      #expect(await driver.terminal.clipboard == "{ stations { id } }")
      #expect(await driver.screen.contains("Copied 19 characters"))
    }
  }

  @Test func `the mouse focuses panes, selects text and folds rows`() async throws {
    try await explore(query: Self.birds) { driver in
      await driver.press("F5")
      await driver.click("▾ species")
      #expect(await driver.state.screen.focus == .response)
      #expect(await driver.screen.contains("▸ species  Species  {1}"))
      await driver.click("5 Cache")
      #expect(await driver.state.screen.focus == .cache)
      await driver.click("commonName")
      #expect(await driver.state.screen.focus == .query)
      let place = try #require(await driver.terminal.find("bird(id"))
      await driver.mouse(.press(.left), at: place)
      await driver.mouse(.drag(.left), at: Point(column: place.column + 4, row: place.row))
      #expect(await driver.state.tab.editors.query.selectedText == "bird")
    }
  }

  @Test func `the help starts with the keys of the focused pane and can be searched`() async throws {
    try await explore(query: Self.birds) { driver in
      await driver.press("Alt-3 ?")
      let rows = await driver.lines.filter { $0.contains("In the response") }
      #expect(rows.count == 1)
      await driver.type("evict")
      #expect(await driver.screen.contains("Evict the record"))
      #expect(await !driver.screen.contains("In the response"))
      await driver.press("Esc")
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `the palette shows why a command is disabled`() async throws {
    try await explore(query: Self.birds) { driver in
      await driver.press("Ctrl-P")
      await driver.type("next page")
      #expect(await driver.screen.contains("There is no response"))
      await driver.press("Enter")
      #expect(await driver.screen.contains("▲ There is no response"))
      await driver.press("Ctrl-P")
      await driver.type("run the")
      await driver.press("Enter")
      #expect(await driver.state.tab.response.run?.phase == .complete)
    }
  }
}
