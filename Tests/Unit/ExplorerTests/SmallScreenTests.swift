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

  @Test(arguments: [(40, "2.00 s  2.2 kB "), (60, "2.00 s  2.2 kB  just now "), (100, "127.0.0.1:4000 ")])
  func `titles of a list stay readable if their notes are long`(width: Int, note: String) {
    var state = state([])
    let item = PickerItem(
      title: "query Migration", detail: "{ birds }", note: "2.00 s  2.2 kB  just now  127.0.0.1:4000")
    state.popups.present(Popup(PickerPopup(.history, items: [item])))
    let lines = screen(state, width, 15)
    #expect(lines.contains { $0.contains("query Migration ") && $0.contains(note) }, "\(lines)")
  }

  @Test func `the hint of an empty editor that does not fit ends with an ellipsis`() {
    let lines = screen(state([.focusHeaders]), 40, 10)
    #expect(lines.contains { $0.contains("Name: value") && $0.hasSuffix("…") }, "\(lines)")
    let wide = screen(state([.focusHeaders]), 300, 60)
    #expect(wide.contains { $0.contains("JSON is converted)") }, "\(wide)")
  }

  /// At 200 columns nothing is cut; at 80 columns the cut details have a mark.
  @Test func `a list uses a wide screen before it cuts its details`() {
    let rows = screen(state([.pickRequestOptions]), 200, 60)
    let row = rows.first { $0.contains("Send queries by GET") } ?? ""
    #expect(row.contains("is in the URL; a mutation is always sent by POST"), "\(row)")
    #expect(
      screen(state([.pickRequestOptions]), 80, 24).contains { $0.contains("Send queries by GET") && $0.contains("…") })
  }

  @Test func `a message that does not fit ends with an ellipsis`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ birds }")
    _ = update(&state, .schema(.failed(String(repeating: "the server is away ", count: 12))))
    _ = update(&state, .commandInvoked(.openSchema))
    let lines = screen(state, 40, 10)
    #expect(lines[3].contains(" …") && lines[4].contains("Edit the headers, then request…"), "\(lines)")
  }

  @Test(arguments: [(Command.openSchema, true), (.showTraffic, false), (.showPalette, true)])
  func `the cursor of the editor does not show through a popup`(command: Command, hasSelection: Bool) {
    var state = state([.focusQuery])
    state.connection.schema = .unavailable("The server is away")
    let theme = Theme.builtIn(.dark, capabilities: TerminalCapabilities(colors: .direct))
    let size = Size(width: 40, height: 10)
    #expect(ExplorerScreen.render(&state, theme: theme, size: size).cursor != nil)
    _ = update(&state, .commandInvoked(command))
    #expect(state.popups.last != nil)
    #expect((ExplorerScreen.render(&state, theme: theme, size: size).cursor != nil) == hasSelection)
  }

  @Test func `the start screen wraps its sentences`() {
    var state = ExplorerState(endpoint: "")
    state.endpoints.profiles = [.demo]
    _ = update(&state, .started)
    let lines = screen(state, 60, 20)
    #expect(lines.contains { $0.contains(" apus URL opens an endpoint directly; apus demo starts a") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix(" demo server") }, "\(lines)")
  }

  @Test func `the last of many choices is visible`() {
    var state = state([.focusResponse])
    state.popups.present(Popup(ExportPopup(.rows)))
    _ = update(&state, .commandInvoked(.popupLast))
    #expect(screen(state, 40, 10).contains { $0.contains("▌ All rows as TSV") })
  }
}
