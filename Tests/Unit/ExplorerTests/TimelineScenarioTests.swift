import ApusClientAPI
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

/// The timeline of deferred fragments: bars, ticks, the scrubber, the target of Enter, and exports.
@Suite(.timeLimit(.minutes(1))) struct TimelineScenarioTests {
  /// Returns a state with a completed run of three payloads and the focus on the deferred pane.
  private static func state(_ actions: [Action] = []) -> ExplorerState {
    var operation = BirdStation.operation
    operation.startedAt = ClockTime(hour: 19, minute: 4, second: 9, millisecond: 71)
    return BirdStation.state(
      after: [
        .commandInvoked(.runOperation), .run(1, .started(operation)), .run(1, .resultReceived(BirdStation.initial)),
        .run(1, .resultReceived(BirdStation.second)), .run(1, .resultReceived(BirdStation.third)), .run(1, .completed),
        .commandInvoked(.focusDeferred), .commandInvoked(.zoomPane),
      ] + actions)
  }

  @Test func `the bar of a fragment ends at its arrival`() {
    let rows = screen(Self.state(), 80, 24)
    #expect(
      rows[1...3].map { $0 } == [
        "  started 19:04:09.071       ┴────────────┴──────────────▼ 900 ms",
        "▌ ● flights …s.edges[0].node ━━━━━━━━━━━━━━                421 ms (own 409 ms)",
        "  ✗ flights …s.edges[1].node ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 900 ms (own 888 ms)",
      ])
  }

  @Test func `the scrubber reaches the first and last payload`() throws {
    func scrubber(_ commands: [Command]) throws -> Int {
      let axis = Array(screen(Self.state(commands.map { .commandInvoked($0) }), 80, 24)[1])
      return try #require(axis.firstIndex(of: "▼"))
    }
    let last = try scrubber([])
    let second = try scrubber([.previousPayload])
    let first = try scrubber([.firstPayload])
    #expect(first < second && second < last)
    #expect(try scrubber([.firstPayload, .nextPayload]) == second)
    #expect(try scrubber([.firstPayload, .newestPayload]) == last)
    // At an earlier payload, later payloads are unknown.
    let past = screen(Self.state([.commandInvoked(.firstPayload)]), 80, 24)
    #expect(past.contains { $0.contains("◌ flights") && $0.contains("╌╌╌") && !$0.contains("━━") })
    #expect(past.contains { $0.contains("then failed 900 ms") })
  }

  @Test func `Enter selects the fragment's content or its error`() {
    let first = Self.state([.commandInvoked(.openRow)])
    #expect(first.screen.focus == .response)
    #expect(first.tab.response.tree.path(ofRow: first.tab.response.tree.list.selected) == BirdStation.paths[0])
    let failed = Self.state([.commandInvoked(.rowDown), .commandInvoked(.openRow)])
    #expect(failed.tab.response.tree.selectedRow?.content == .problem(error: 0))
  }

  @Test func `the timeline is exported as text and SVG`() async throws {
    let written = Mutex<[String: String]>([:])
    var environment = ExplorerEnvironment()
    environment.exports.writeFile = { name, text in
      written.withLock { $0[name] = text }
      return .success(name)
    }
    let driver = await ExplorerDriver(state: Self.state(), environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    await driver.press("x Enter")
    #expect(await driver.screen.contains("Written: apus-timeline-query-Birds.txt"))
    await driver.press("x Down Enter")
    #expect(await driver.screen.contains("Written: apus-timeline-query-Birds.svg"))
    await driver.quit()
    let files = written.withLock { $0 }
    let text = try #require(files["apus-timeline-query-Birds.txt"])
    #expect(text.hasPrefix("query Birds, started at 19:04:09.071, 3 payloads, 900 ms\n"))
    #expect(text.contains("failed 900 ms (own 888 ms): The flights are lost  station.birds.edges[1].node"))
    let picture = try #require(files["apus-timeline-query-Birds.svg"])
    #expect(picture.hasPrefix("<svg xmlns=") && picture.hasSuffix("</svg>\n"))
    #expect(picture.contains(">flights<title>station.birds.edges[0].node</title>"))
  }

  @Test func `names from the server are escaped in SVG`() {
    var run = Self.state().tab.response.timeline
    run.title = "<b>&\"\u{1}"
    #expect(run.written(as: .svg).contains("&lt;b&gt;&amp;&quot;, started"))
  }

  // MARK: With a server

  private func explore(
    _ answer: ScriptedAnswer, query: String, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let server = try ScriptedServer([answer])
    struct NoSchema: Error {}
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw NoSchema() })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: 100, height: 40)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
    server.stop()
  }

  @Test func `an incomplete stream is marked`() async throws {
    let gate = Gate()
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{"birds":[{"id":"1"}]},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["birds",1],"items":[{"id":"2"}]}],"hasNext":true}"#), .hold(gate),
      .text(#"{"incremental":[{"path":["birds",2],"items":[{"id":"3"}]}],"hasNext":false}"#),
    ])
    try await explore(answer, query: #"{ birds @stream(label: "flock", initialCount: 1) { id } }"#) { driver in
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen("◌ waiting for more items of flock")
      await driver.waitForScreen("◌ flock (2)")
      gate.open()
      await driver.waitForScreen("● flock (3)")
      await driver.waitForIdle()
      #expect(await !driver.screen.contains("more items"))
      await driver.press("Alt-4 Enter")
      #expect(await driver.state.tab.response.tree.list.selected == 0)
    }
  }

  @Test func `a fragment with errors or null is not shown as complete`() async throws {
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{"bird":{"__typename":"Bird","id":"1"}},"hasNext":true}"#),
      .text(
        #"{"incremental":[{"label":"a","path":["bird"],"data":{"name":null},"errors":[{"message":"no name","path":["bird","name"]}]}],"hasNext":true}"#
      ),
      .text(#"{"incremental":[{"label":"b","path":["bird"],"data":null}],"hasNext":false}"#),
    ])
    let query =
      #"{ bird { id ... on Bird @defer(label: "a") { name } ... on Bird @defer(label: "b") { mass } } }"#
    try await explore(answer, query: query) { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains("4 Deferred ◐1 ∅1"))
      #expect(await driver.screen.contains("◐ partial errors"))
      #expect(await driver.lines.contains { $0.contains("bird  Bird  ◐ a  ∅ b") })
    }
  }

  @Test func `a fragment pending at a connection loss is shown as cut off`() async throws {
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{"bird":{"__typename":"Bird","id":"1"}},"hasNext":true}"#), .close,
    ])
    try await explore(answer, query: #"{ bird { id ... on Bird @defer(label: "late") { name } } }"#) { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains("4 Deferred ⊣1"))
      #expect(await driver.screen.contains("⊣ interrupted"))
      #expect(await driver.lines.contains { $0.contains("bird  Bird  ⊣ late") })
    }
  }

  @Test func `a payload with an invalid path is reported and others are shown`() async throws {
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{"bird":{"__typename":"Bird","id":"1"}},"hasNext":true}"#),
      .text(
        #"{"incremental":[{"label":"a","path":["bird","x"],"data":{"name":"lost"}},{"label":"b","path":["bird"],"data":{"mass":12}}],"hasNext":false}"#
      ),
    ])
    let query = #"{ bird { id ... on Bird @defer(label: "a") { name } ... on Bird @defer(label: "b") { mass } } }"#
    try await explore(answer, query: query) { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains("4 Deferred ●1 ○1"))
      #expect(await driver.lines.contains { $0.contains("mass") && $0.contains("12") })
      #expect(await driver.screen.contains(#"a deferred part belongs at "bird.x""#))
      #expect(await !driver.screen.contains("● complete"))
    }
  }

  @Test func `a fragment with null fields is pending until its payload`() async throws {
    let gate = Gate()
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":null}},"hasNext":true}"#), .hold(gate),
      .text(#"{"incremental":[{"label":"a","path":["bird"],"data":{"name":"Dag"}}],"hasNext":false}"#),
    ])
    try await explore(answer, query: #"{ bird { id ... on Bird @defer(label: "a") { name } } }"#) { driver in
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen("◌ a")
      gate.open()
      await driver.waitForScreen("● complete")
      #expect(await driver.screen.contains("Dag"))
      #expect(await driver.screen.contains("4 Deferred ●1"))
    }
  }

  @Test func `a fragment missing at the end is shown as not delivered`() async throws {
    let answer = ScriptedAnswer.multipart([
      .text(#"{"data":{"bird":{"__typename":"Bird","id":"1"}},"hasNext":true}"#), .text(#"{"hasNext":false}"#),
    ])
    try await explore(answer, query: #"{ bird { id ... on Bird @defer(label: "late") { name } } }"#) { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains("4 Deferred ○1"))
      #expect(await driver.screen.contains("○ incomplete"))
      let reason = await driver.state.reason(against: .showErrors)
      #expect(reason == "The server ended the response without 1 announced fragment and without an error")
    }
  }

  @Test func `resolver timings of the server can be expanded`() async throws {
    let tracing = """
      {"data":{"bird":{"id":"1"}},"extensions":{"tracing":{"version":1,"duration":9000000,"execution":{"resolvers":[
      {"path":["bird"],"parentType":"Query","fieldName":"bird","returnType":"Bird","startOffset":1000000,"duration":5000000},
      {"path":["bird","id"],"parentType":"Bird","fieldName":"id","returnType":"ID","startOffset":6000000,"duration":2000}]}}}}
      """
    try await explore(.json(tracing), query: "{ bird { id } }") { driver in
      await driver.press("F5")
      await driver.press("Alt-4")
      #expect(await driver.screen.contains("▸ 2 resolvers  from the start on the server"))
      #expect(await !driver.screen.contains("Query.bird"))
      await driver.press("Enter")
      #expect(await driver.lines.contains { $0.contains("Query.bird") && $0.contains("5.0 ms") && $0.contains("━") })
      await driver.press("Down Down Enter")
      #expect(await driver.state.screen.focus == .response)
      let tree = await driver.state.tab.response.tree
      #expect(tree.path(ofRow: tree.list.selected).description == "bird.id")
      await driver.press("Alt-4 Home Left")
      #expect(await !driver.screen.contains("Query.bird"))
    }
  }
}
