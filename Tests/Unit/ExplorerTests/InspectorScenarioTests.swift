import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// The cache pane's keys: typing ahead, filters, the origin of fields, and external caches.
@Suite(.timeLimit(.minutes(1))) struct InspectorScenarioTests {
  private static let birds = "{ birds { id name age } }"
  private static let answer =
    #"{"data":{"birds":[{"__typename":"Bird","id":"1","name":"Apus","age":3},"#
    + #"{"__typename":"Bird","id":"2","name":"Hirundo","age":5},"#
    + #"{"__typename":"Bird","id":"21","name":"Sula","age":9}]}}"#

  private func explore(
    _ answers: [ScriptedAnswer], query: String = birds, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(answers)
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), filterProgram: Checkout.apus,
      schema: { throw NoSchema() })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: 110, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
    server.stop()
  }

  private func keys(_ driver: ExplorerDriver) async -> [String] { await driver.state.cache.records.map { $0.key } }

  private struct NoSchema: Error, CustomStringConvertible {
    var description: String { "introspection is refused" }
  }

  // MARK: Typing ahead

  @Test func `keys typed after a filter apply to its results`() async throws {
    try await explore([.json(Self.answer), .never]) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 Down")
      #expect(await driver.state.cache.selectedRecord?.key == "Bird:1")
      await driver.pressWithoutWaiting("/ 2 1 Enter d")
      await driver.waitForIdle()
      await driver.pressWithoutWaiting("y")
      await driver.wait { $0.popups.isEmpty && $0.cache.selectedRecord?.key != "Bird:21" }
    }
  }

  // MARK: Filters

  @Test func `a filter matches letters in order, after records that contain the text`() async throws {
    try await explore([.json(Self.answer)]) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 /")
      await driver.type("bd1")
      #expect(await keys(driver) == ["Bird:1", "Bird:21"])
    }
  }

  @Test func `a filter without matches says so, and how to search values`() async throws {
    try await explore([.json(Self.answer)]) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 /")
      await driver.type("nothing like this")
      #expect(await driver.screen.contains("No record matches; value:TEXT searches values"))
      await driver.press("Enter")
      for key in ["d", "c"] {
        await driver.press(key)
        #expect(await driver.state.screen.notice?.text.hasPrefix("No record matches") == true, "\(key)")
      }
    }
  }

  @Test func `a jq filter selects records by their fields`() async throws {
    try await explore([.json(Self.answer)]) { driver in
      await driver.press("F5")
      await driver.press("Alt-5 /")
      await driver.type(".age > 4")
      #expect(await keys(driver) == ["Bird:2", "Bird:21"])
      await driver.press("Esc /")
      await driver.type("select(.name == \"Apus\")")
      #expect(await keys(driver) == ["Bird:1"])
    }
  }

  // MARK: Field origins

  private static let deferred = #"{ bird { id name ... @defer(label: "more") { age } } }"#
  private static let parts = ScriptedAnswer.multipart([
    .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#),
    .text(#"{"incremental":[{"label":"more","path":["bird"],"data":{"age":12}}],"hasNext":false}"#),
  ])

  @Test func `each field shows the payload or the cache as its origin`() async throws {
    try await explore([Self.parts], query: Self.deferred) { driver in
      await driver.press("F5")
      await driver.press("Alt-3 s")
      let lines = await driver.lines
      #expect(lines.contains { $0.contains("name: \"Dag\"") && $0.contains("payload 1") })
      #expect(lines.contains { $0.contains("age: 12") && $0.contains("payload 2") })
      // The origin of a value edited in the cache is the cache.
      await driver.press("Alt-5 Down Enter")
      let row = try #require(await driver.state.cache.opened?.rows.firstIndex { $0.field == "age" })
      for _ in 0..<row { await driver.press("Down") }
      await driver.press("e Backspace Backspace 7 Enter y")
      #expect(await driver.lines.contains { $0.contains("age: 7") && $0.contains("cache") })
    }
  }

  @Test func `keys go from a fragment to the write of its payload and back`() async throws {
    try await explore([Self.parts], query: Self.deferred) { driver in
      await driver.press("F5")
      await driver.press("Alt-4 w")
      #expect(await driver.state.screen.focus == .cache)
      #expect(await driver.state.cache.openedWrite?.entry.payloadIndex == 1)
      let rows = await driver.state.cache.openedWrite?.rows ?? []
      #expect(rows.count == 1 && rows.first?.field == "age")
      for key in ["t", "t", "Down", "p"] { await driver.press(key) }
      #expect(await driver.state.screen.focus == .response)
      #expect(
        await driver.state.screen.notice?.text.hasPrefix("Response, fragments and cache after payload 1 of 2") == true)
    }
  }

  // MARK: External caches

  private func theirs(_ folder: TemporaryFolder) async throws -> CacheStore {
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("theirs.sqlite")))
    let operation = try CompiledOperation.compile(Document(parsing: "{ owl { __typename id name } }"))
    let data = try JSONDocument(parsing: #"{"owl":{"__typename":"Owl","id":"1","name":"Strix"}}"#).root
    try await store.write(data, operation: operation)
    try folder.write("theirs.json", CacheExport.json(try await store.snapshot()).description)
    return store
  }

  private func run(_ command: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type(command)
    await driver.press("Enter")
  }

  @Test(arguments: ["theirs.sqlite", "theirs.json"])
  func `an external cache is opened for reading only`(name: String) async throws {
    let folder = try TemporaryFolder()
    let theirs = try await theirs(folder)
    try await explore([.json(Self.answer)]) { driver in
      await driver.press("F5")
      await run("exported JSON", driver)
      await driver.type(folder.path(name))
      await driver.press("Enter")
      #expect(await keys(driver) == ["QUERY_ROOT", "Owl:1"])
      await driver.press("Down d y")
      #expect(await driver.state.screen.notice?.kind == .warning)
      let saved = try await theirs.record("Owl:1")
      #expect(saved != nil)
      await run("own cache", driver)
      #expect(await keys(driver).contains("Bird:21"))
    }
  }

  @Test func `an external cache that is a pipe or folder is refused`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("folder/file", "")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    try await explore([.json(Self.answer)]) { driver in
      for (name, reason) in [("pipe", "it is a pipe, socket or device"), ("folder", "Is a directory")] {
        await run("exported JSON", driver)
        await driver.type(folder.path(name))
        await driver.press("Enter")
        #expect(await driver.state.screen.notice?.text.contains(reason) == true, "\(name)")
      }
    }
  }

  @Test func `an external cache opened for editing can be changed`() async throws {
    let folder = try TemporaryFolder()
    let theirs = try await theirs(folder)
    try await explore([]) { driver in
      await run("external cache for editing", driver)
      await driver.type(folder.path("theirs.sqlite"))
      await driver.press("Enter")
      await driver.press("Down d y")
      #expect(await driver.screen.contains("Evicted Owl:1"))
      let gone = try await theirs.record("Owl:1")
      #expect(gone == nil)
      await driver.press("u")
      let back = try await theirs.record("Owl:1")
      #expect(back != nil)
    }
  }
}
