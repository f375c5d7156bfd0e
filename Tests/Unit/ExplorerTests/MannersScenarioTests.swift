import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// Navigation with jump labels and dividers that can be dragged.
@Suite(.timeLimit(.minutes(1))) struct MannersScenarioTests {
  private func look(
    width: Int = 120, height: Int = 40, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    let driver = await ExplorerDriver(state: state, environment: ExplorerEnvironment(), width: width, height: height)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private func label(_ driver: ExplorerDriver, of action: Action) async throws -> String {
    guard let jump = await driver.state.popups.last?.state as? JumpPopup else { return "" }
    return try #require(jump.targets.first { $0.action == action }).label
  }

  @Test func `everything visible has a jump label`() async throws {
    try await look { driver in
      await driver.press("Alt-j")
      await driver.type(try await label(driver, of: .rowClicked(.response, row: 6, onFold: false)))
      #expect(await driver.state.screen.focus == .response)
      #expect(await driver.state.tab.response.tree.list.selected == 6)
      #expect(await driver.state.popups.isEmpty)
      await driver.press("Alt-j")
      await driver.type(try await label(driver, of: .textClicked(.query, TextPosition(2, 4), extending: false)))
      #expect(await driver.state.screen.focus == .query)
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(2, 4))
      await driver.press("Alt-j")
      await driver.type(try await label(driver, of: .paneClicked(.headers)))
      #expect(await driver.state.screen.focus == .headers)
    }
  }

  @Test func `Escape or an unknown label closes the jump labels`() async throws {
    try await look { driver in
      await driver.press("Alt-j Esc")
      #expect(await driver.state.popups.isEmpty)
      await driver.press("Alt-j")
      await driver.type("1")
      #expect(await driver.state.popups.isEmpty)
      #expect(await driver.state.screen.focus == .query)
    }
  }

  @Test func `the divider between columns can be dragged`() async throws {
    try await look { driver in
      let divider = try #require(await driver.lines[5].firstIndex(of: "│"))
      let column = await driver.lines[5].distance(from: driver.lines[5].startIndex, to: divider)
      await driver.mouse(.press(.left), at: Point(column: column, row: 5))
      await driver.mouse(.drag(.left), at: Point(column: 80, row: 6))
      await driver.mouse(.release(.left), at: Point(column: 80, row: 6))
      let moved = try #require(await driver.lines[5].firstIndex(of: "│"))
      let now = await driver.lines[5].distance(from: driver.lines[5].startIndex, to: moved)
      #expect((79...81).contains(now), "\(now)")
      #expect(await driver.state.screen.focus == .query)
    }
  }

  @Test func `the divider between upper and lower panes can be dragged`() async throws {
    try await look { driver in
      await driver.press("F10")
      let row = try #require(await driver.lines.firstIndex { $0.contains("3 Response") })
      await driver.mouse(.press(.left), at: Point(column: 60, row: row))
      await driver.mouse(.drag(.left), at: Point(column: 60, row: row + 8))
      await driver.mouse(.release(.left), at: Point(column: 60, row: row + 8))
      let now = try #require(await driver.lines.firstIndex { $0.contains("3 Response") })
      #expect(abs(now - row - 8) <= 1, "\(row) \(now)")
    }
  }
}
