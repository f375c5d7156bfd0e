import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Testing

/// Comparing a response with that of the previous run: the marks, the counts, and the keys to go between differences.
@Suite(.timeLimit(.minutes(1))) struct ComparisonScenarioTests {
  /// Runs twice, with `before` and then `after` as the response, and compares.
  private func compare(
    _ before: String, _ after: String, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    var environment = ExplorerEnvironment()
    environment.runs.start = { request, send in
      send(.run(request.id, .started(OperationInfo(name: "Birds", kind: "query"))))
      let data = BirdStation.json(request.id == 1 ? before : after)
      send(.run(request.id, .resultReceived(RunResult(data: data, elapsed: .milliseconds(12), byteCount: 40))))
      send(.run(request.id, .completed))
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "http://localhost:4000/graphql", query: "query Birds { birds }"),
      environment: environment,
      width: 120, height: 30)
    await driver.waitForIdle()
    await driver.press("F5")
    await driver.press("F5")
    await driver.press("Alt-3 d")
    try await drive(driver)
    await driver.quit()
  }

  private func row(_ driver: ExplorerDriver, with text: String) async throws -> String {
    let lines = await driver.lines
    return try #require(lines.first { $0.contains(text) }, "\(lines.joined(separator: "\n"))")
  }

  private func expectRow(_ name: String, has text: String, _ driver: ExplorerDriver) async throws {
    let row = try await row(driver, with: name)
    #expect(row.contains(text), "\(row)")
  }

  @Test func `added, removed and changed values are marked and show the old and the new value`() async throws {
    try await compare(
      #"{"station":"Falsterbo","count":3,"gone":{"a":1},"list":[1,2,3]}"#,
      #"{"station":"Ottenby","count":3,"list":[1,5],"more":true}"#
    ) { driver in
      try await expectRow("station", has: #"~   station: "Falsterbo" → "Ottenby""#, driver)
      try await expectRow("gone", has: "-   gone  {1}", driver)
      try await expectRow("more", has: "+   more: true", driver)
      try await expectRow("2 → 5", has: "~     1: 2 → 5", driver)
      try await expectRow("2: 3", has: "-     2: 3", driver)
      // Equal values have no mark.
      let same = try await row(driver, with: "count: 3")
      #expect(["+   count", "-   count", "~   count"].allSatisfy { !same.contains($0) })
    }
  }

  @Test func `keys go from difference to difference, and the status line counts them`() async throws {
    try await compare(
      #"{"a":1,"b":{"c":[1,2]},"d":4}"#, #"{"a":2,"b":{"c":[1,2,3]},"e":5}"#
    ) { driver in
      #expect(await driver.lines[28].contains("1 of 4 differences"))
      var places: [String] = []
      for _ in 0..<4 {
        let tree = await driver.state.tab.response.tree
        places.append(tree.path(ofRow: tree.list.selected).description)
        await driver.press("n")
      }
      #expect(places == ["a", "b.c[2]", "d", "e"])
      #expect(await driver.lines[28].contains("1 of 4 differences"))
      await driver.press("N")
      #expect(await driver.lines[28].contains("4 of 4 differences"))
      await driver.press("Esc")
      #expect(await !driver.screen.contains("differences"))
      #expect(await !driver.screen.contains("+   e"))
      await driver.press("d")
      #expect(await driver.lines[28].contains("1 of 4 differences"))
    }
  }

  @Test func `comparing equal responses reports no differences`() async throws {
    try await compare(#"{"a":1}"#, #"{"a":1}"#) { driver in
      #expect(await driver.screen.contains("No differences from the previous run"))
      await driver.press("n")
      #expect(await driver.screen.contains("No differences from the previous run"))
    }
  }

  @Test func `a removed item at the end of a long list can be selected`() async throws {
    let items = (0..<300).map(String.init)
    try await compare(
      "{\"l\":[\(items.joined(separator: ","))]}", "{\"l\":[\(items.prefix(298).joined(separator: ","))]}"
    ) { driver in
      #expect(await driver.lines[28].contains("1 of 2 differences"))
      try await expectRow("298: 298", has: "-     298: 298", driver)
      await driver.press("n")
      let tree = await driver.state.tab.response.tree
      #expect(tree.path(ofRow: tree.list.selected).description == "l[299]")
    }
  }

  @Test func `inserting a list item does not mark the following items as changed`() async throws {
    try await compare(
      #"{"birds":[{"id":"1","name":"Wren"},{"id":"2","name":"Robin"},{"id":"3","name":"Tit"}]}"#,
      #"{"birds":[{"id":"9","name":"Swift"},{"id":"1","name":"Wren"},{"id":"3","name":"Great tit"}]}"#
    ) { driver in
      #expect(await driver.lines[28].contains("1 of 3 differences"))
      try await expectRow("Great tit", has: #"~       name: "Tit" → "Great tit""#, driver)
      let same = try await row(driver, with: "Wren")
      #expect(!same.contains("~") && !same.contains("+"), "\(same)")
      let added = try await row(driver, with: "Swift")
      #expect(added.contains("+"))
      // Removed items can be selected too.
      await driver.press("N")
      let tree = await driver.state.tab.response.tree
      #expect(tree.rows[tree.list.selected].difference == .removed)
    }
  }

  @Test func `an item with another position in its list is marked as moved`() async throws {
    try await compare(
      #"{"birds":[{"id":"1"},{"id":"2"},{"id":"3"}]}"#, #"{"birds":[{"id":"3"},{"id":"1"},{"id":"2"}]}"#
    ) { driver in
      #expect(await driver.lines[28].contains("1 of 1 difference"))
      let tree = await driver.state.tab.response.tree
      #expect(tree.path(ofRow: tree.list.selected).description == "birds[0]")
      #expect(tree.rows[tree.list.selected].difference == .moved)
    }
  }

  /// The history has no `__typename` that was added for the cache.
  @Test func `a response and its history entry have no differences`() {
    let stored = BirdStation.json(
      #"{"birds":{"edges":[{"node":{"id":"1","name":"a"}},{"node":{"id":"2","name":"b"}}]}}"#)
    let shown = BirdStation.json(
      #"{"birds":{"edges":[{"__typename":"E","node":{"__typename":"B","id":"1","name":"a"}},"#
        + #"{"__typename":"E","node":{"__typename":"B","id":"2","name":"b"}}]}}"#)
    let type: Set<String> = ["__typename"]
    let edges = HiddenFields(names: type, children: ["node": HiddenFields(names: type)])
    let hidden = HiddenFields(children: ["birds": HiddenFields(children: ["edges": edges])])
    #expect(ValueDifference.between(stored, shown, without: hidden).isEmpty)
    let other = BirdStation.json(
      #"{"birds":{"edges":[{"node":{"id":"2","name":"b"}},{"node":{"id":"3","name":"c"}}]}}"#)
    let changes = ValueDifference.between(other, shown, without: hidden)
    #expect(
      changes.map(\.kind) == [.added, .removed]
        && changes.map(\.path.description) == ["birds.edges[0]", "birds.edges[1]"])
    // Objects of two types with one id are not the same.
    let cat = BirdStation.json(#"[{"__typename":"Cat","id":"1"}]"#)
    let dog = BirdStation.json(#"[{"__typename":"Dog","id":"1"}]"#)
    #expect(ValueDifference.between(cat, dog).map(\.kind) == [.added, .removed])
  }

  @Test func `edges are aligned by the identity of their nodes`() async throws {
    try await compare(
      #"{"edges":[{"cursor":"a","node":{"__typename":"Bird","id":1}}]}"#,
      #"{"edges":[{"cursor":"a","node":{"__typename":"Bird","id":2}},{"cursor":"b","node":{"__typename":"Bird","id":1}}]}"#
    ) { driver in
      #expect(await driver.lines[28].contains("1 of 2 differences"))
    }
  }
}
