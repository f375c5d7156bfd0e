import ApusExplorerCore
import ApusExplorerTestSupport
import Testing

/// Notifications for a user who looks at another window while an operation runs.
@Suite(.timeLimit(.minutes(1))) struct FocusScenarioTests {
  private func notified(after: Duration?, inFocus: Bool = false, by answers: [RunAction]) -> [String] {
    var state = BirdStation.state(after: BirdStation.running)
    state.screen.notifiesAfter = after
    let actions = [.focusChanged(false)] + (inFocus ? [.focusChanged(true)] : []) + answers.map { Action.run(1, $0) }
    return actions.flatMap { update(&state, $0) }.compactMap { effect in
      if case .screen(.notify(let text)) = effect { text } else { nil }
    }
  }

  @Test func `the notification for a long run has its name and no server text`() {
    let failure = RunError(.server, "hunter2 \u{1B}]52;c;AAAA\u{7}")
    #expect(
      notified(after: .seconds(10), by: [.clockTicked(.milliseconds(12_300)), .completed])
        == ["query Birds is complete after 12.30 s"])
    #expect(
      notified(after: .seconds(10), by: [.clockTicked(.seconds(64)), .failed(failure)])
        == ["query Birds failed after 1 min 4 s"])
    #expect(
      notified(after: .zero, by: [.resultReceived(BirdStation.third), .completed])
        == ["query Birds is complete with errors after 900 ms"])
  }

  @Test func `short runs, a focused window and the default send no notification`() {
    let long: [RunAction] = [.clockTicked(.seconds(64)), .completed]
    #expect(notified(after: .seconds(10), by: [.clockTicked(.seconds(9)), .completed]).isEmpty)
    #expect(notified(after: .seconds(10), inFocus: true, by: long).isEmpty)
    #expect(notified(after: nil, by: long).isEmpty)
    // One notification, and no second one after changes in the cache.
    #expect(notified(after: .seconds(10), by: long + [.completed]).count == 1)
  }

  @Test func `the terminal reports the focus of its window`() async {
    let driver = await ExplorerDriver(
      state: BirdStation.state(after: BirdStation.running), environment: ExplorerEnvironment())
    await driver.waitForIdle()
    #expect(await driver.state.screen.isInFocus)
    await driver.focus(false)
    #expect(await !driver.state.screen.isInFocus)
    await driver.focus(true)
    #expect(await driver.state.screen.isInFocus)
    await driver.quit()
  }

  /// With the Kitty keyboard protocol, the terminal distinguishes keys that are the same in other terminals. If they
  /// are not bound, they do the same.
  @Test func `an unbound modified key does the same as in other terminals`() async {
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "http://a.example"), environment: ExplorerEnvironment())
    await driver.waitForIdle()
    await driver.type("a")
    await driver.press("Shift-Enter")
    await driver.type("b")
    #expect(await driver.state.tab.editors.query.text == "a\nb")
    await driver.press("Ctrl-Shift-P")
    #expect(await !driver.state.popups.isEmpty)
    await driver.press("Esc")
    await driver.quit()
  }
}
