import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Testing

/// The smallest screen: one pane at a time, and popups without margins.
@Suite struct SmallScreenTests {
  private static let commands: [Command] = [
    .showHelp, .showPalette, .openSchema, .showTraffic, .showErrors, .exportTimeline, .goToPayload, .pickCachePolicy,
    .pickTheme, .pickEndpoint, .renameTab,
  ]

  private func state(_ commands: [Command]) -> ExplorerState {
    var state = BirdStation.state(
      after: BirdStation.running + [
        .run(1, .resultReceived(BirdStation.second)), .run(1, .resultReceived(BirdStation.third)), .run(1, .completed),
        .run(1, .trafficObserved(Traffic())),
      ])
    for command in commands { _ = update(&state, .commandInvoked(command)) }
    state.screen.notice = nil
    return state
  }

  @Test(arguments: [
    (Command.focusQuery, "query Birds"), (.focusVariables, "\"first\": 2"), (.focusResponse, "name: \"Falsterbo\""),
    (.focusDeferred, "✗ flights"), (.focusCache, "The cache is empty"), (.focusHeaders, "Name: value"),
  ])
  func `the focused pane has the screen`(command: Command, text: String) throws {
    let state = state([command])
    let lines = screen(state, 40, 10)
    #expect(lines.contains { $0.contains(text) }, "\(lines)")
    #expect(lines[0].contains(" \(state.screen.focus.rawValue) \(state.screen.focus.title) "), "\(lines[0])")
    for pane in PaneID.allCases { #expect(lines[0].contains(" \(pane.rawValue) "), "\(lines[0])") }
    #expect(lines[8].contains("partial errors") && lines[8].contains("1 error"), "\(lines[8])")
    #expect(lines[9].contains("F5 run"), "\(lines[9])")
  }

  @Test(arguments: commands) func `popups fit on the screen`(command: Command) {
    let focus: Command = command == .exportTimeline ? .focusDeferred : .focusResponse
    let state = state([focus, command])
    #expect(state.popups.last != nil, "\(state.reason(against: command) ?? "")")
    let lines = screen(state, 40, 10)
    let (top, bottom) = (lines.firstIndex { $0.contains("╭") }, lines.firstIndex { $0.contains("╰") })
    #expect(top != nil && bottom != nil, "\(lines)")
    for line in lines[(top ?? 0)...(bottom ?? 0)] { #expect(["╭", "│", "╰"].contains(line.first { $0 != " " })) }
  }

  @Test func `the last of many choices is visible`() {
    var state = state([.focusResponse])
    state.popups.present(Popup(ExportPopup(.rows)))
    _ = update(&state, .commandInvoked(.popupLast))
    #expect(screen(state, 40, 10).contains { $0.contains("▌ All rows as TSV") })
  }
}
