import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusJSON
import ApusTestSupport
import Testing

/// The cache policy of a tab's runs: selecting, displaying and saving it; and the cache use of a run.
@Suite(.timeLimit(.minutes(1))) struct CachePolicyScenarioTests {
  private struct NoSchema: Error, CustomStringConvertible {
    var description: String { "introspection is refused" }
  }

  private func explore(
    _ answers: [ScriptedAnswer], query: String = "{ bird { id name } }", home: TemporaryFolder? = nil,
    _ drive: (ExplorerDriver, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(answers)
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw NoSchema() })
    var environment = live.environment
    if let home {
      environment.attachHistory(in: HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1_000_000 }))
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: 130, height: 34)
    await driver.waitForIdle()
    try await drive(driver, server)
    await driver.quit()
    server.stop()
  }

  private static func bird(_ name: String) -> ScriptedAnswer {
    .json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"\#(name)"}}}"#)
  }

  private func choose(_ policy: String, _ driver: ExplorerDriver) async {
    await driver.press("Alt-c")
    await driver.type(policy)
    await driver.press("Enter")
  }

  private func replace(with query: String, _ driver: ExplorerDriver) async {
    await driver.press("Alt-1 Ctrl-A")
    await driver.paste(query)
  }

  private func status(_ driver: ExplorerDriver) async -> String { await driver.lines[32] }

  @Test func `the status line shows the policy that runs use`() async throws {
    try await explore([Self.bird("Dag"), Self.bird("Nat")]) { driver, server in
      await driver.press("F5")
      #expect(await status(driver).contains("│ network only"))
      #expect(server.requests.count == 1)
      await choose("cache first", driver)
      #expect(await driver.screen.contains("Cache policy: cache first"))
      await driver.press("F5")
      #expect(server.requests.count == 1)
      #expect(await status(driver).contains("│ cache first"))
      #expect(await status(driver).contains("from the cache"))
      #expect(await driver.screen.contains(#"name: "Dag""#))
      await choose("network only", driver)
      await driver.press("F5")
      #expect(server.requests.count == 2)
      #expect(await driver.screen.contains(#"name: "Nat""#))
    }
  }

  @Test func `cacheOnly lists missing fields with their paths and reasons`() async throws {
    try await explore([Self.bird("Dag")]) { driver, server in
      await driver.press("F5")
      await replace(with: "{ bird { id name age(in: DAYS) } }", driver)
      await choose("cache only", driver)
      await driver.press("F5")
      #expect(server.requests.count == 1)
      #expect(await driver.state.tab.response.tree.data?["bird"]?["name"]?.string == "Dag")
      #expect(await driver.lines.contains { $0.contains("age") && $0.contains("not in the cache") })
      #expect(await status(driver).contains("1 missing"))
      await driver.press("Alt-u")
      #expect(await driver.screen.contains("2 fields from the cache, 1 missing in the cache"))
      #expect(
        await driver.lines.contains { $0.contains("bird.age") && $0.contains("the record does not have the field") })
      await driver.press("Enter")
      #expect(await driver.state.screen.focus == .cache)
      #expect(await driver.state.cache.openedKey == "Bird:1")
    }
  }

  @Test func `cacheOnly reports a missing record if the cache is empty`() async throws {
    try await explore([]) { driver, server in
      await choose("cache only", driver)
      await driver.press("F5")
      #expect(server.requests.isEmpty)
      #expect(await driver.state.tab.response.run?.phase == .failed)
      await driver.press("Alt-u")
      #expect(await driver.lines.contains { $0.contains("bird") && $0.contains("the record does not exist") })
      await driver.press("Enter")
      #expect(await driver.state.screen.focus == .response)
    }
  }

  @Test func `cache misses describe the cache before the request`() async throws {
    let aged = ScriptedAnswer.json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag","age":3}}}"#)
    try await explore([Self.bird("Dag"), aged]) { driver, server in
      await driver.press("F5")
      await replace(with: "{ bird { id name age } }", driver)
      await choose("cache first", driver)
      await driver.press("F5")
      #expect(server.requests.count == 2)
      await driver.press("Alt-u")
      #expect(await driver.screen.contains("3 fields from the network, 1 missing in the cache"))
      #expect(await driver.lines.contains { $0.contains("bird.age") && $0.contains("does not have the field") })
    }
  }

  @Test func `cacheAndNetwork emits the cached result before the network's`() async throws {
    try await explore([Self.bird("Dag"), Self.bird("Nat")]) { driver, server in
      await driver.press("F5")
      await choose("cache and network", driver)
      await driver.press("F5")
      #expect(server.requests.count == 2)
      #expect(await driver.screen.contains(#"name: "Nat""#))
      await driver.press("Alt-u")
      #expect(await driver.screen.contains("2 fields from the cache, 2 from the network"))
      await driver.press("Esc")
      // The previous payload is the cached result.
      await driver.press("Alt-,")
      #expect(await driver.screen.contains(#"name: "Dag""#))
    }
  }

  @Test func `networkFirst falls back to the cache if the network fails`() async throws {
    try await explore([Self.bird("Dag")]) { driver, server in
      await driver.press("F5")
      await choose("network first", driver)
      server.stop()
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.phase == .complete)
      #expect(await status(driver).contains("from the cache"))
    }
  }

  @Test func `each tab has its own policy, which the saved session includes`() async throws {
    try await explore([]) { driver, _ in
      await choose("cache first", driver)
      await driver.press("Ctrl-T")
      #expect(await status(driver).contains("│ network only"))
      await choose("cache only", driver)
      await driver.press("Ctrl-PageUp")
      #expect(await status(driver).contains("│ cache first"))
      let workspace = SavedSession(await driver.state)
      #expect(workspace.tabs.map(\.cachePolicy) == [.cacheFirst, .cacheOnly])
      var restored = ExplorerState(endpoint: "birds")
      restored.restore(workspace)
      #expect(restored.tab.cachePolicy == .cacheFirst)
    }
  }

  @Test func `the history and the exported apus command include the policy`() async throws {
    let home = try TemporaryFolder()
    try await explore([Self.bird("Dag")], home: home) { driver, _ in
      await choose("cache first", driver)
      await driver.press("F5")
      await driver.press("Ctrl-P")
      await driver.type("copy as an apus")
      await driver.press("Enter")
      #expect(await driver.terminal.clipboard?.contains("--db apus-cache.sqlite --cache-policy cacheFirst") == true)
      await choose("network only", driver)
      await replace(with: "{ other }", driver)
      await driver.press("Alt-H")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{ bird { id name } }")
      #expect(await driver.state.tab.cachePolicy == .cacheFirst)
    }
  }

  @Test func `a recording contains the policy and no runs that the cache answered`() async throws {
    let folder = try TemporaryFolder()
    try await explore([Self.bird("Dag")]) { driver, _ in
      await choose("cache first", driver)
      await driver.press("Ctrl-P")
      await driver.type("record incoming")
      await driver.press("Enter Ctrl-U")
      await driver.type(folder.path("session.ndjson"))
      await driver.press("Enter")
      await driver.press("F5")
      await driver.press("F5")
      await driver.press("Ctrl-P")
      await driver.type("record incoming")
      await driver.press("Enter")
    }
    let runs = try Recording(parsing: folder.bytes("session.ndjson")).runs
    #expect(runs.map(\.draft.cachePolicy) == [.cacheFirst])
    let replay = Replay(runs, name: "session.ndjson", speed: 0)
    #expect(replay.operations.map(\.query) == ["{ bird { id name } }"])
    #expect(replay.operations.map(\.cachePolicy) == [.cacheFirst])
    var recorded = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()),
      fetchSchema: { _ in throw NoSchema() })
    recorded.replay = replay
    var state = ExplorerState(endpoint: "birds")
    state.tabs.open(replay.operations)
    let driver = await ExplorerDriver(
      state: state, environment: LiveEnvironment(recorded).environment, width: 130, height: 34)
    await driver.waitForIdle()
    await driver.press("F5")
    #expect(await driver.screen.contains(#"name: "Dag""#))
    await driver.press("F5")
    #expect(await status(driver).contains("from the cache"))
    await driver.quit()
  }
}
