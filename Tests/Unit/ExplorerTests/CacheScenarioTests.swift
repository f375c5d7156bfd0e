import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// Runs that share the cache: changes in one tab update the others, and the cache is shown as of each payload.
@Suite(.timeLimit(.minutes(1))) struct CacheScenarioTests {
  private struct NoSchema: Error, CustomStringConvertible {
    var description: String { "introspection is refused" }
  }

  private func explore(
    _ query: String, width: Int = 120, _ answer: @escaping @Sendable (String) -> ScriptedAnswer,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let server = try ScriptedServer { request, _ in answer(request.bodyText) }
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw NoSchema() })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: width, height: 34)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
    server.stop()
  }

  private static func bird(_ name: String, _ field: String = "bird") -> ScriptedAnswer {
    .json(#"{"data":{"\#(field)":{"__typename":"Bird","id":"1","name":"\#(name)"}}}"#)
  }

  private static func parts(_ field: String, id: String, _ name: String) -> ScriptedAnswer {
    .multipart([
      .text(#"{"data":{"\#(field)":{"__typename":"Bird","id":"\#(id)","name":"\#(name)"}},"hasNext":true}"#),
      .text(#"{"incremental":[{"label":"late","path":["\#(field)"],"data":{"age":12}}],"hasNext":false}"#),
    ])
  }

  private static let deferred = #"query First { first { id name ... @defer(label: "late") { age } } }"#
  private static let otherDeferred = #"query Second { second { id name ... @defer(label: "late") { age } } }"#

  private func openTab(_ query: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-T")
    await driver.paste(query)
  }

  // MARK: Tabs

  @Test func `a mutation in one tab updates the response in another`() async throws {
    try await explore("{ bird { id name } }") { body in
      body.contains("mutation") ? Self.bird("renamed", "rename") : Self.bird("Dag")
    } _: { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains(#"name: "Dag""#))
      await openTab("mutation { rename { id name } }", driver)
      await driver.press("F5")
      await driver.press("Ctrl-PageUp")
      #expect(await driver.state.tab.editors.query.text == "{ bird { id name } }")
      #expect(await driver.screen.contains(#"name: "renamed""#))
      #expect(await !driver.screen.contains(#"name: "Dag""#))
      // The field is marked as read from the cache.
      await driver.press("Alt-3 s")
      #expect(await driver.lines.contains { $0.contains(#"name: "renamed""#) && $0.contains("cache") })
    }
  }

  @Test func `a change by another tab during a run is shown when the run ends`() async throws {
    let gate = Gate()
    try await explore(#"{ first { id name ... @defer(label: "late") { age } } }"#) { body in
      if body.contains("mutation") { return Self.bird("renamed", "rename") }
      return .multipart([
        .text(#"{"data":{"first":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#), .hold(gate),
        .text(#"{"incremental":[{"label":"late","path":["first"],"data":{"age":12}}],"hasNext":false}"#),
      ])
    } _: { driver in
      await openTab("mutation { rename { id name } }", driver)
      await driver.pressWithoutWaiting("Ctrl-PageUp F5")
      await driver.wait { $0.tab.response.run?.payloadCount == 1 }
      await driver.pressWithoutWaiting("Ctrl-PageDown F5")
      await driver.wait { $0.tab.response.run?.phase == .complete }
      gate.open()
      await driver.waitForIdle()
      await driver.press("Ctrl-PageUp")
      #expect(await driver.state.tab.response.run?.phase == .complete)
      #expect(await driver.state.tab.response.tree.data?["first"]?["name"]?.string == "renamed")
      #expect(await driver.state.tab.response.tree.data?["first"]?["age"]?.int == 12)
    }
  }

  @Test func `a response with errors is unchanged by changes to other records`() async throws {
    let failed =
      #"{"data":{"bird":{"__typename":"Bird","id":"1","name":null}},"#
      + #""errors":[{"message":"no name today","path":["bird","name"]}]}"#
    try await explore("{ bird { id name } }") { body in
      body.contains("mutation")
        ? .json(#"{"data":{"rename":{"__typename":"Bird","id":"2","name":"Nat"}}}"#) : .json(failed)
    } _: { driver in
      await driver.press("F5")
      await openTab("mutation { rename { id name } }", driver)
      await driver.press("F5")
      await driver.press("Ctrl-PageUp")
      #expect(await driver.screen.contains("◐ partial errors"))
      #expect(await driver.screen.contains("name: null"))
    }
  }

  @Test func `tabs that evict each other's data refetch it a limited number of times`() async throws {
    let counts = Mutex<[String: Int]>([:])
    // Each response refers to a bird for which the other query's field is unknown.
    try await explore("query First { bird { id name } }") { body in
      let name = body.contains("First") ? "First" : "Second"
      let number = counts.withLock { counts in
        counts[name, default: 0] += 1
        return counts[name] ?? 0
      }
      let field = name == "First" ? "name" : "age"
      return .json(
        #"{"data":{"bird":{"__typename":"Bird","id":"\#(name)\#(number)","\#(field)":"\#(number)"}}}"#)
    } _: { driver in
      await driver.press("F5")
      await openTab("query Second { bird { id age } }", driver)
      await driver.press("F5")
      // The first tab lost the name and refetched it; the second then lost the age and refetched that.
      #expect(counts.withLock { $0 } == ["First": 2, "Second": 2])
      await driver.press("F5")
      let after = counts.withLock { $0 }
      #expect(after["Second", default: 0] <= 4 && after["First", default: 0] <= 3, "\(after)")
    }
  }

  // MARK: Payloads

  @Test func `an earlier payload shows the cache as of that payload of the tab's run`() async throws {
    try await explore(Self.deferred) { body in
      body.contains("Second") ? Self.parts("second", id: "2", "Nat") : Self.parts("first", id: "1", "Dag")
    } _: { driver in
      await driver.press("F5")
      await openTab(Self.otherDeferred, driver)
      await driver.press("F5")
      await driver.press("Ctrl-PageUp Alt-,")
      #expect(
        await driver.state.screen.notice?.text.hasPrefix("Response, fragments and cache after payload 1 of 2") == true)
      // The revision is from before the second payload and before the other tab's run.
      #expect(await driver.state.cache.records.map(\.key) == ["QUERY_ROOT", "Bird:1"])
      await driver.press("Alt-5 Down Enter")
      #expect(await driver.state.cache.opened?.rows.map(\.field) == ["__typename", "id", "name"])
      // The other tab shows the current cache.
      await driver.press("Ctrl-PageDown")
      #expect(await driver.state.cache.records.map(\.key) == ["QUERY_ROOT", "Bird:1", "Bird:2"])
      await driver.press("Ctrl-PageUp")
      #expect(await driver.state.cache.records.map(\.key) == ["QUERY_ROOT", "Bird:1"])
      await driver.press("Alt-3 }")
      #expect(await driver.state.cache.records.map(\.key) == ["QUERY_ROOT", "Bird:1", "Bird:2"])
    }
  }

  @Test func `the write of a payload belongs to the run of the shown tab`() async throws {
    try await explore(Self.deferred) { body in
      body.contains("Second") ? Self.parts("second", id: "2", "Nat") : Self.parts("first", id: "1", "Dag")
    } _: { driver in
      await driver.press("F5")
      await openTab(Self.otherDeferred, driver)
      await driver.press("F5")
      await driver.press("Ctrl-PageUp Alt-4 w")
      #expect(await driver.state.cache.openedWrite?.entry.title == "First")
      #expect(await driver.state.cache.openedWrite?.rows.map(\.record) == ["Bird:1"])
    }
  }

  @Test func `an earlier payload shows the fragments pending at that time`() async throws {
    try await explore(Self.deferred) { _ in
      Self.parts("first", id: "1", "Dag")
    } _: { driver in
      await driver.press("F5")
      await driver.press("Alt-,")
      let fragment = try #require(await driver.state.tab.response.run?.fragments.first)
      #expect(fragment.state.isPending)
      let screen = await driver.screen
      #expect(!screen.contains("missing") && !screen.contains("did not arrive"), "\(screen)")
      #expect(screen.contains("waiting for late"))
      // The row has the later arrival time.
      let row = screen.split(separator: "\n").first { $0.contains("◌ late ") && !$0.contains("waiting") }
      #expect(row?.hasSuffix(" ms") == true, "\(screen)")
      // The status line describes the shown payload instead of the end of the run.
      #expect(screen.contains("as received at payload 1 of ") && !screen.contains("● complete"), "\(screen)")
      await driver.press("Alt-.")
      #expect(await driver.screen.contains("● complete"))
    }
  }

  @Test func `arrival times are unchanged by a cache edit`() async throws {
    try await explore(Self.deferred) { _ in
      Self.parts("first", id: "1", "Dag")
    } _: { driver in
      await driver.press("F5")
      let arrival = try #require(await driver.state.tab.response.run?.fragments.first?.settledAfter)
      try await edit("age", "7", driver)
      #expect(await driver.screen.contains("age: 7"))
      #expect(await driver.state.tab.response.run?.fragments.first?.settledAfter == arrival)
      #expect(await !driver.screen.contains("at once"))
      // The edit is still visible after stepping through the payloads.
      await driver.press("Alt-, Alt-.")
      #expect(await driver.screen.contains("age: 7"))
    }
  }

  private func edit(_ field: String, _ value: String, _ driver: ExplorerDriver) async throws {
    await driver.press("Alt-5 Down Enter")
    let row = try #require(await driver.state.cache.opened?.rows.firstIndex { $0.field == field })
    for _ in 0..<row { await driver.press("Down") }
    await driver.press("e Ctrl-U")
    await driver.type(value)
    await driver.press("Enter y")
  }

  @Test func `a payload whose cache revision was dropped reports that`() async throws {
    let first = ScriptedAnswer.Piece.text(
      #"{"data":{"birds":[{"__typename":"Bird","id":"0"}]},"hasNext":true}"#)
    let others = (1...230).map { number in
      ScriptedAnswer.Piece.text(
        #"{"incremental":[{"path":["birds",\#(number)],"items":[{"__typename":"Bird","id":"\#(number)"}]}],"#
          + #""hasNext":\#(number < 230)}"#)
    }
    try await explore("{ birds @stream { id } }") { _ in
      .multipart([first] + others)
    } _: { driver in
      await driver.press("F5")
      #expect(await driver.state.tab.response.payloads.count == 231)
      #expect(await driver.state.cache.totalCount == 232)
      for _ in 0..<100 { await driver.pressWithoutWaiting("Alt-,") }
      await driver.waitForIdle()
      #expect(await driver.state.cache.totalCount == 132)
      for _ in 0..<130 { await driver.pressWithoutWaiting("Alt-,") }
      await driver.waitForIdle()
      #expect(await driver.screen.contains("The earlier cache state is no longer stored"))
    }
  }

  @Test func `the cache as of an earlier payload cannot be edited`() async throws {
    try await explore(Self.deferred) { _ in
      Self.parts("first", id: "1", "Dag")
    } _: { driver in
      await driver.press("F5")
      await driver.press("Alt-, Alt-5 Down")
      for key in ["d", "D", "X", "o", "u"] {
        await driver.press(key)
        #expect(
          await driver.state.screen.notice?.text
            == "This is an earlier state of the cache: return to the latest payload first")
      }
    }
  }

  // MARK: Writes

  @Test func `a null caused by an error is not written to the cache`() async throws {
    let answer =
      #"{"data":{"bird":{"__typename":"Bird","id":"1","name":null}},"#
      + #""errors":[{"message":"no name today","path":["bird","name"]}]}"#
    try await explore("{ bird { id name } }") { _ in
      .json(answer)
    } _: { driver in
      await driver.press("F5")
      await driver.press("Alt-5 Down Enter")
      #expect(await driver.state.cache.openedKey == "Bird:1")
      #expect(await driver.state.cache.opened?.rows.map(\.field) == ["__typename", "id"])
    }
  }
}
