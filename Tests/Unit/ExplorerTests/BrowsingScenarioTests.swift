import ApusClientAPI
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusJSON
import Testing

/// Browsing a response that is larger than its pane, and reading its errors.
@Suite(.timeLimit(.minutes(1))) struct BrowsingScenarioTests {
  private func explore(
    _ data: String, errors: [GraphQLError] = [], query: String = "query Birds { birds }",
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    var environment = ExplorerEnvironment()
    environment.runs.start = { request, send in
      send(.run(request.id, .started(OperationInfo(name: "Birds", kind: "query"))))
      send(.run(request.id, .resultReceived(RunResult(data: BirdStation.json(data), errors: errors))))
      send(.run(request.id, .completed))
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "http://localhost:4000/graphql", query: query), environment: environment,
      width: 80,
      height: 30)
    await driver.waitForIdle()
    await driver.press("F5")
    await driver.press("Alt-3")
    try await drive(driver)
    await driver.quit()
  }

  private static let flock =
    #"{"station":{"birds":["# + (0..<40).map { #"{"ring":"R\#($0)","mass":\#($0)}"# }.joined(separator: ",") + "]}}"

  @Test func `the parents of the first visible row stay at the top`() async throws {
    try await explore(Self.flock) { driver in
      let column = try #require(await driver.terminal.find("station")).column
      for _ in 0..<14 { await driver.press("Down") }
      await driver.press("PageDown PageDown")
      let tree = await driver.state.tab.response.tree
      let lines = await driver.lines.map { String($0.dropFirst(column - 3)) }
      #expect(lines[1].contains("▾ station"))
      #expect(lines[2].contains("▾ birds  [40]"))
      #expect(lines[3].contains("▾ ") || lines[3].contains(": "))
      // The selected row is never covered by its parents.
      let selected = tree.path(ofRow: tree.list.selected)
      #expect(lines.dropFirst(2).contains { $0.hasPrefix("▌") }, "\(selected)")
      for _ in 0..<20 {
        await driver.press("Up")
        #expect(await driver.lines.contains { $0.contains("│▌") })
      }
      // A click on a parent selects it.
      await driver.click("▾ station")
      let clicked = await driver.state.tab.response.tree
      #expect(clicked.list.selected == 0)
    }
  }

  @Test func `the mouse wheel scrolls past parents`() async throws {
    try await explore(Self.flock) { driver in
      let place = try #require(await driver.terminal.find("station"))
      for _ in 0..<20 { await driver.mouse(.wheel(.down), at: place) }
      let scroll = await driver.state.tab.response.tree.list.scroll
      #expect(scroll == 60)
    }
  }

  private static let wide =
    #"{"note":"\#(String(repeating: "word ", count: 40))needle at last","short":"say \"hi\""}"#

  /// Terminals that report it send another key for Ctrl-Enter than for Enter.
  @Test func `Ctrl-Enter runs the operation from the query, the variables, the headers and the response`() async throws
  {
    try await explore(Self.wide) { driver in
      for pane in ["Alt-1", "Alt-2", "Alt-6", "Alt-3"] {
        await driver.press(pane)
        let query = await driver.state.tab.editors.query.text
        let run = await driver.state.tab.response.run?.id ?? 0
        await driver.press("Ctrl-Enter")
        #expect(await driver.state.tab.response.run?.id ?? 0 > run, "\(pane)")
        #expect(await driver.state.tab.editors.query.text == query)
      }
    }
  }

  @Test func `truncated lines end with an ellipsis and scroll sideways`() async throws {
    try await explore(Self.wide) { driver in
      #expect(await driver.lines.contains { $0.hasSuffix("…") && $0.contains("note") })
      await driver.press("> > >")
      #expect(await driver.lines.contains { $0.contains("│▌…") && $0.hasSuffix("…") && !$0.contains("note") })
      await driver.press("< < <")
      #expect(await driver.lines.contains { $0.contains(#"note: "word"#) })
    }
  }

  @Test func `lines of raw JSON that are cut have a mark at each edge`() async throws {
    try await explore(Self.wide) { driver in
      await driver.press("r")
      #expect(await driver.lines.contains { $0.hasSuffix("›") && $0.contains(#""note""#) })
      #expect(await driver.lines.contains { !$0.hasSuffix("›") && $0.contains(#""short""#) })
      await driver.press(">")
      #expect(await driver.lines.contains { $0.contains("‹") && $0.hasSuffix("›") && $0.contains("word") })
    }
  }

  /// The ellipsis at the edge of a clipped line never covers a match.
  @Test(arguments: 18..<34) func `a match at the edge of the pane is shown completely`(position: Int) async throws {
    let text = String(repeating: ".", count: position) + "needle" + String(repeating: ".", count: 60)
    try await explore(#"{"note":"\#(text)"}"#) { driver in
      await driver.press("/")
      await driver.type("needle")
      #expect(await driver.lines.contains { $0.contains(".needle") })
    }
  }

  @Test func `a match beyond the edge is scrolled into view`() async throws {
    try await explore(Self.wide) { driver in
      #expect(await !driver.screen.contains("needle"))
      await driver.press("/")
      await driver.type("needle")
      #expect(await driver.lines.contains { $0.contains("needle at last") })
      await driver.press("Esc /")
      await driver.type("short")
      await driver.press("Enter n")
      #expect(await driver.lines.contains { $0.contains(#"short: "say"#) })
    }
  }

  @Test func `quotes in a string are escaped`() async throws {
    try await explore(Self.wide) { driver in
      #expect(await driver.screen.contains(#"short: "say \"hi\"""#))
    }
  }

  @Test func `the selected column of a table is reversed without colors`() async throws {
    try await explore(#"{"birds":[{"ring":"A","mass":1},{"ring":"B","mass":2}]}"#) { driver in
      await driver.press("t")
      #expect(await reversed(driver) == ["ring"])
      await driver.press("Right")
      #expect(await reversed(driver) == ["mass"])
    }
  }

  /// Returns the reversed column titles.
  private func reversed(_ driver: ExplorerDriver) async -> [String] {
    var names: [String] = []
    for name in ["ring", "mass"] {
      guard let place = await driver.terminal.find(name) else { continue }
      let style = await driver.terminal.style(column: place.column, row: place.row)
      if style.attributes.contains(.reverse) { names.append(name) }
    }
    return names
  }

  @Test func `opening an error shows its message, path, location and extensions`() async throws {
    let long = String(repeating: "the wind took the ring, ", count: 6) + "and nobody saw where"
    let error = GraphQLError(
      message: long, locations: [GraphQLError.Location(line: 2, column: 3)], path: ["birds", 0, "ring"],
      extensions: BirdStation.json(#"{"code":"LOST","trace":{"host":"b7","tries":[1,2]}}"#))
    try await explore(
      #"{"birds":[{"ring":null}]}"#, errors: [GraphQLError(message: "another"), error],
      query: "query Birds {\n  birds { ring }\n}"
    ) { driver in
      await driver.press("e Down")
      let screen = await driver.screen
      for text in ["and nobody saw where", "birds[0].ring", "line 2, column 3", "code: LOST", "host: b7", "0: 1"] {
        #expect(screen.contains(text), "\(text)\n\(screen)")
      }
      await driver.press("Tab")
      #expect(await driver.state.screen.focus == .query)
      #expect(await driver.state.tab.editors.query.cursor.line == 1)
      await driver.press("Alt-3 e Down Enter")
      #expect(await driver.state.popups.isEmpty)
      #expect(await driver.state.tab.response.tree.selectedRow?.content == .problem(error: 1))
      // Enter on the row of the error opens it again.
      await driver.press("Enter")
      #expect(await driver.screen.contains("code: LOST"))
    }
  }
}
