import ApusClientAPI
import ApusClientRequests
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import ApusJSON
import Synchronization
import Testing

@testable import ApusExplorerPersistence

/// Finding commands, history entries, headers and events by synonyms, ranking and folding.
@Suite(.timeLimit(.minutes(1))) struct FindingTests {
  @Test(arguments: [
    ("maximize", Command.zoomPane), ("zoompane", .zoomPane), ("refetch", .runOperation),
    ("refresh token", .renewCredentials),
    ("duplicate", .duplicateTab), ("introspect", .reloadSchema), ("reloadSchema", .reloadSchema),
    ("run", .runOperation), ("close the tab", .closeTab), ("save this run", .saveRun), ("tab duplicate", .duplicateTab),
  ])
  func `the palette finds commands by synonyms and names`(typed: String, command: Command) {
    var state = BirdStation.state()
    state.connection.renewsCredentials = true
    #expect(Command.palette(matching: typed, in: state).first == command)
  }

  @Test(arguments: [
    ("docs", Command.openSchema), ("docs", .showHelp), ("prettify", .formatDocument), ("diff", .comparePrevious),
    ("diff", .runOnOtherEndpoint), ("collapse", .foldText), ("collapse", .foldAll), ("expand", .unfoldAll),
    ("share", .copyAsCurl),
  ])
  func `words of other programs find commands`(typed: String, command: Command) {
    #expect(Command.palette(matching: typed, in: BirdStation.state()).prefix(6).contains(command))
  }

  @Test func `every synonym belongs to a command of the palette`() {
    for name in Command.otherWords.keys {
      #expect(Command.named(name)?.isInPalette == true, "\(name)")
    }
  }

  private func explore(
    _ state: ExplorerState = BirdStation.state(), environment: ExplorerEnvironment = ExplorerEnvironment(),
    width: Int = 100,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let driver = await ExplorerDriver(state: state, environment: environment, width: width, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  @Test func `duplicating a tab copies its editors but not its response`() async throws {
    try await explore(BirdStation.state(after: BirdStation.running)) { driver in
      await driver.press("Alt-6")
      await driver.type("X-Team: birds")
      await driver.press("Ctrl-P")
      await driver.type("duplicate")
      await driver.press("Enter")
      let tabs = await driver.state.tabs
      #expect(tabs.count == 2)
      #expect(tabs.all[1].content.editors.query.text == BirdStation.query)
      #expect(tabs.all[1].content.editors.headers.text == "X-Team: birds")
      #expect(tabs.all[1].content.response.run == nil)
      #expect(tabs.all[0].content.response.run != nil)
    }
  }

  @Test func `an error is copied as JSON`() async throws {
    let clipboard = Mutex("")
    var environment = ExplorerEnvironment()
    environment.exchange.putOnClipboard = { text in
      clipboard.withLock { $0 = text }
      return .program("desk")
    }
    let state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    try await explore(state, environment: environment) { driver in
      await driver.press("Alt-3 e y")
      #expect(clipboard.withLock { $0 }.contains(#""message": "The flights are lost""#))
    }
  }

  @Test func `several pages are loaded in the direction that has pages`() {
    var result = BirdStation.third
    result.lists = [PagedList(path: ["station", "birds"], itemCount: 2, hasNextPage: false, hasPreviousPage: true)]
    var state = BirdStation.state(
      after: BirdStation.running + [
        .run(1, .resultReceived(result)), .run(1, .completed), .commandInvoked(.focusResponse),
      ])
    #expect(state.reason(against: .allPages) == nil)
    let effects = update(&state, .commandInvoked(.tenPages))
    #expect(effects.contains(.run(1, .loadPages(.allPrevious(limit: 10), of: ["station", "birds"]))))
  }

  // MARK: Headers

  @Test func `headers in JSON are converted when pasted or typed`() async throws {
    try await explore { driver in
      await driver.press("Alt-6")
      #expect(await driver.screen.contains("Name: value"))
      await driver.paste(#"{"X-Team": "birds", "X-Count": 3}"#)
      #expect(await driver.state.tab.editors.headers.text == "X-Team: birds\nX-Count: 3")
      #expect(await driver.screen.contains("The JSON was converted to 2 header lines"))
      await driver.press("Ctrl-A Backspace")
      await driver.type(#"{"Authorization": "Bearer $TOKEN"}"#)
      await driver.press("Alt-1")
      let text = await driver.state.tab.editors.headers.text
      #expect(text == "Authorization: Bearer $TOKEN" || text.hasPrefix("Authorization: Bearer $TOKEN"))
    }
  }

  @Test(arguments: [#"{"a": {"b": 1}}"#, "[1]", #"{"a b": "c"}"#, "X: {}"])
  func `text that is not a JSON object of headers is not converted`(text: String) async throws {
    try await explore { driver in
      await driver.press("Alt-6")
      await driver.paste(text)
      #expect(await driver.state.tab.editors.headers.text == text)
    }
  }

  @Test func `a hidden headers pane shows the number of headers`() async throws {
    try await explore { driver in
      await driver.press("Alt-6")
      await driver.type("X-A: 1")
      await driver.press("Alt-2")
      #expect(await driver.lines.contains { $0.contains("6 Headers 1") })
    }
  }

  // MARK: Events

  @Test func `events show the time of day, milliseconds and gaps`() async throws {
    let start = ClockTime(hour: 23, minute: 59, second: 59, millisecond: 500)
    let operation = OperationInfo(name: "Seen", kind: "subscription", startedAt: start)
    let times = [100, 200, 300, 400, 500, 9_500]
    let events = times.enumerated().map { index, time in
      Action.run(
        1,
        .resultReceived(
          RunResult(
            data: BirdStation.json(#"{"seen":\#(index)}"#), payloadIndex: index,
            elapsed: .milliseconds(time),
            byteCount: 20)))
    }
    let begin: [Action] = [
      .commandInvoked(.runOperation), .run(1, .started(operation)), .commandInvoked(.focusResponse),
      .commandInvoked(.zoomPane),
    ]
    try await explore(BirdStation.state(after: begin + events), width: 120) { driver in
      let lines = await driver.lines
      let first = try #require(lines.first { $0.contains("seen: 0") })
      #expect(first.contains("23:59:59.600") && first.contains("0.100 s") && !first.contains("quiet"))
      let last = try #require(lines.first { $0.contains("seen: 5") })
      #expect(last.contains("00:00:09.000") && last.contains("9.500 s") && last.contains("quiet"))
    }
  }

  // MARK: History

  private func entry(_ id: Int, _ operation: String, _ query: String, endpoint: String = "https://a.example")
    -> HistoryEntry
  {
    HistoryEntry(
      id: id, time: 100, operation: operation, request: RequestDraft(url: endpoint, query: query), status: .complete,
      elapsed: .milliseconds(12), byteCount: 4_100)
  }

  @Test func `equal runs are one row, and the best match comes first`() {
    let entries = [
      entry(9, "query Nest", "query Nest { nest { bird } }"), entry(8, "query Birds", "query Birds { birds }"),
      entry(7, "query Bird", "query Bird { bird }"), entry(6, "query Birds", "query Birds { birds }"),
      entry(5, "query Bird", "query Bird { bird }", endpoint: "https://b.example"),
    ]
    #expect(HistoryFold.folds(of: entries, matching: "").map(\.newest.id) == [9, 8, 7, 5])
    #expect(HistoryFold.folds(of: entries, matching: "").map(\.count) == [1, 2, 1, 1])
    var other = entries[1]
    other.byteCount = 5
    #expect(HistoryFold.folds(of: entries + [other], matching: "").count == 5, "another result has its own row")
    #expect(HistoryFold.folds(of: entries, matching: "Bird").map(\.newest.id) == [7, 5, 8, 9])
    let item = HistoryFold.folds(of: entries, matching: "birds")[0].item(now: 220)
    #expect(item.title == "query Birds ×2")
    #expect(item.note.contains("12 ms") && item.note.contains("4.1 kB") && item.note.contains("2 min ago"))
  }
}
