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
import Testing

/// Sorting, filtering and moving in the deferred pane, nested fragments, and going to a payload by its number.
@Suite(.timeLimit(.minutes(1))) struct DeferredPaneScenarioTests {
  private struct Arrival {
    var label: String
    var index: Int
    var announced: Int
    var settled: Int?
    var state = DeferredState.fulfilled
    var shortfall: IncompleteReason?
  }

  private static let lost = GraphQLError(message: "The flights are lost", path: BirdStation.paths[1])

  /// Two fragments of the initial result, and one that was announced with the second payload. Each payload settles one.
  private static let arrivals = [
    Arrival(label: "flights", index: 0, announced: 12, settled: 421),
    Arrival(label: "flights", index: 1, announced: 12, settled: 900, state: .failed([lost])),
    Arrival(label: "weather", index: 0, announced: 421, settled: 700),
  ]

  private static func state(
    _ arrivals: [Arrival] = arrivals, _ commands: [Command] = [], errors: [GraphQLError] = [lost]
  ) -> ExplorerState {
    let times = ([12] + arrivals.compactMap(\.settled).sorted()).map { Duration.milliseconds($0) }
    let results = times.enumerated().map { index, time in
      var result = BirdStation.initial
      result.fragments = arrivals.enumerated().compactMap { id, arrival in
        let announced = Duration.milliseconds(arrival.announced)
        let settled = arrival.settled.map { Duration.milliseconds($0) }
        guard announced <= time else { return nil }
        let isSettled = settled.map { $0 <= time } ?? false
        return DeferredFragment(
          fragmentID: id, label: arrival.label, path: BirdStation.paths[arrival.index], typeCondition: "Bird",
          name: nil, state: isSettled ? arrival.state : .pending, announcedAfter: announced,
          settledAfter: isSettled ? settled : nil,
          shortfall: isSettled ? arrival.shortfall : nil)
      }
      result.payloadIndex = index
      result.elapsed = time
      result.isComplete = time == times.last
      result.errors = result.isComplete ? errors : []
      return result
    }
    return BirdStation.state(
      after: [.commandInvoked(.runOperation), .run(1, .started(BirdStation.operation))]
        + results.map { .run(1, .resultReceived($0)) }
        + [.run(1, .completed), .commandInvoked(.focusDeferred), .commandInvoked(.zoomPane)]
        + commands.map { .commandInvoked($0) })
  }

  /// The names and paths of the rows.
  private func rows(_ state: ExplorerState) -> [String] {
    screen(state, 120, 24).dropFirst(2).prefix { $0.contains("edges") }.map { row in
      let words = row.split(separator: " ").filter { $0 != "▌" }
      return "\(words[1]) \(words[2].filter(\.isNumber))"
    }
  }

  private func selected(_ state: ExplorerState) -> String? {
    state.tab.response.deferredRow(at: state.tab.response.deferredList.selected).flatMap {
      if case .delivery(let delivery) = $0 { "\(delivery.title) \(delivery.path)" } else { nil }
    }
  }

  @Test func `a nested fragment begins with the payload that announced it`() throws {
    let lines = screen(Self.state(), 120, 24)
    let flights = try #require(lines.first { $0.contains("flights") && $0.contains("421 ms") })
    let weather = try #require(lines.first { $0.contains("weather") })
    #expect(flights.contains("421 ms (own 409 ms)"))
    #expect(weather.contains("700 ms (own 279 ms)"))
    let end = try #require(Array(flights).lastIndex(of: "━"))
    let start = try #require(Array(weather).firstIndex(of: "━"))
    #expect(abs(start - end) <= 1)
    #expect(lines.contains { $0.contains("failed 900 ms (own 888 ms)") })
    // A narrow pane shows only the time since the request.
    #expect(screen(Self.state(), 50, 20).contains { $0.contains("weather") && $0.hasSuffix("700 ms") })
  }

  @Test func `rows are sorted by start time and state`() {
    #expect(rows(Self.state()) == ["flights 0", "flights 1", "weather 0"])
    let sorted = { rows(Self.state([Arrival](Self.arrivals.reversed()), Array(repeating: .sortDeferred, count: $0))) }
    #expect(sorted(0) == ["weather 0", "flights 1", "flights 0"])
    #expect(sorted(1) == ["flights 1", "flights 0", "weather 0"])
    #expect(sorted(2) == ["flights 1", "flights 0", "weather 0"])
    #expect(sorted(3) == ["flights 1", "weather 0", "flights 0"])
    #expect(sorted(4) == sorted(0))
    #expect(rows(Self.state(Self.arrivals, [.reverseDeferred])) == ["weather 0", "flights 1", "flights 0"])
    let state = Self.state(Self.arrivals, [.sortDeferred, .sortDeferred, .reverseDeferred])
    #expect(rows(state) == ["weather 0", "flights 0", "flights 1"])
    #expect(screen(state, 120, 24)[0].contains("by own time, slowest first, reversed"))
  }

  @Test func `the selected fragment stays selected when rows are sorted and payloads arrive`() {
    let before = Self.state(Self.arrivals, [.rowLast])
    let after = Self.state(Self.arrivals, [.rowLast, .sortDeferred, .sortDeferred])
    #expect(selected(before) == "weather station.birds.edges[0].node")
    #expect(selected(after) == selected(before))
    let past = Self.state(Self.arrivals, [.sortDeferred, .sortDeferred, .previousPayload, .previousPayload])
    #expect(rows(past).count == 3)
    #expect(rows(Self.state(Self.arrivals, [.sortDeferred, .firstPayload])) == ["flights 0", "flights 1"])
  }

  @Test func `the filter finds names paths states and errors`() async throws {
    let driver = await ExplorerDriver(state: Self.state(), environment: ExplorerEnvironment(), width: 120, height: 24)
    await driver.waitForIdle()
    await driver.press("/")
    await driver.type("FLIGHTS lost")
    #expect(await driver.screen.contains("1 of 3"))
    #expect(await driver.lines.contains { $0.contains("flights") && $0.contains("failed") })
    #expect(await !driver.screen.contains("weather"))
    await driver.press("Enter")
    #expect(await driver.state.tab.response.deferredListing.isFiltering == false)
    await driver.press("y")
    let copied = await driver.state.typing.clipboard
    #expect(
      copied
        == "flights  failed 900 ms (own 888 ms): The flights are lost  station.birds.edges[1].node")
    await driver.press("Esc")
    #expect(await driver.screen.contains("weather"))
    await driver.press("/")
    await driver.type("nothing like this")
    #expect(await driver.screen.contains("0 of 3"))
    await driver.press("Esc")
    #expect(await !driver.screen.contains("0 of 3"))
    await driver.quit()
  }

  @Test func `a key goes to the next failure and names its error`() {
    let partial = GraphQLError(message: "No wind", path: ["station", "birds", "edges", 0, "node", "wind"])
    var arrivals = Self.arrivals
    arrivals[2].shortfall = .errors
    arrivals[2].settled = 950
    var state = Self.state(arrivals, [.nextFailedFragment], errors: [partial])
    #expect(selected(state) == "flights station.birds.edges[1].node")
    #expect(state.screen.notice?.text == "1 of 2 failed: flights failed: The flights are lost")
    _ = update(&state, .commandInvoked(.nextFailedFragment))
    #expect(selected(state) == "weather station.birds.edges[0].node")
    #expect(state.screen.notice?.text == "2 of 2 failed: weather partial errors: No wind")
    _ = update(&state, .commandInvoked(.nextFailedFragment))
    #expect(selected(state) == "flights station.birds.edges[1].node")
    let fine = Self.state([Self.arrivals[0]], errors: [])
    #expect(fine.reason(against: .nextFailedFragment) == "No visible deferred fragment failed")
  }

  @Test func `a key goes to the slowest and then to the next slower`() {
    var state = Self.state()
    var titles: [String?] = []
    for _ in 0..<4 {
      _ = update(&state, .commandInvoked(.nextSlowestFragment))
      titles.append(selected(state))
    }
    let flights = "flights station.birds.edges[1].node"
    #expect(
      titles == [flights, "flights station.birds.edges[0].node", "weather station.birds.edges[0].node", flights])
    #expect(state.screen.notice?.text == "1 of 3 by own time: 888 ms")
    // From anywhere else it begins with the slowest again.
    _ = update(&state, .commandInvoked(.nextSlowestFragment))
    _ = update(&state, .commandInvoked(.rowLast))
    _ = update(&state, .commandInvoked(.nextSlowestFragment))
    #expect(selected(state) == flights)
  }

  @Test func `exports name the errors of fragments`() {
    let timeline = Self.state().tab.response.timeline
    let text = timeline.written(as: .text)
    #expect(text.contains("failed 900 ms (own 888 ms): The flights are lost  station.birds.edges[1].node"))
    #expect(timeline.written(as: .svg).contains("failed 900 ms (own 888 ms): The flights are lost<title>"))
    var state = Self.state()
    for command in [Command.exportTimeline, .popupLast, .popupAccept] {
      _ = update(&state, .commandInvoked(command))
    }
    #expect(state.typing.clipboard == text)
  }

  @Test func `a payload is shown by its number`() async throws {
    let driver = await ExplorerDriver(state: Self.state(), environment: ExplorerEnvironment(), width: 120, height: 24)
    await driver.waitForIdle()
    await driver.press("#")
    await driver.type("2")
    await driver.press("Enter")
    #expect(await driver.state.tab.response.payloads.shownIndex == 1)
    await driver.press("#")
    await driver.type("5")
    await driver.press("Enter")
    #expect(await driver.screen.contains("There is no payload '5': enter a number from 1 to 4"))
    #expect(await driver.state.tab.response.payloads.shownIndex == 1)
    await driver.press("#")
    await driver.type("4")
    await driver.press("Enter")
    #expect(await driver.state.tab.response.payloads.shownIndex == nil)
    await driver.quit()
    #expect(BirdStation.state(after: []).reason(against: .goToPayload) == "There is no response")
  }

  @Test func `the fragments inside a deferred one begin with its payload`() async throws {
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{"bird":{"__typename":"Bird","id":"1"}},"hasNext":true}"#),
        .text(
          #"{"incremental":[{"label":"outer","path":["bird"],"data":{"nest":{"__typename":"Nest","id":"2"}}}],"hasNext":true}"#
        ),
        .text(#"{"incremental":[{"label":"inner","path":["bird","nest"],"data":{"eggs":3}}],"hasNext":false}"#),
      ])
    ])
    struct NoSchema: Error {}
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw NoSchema() })
    let environment = live.environment
    let query = """
      { bird { id ... on Bird @defer(label: "outer") { nest { id ... on Nest @defer(label: "inner") { eggs } } } } }
      """
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: 120, height: 40)
    await driver.waitForIdle()
    await driver.press("F5")
    let fragments = await driver.state.tab.response.fragments
    let outer = try #require(fragments.first { $0.label == "outer" })
    let inner = try #require(fragments.first { $0.label == "inner" })
    #expect(inner.announcedAfter == outer.settledAfter)
    #expect(await driver.state.tab.response.axis.arrivals.first == outer.announcedAfter)
    await driver.quit()
    server.stop()
  }
}
