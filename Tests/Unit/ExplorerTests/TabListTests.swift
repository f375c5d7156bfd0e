import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Testing

/// The names and states of tabs in the tab bar and in the list of tabs.
@Suite(.timeLimit(.minutes(1))) struct TabListTests {
  /// Returns the state after the analysis of an anonymous operation.
  private func state(firstField: String?, name: String? = nil) -> ExplorerState {
    var state = BirdStation.state(after: [])
    let operation = EditorAnalysis.Operation(name: name, kind: "query", lines: 0...1, firstField: firstField)
    _ = update(
      &state,
      .text(.analysed(.query, EditorAnalysis(version: state.tab.editors.query.version, operations: [operation]))))
    return state
  }

  @Test func `a tab is named by its operation, or by the first field of an anonymous one`() {
    #expect(state(firstField: nil, name: "Birds").tabs.title(of: 0) == "Birds")
    #expect(state(firstField: "station").tabs.title(of: 0) == "station")
    #expect(state(firstField: nil).tabs.title(of: 0) == "Tab 1")
  }

  @Test func `the first field is found in the document, and restored with the session`() async throws {
    try await writeWithDemoSchema("{ s: stations { id } bird(id: 1) { id } }", variables: "", width: 100, height: 30) {
      driver in
      #expect(await driver.state.tabs.title(of: 0) == "stations")
      let saved = await SavedSession(driver.state)
      var restored = ExplorerState(endpoint: "birds")
      restored.restore(saved)
      #expect(restored.tabs.title(of: 0) == "stations")
    }
  }

  @Test func `the list of tabs has their endpoints and states`() {
    var state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    _ = update(&state, .commandInvoked(.newTab))
    _ = update(&state, .commandInvoked(.pickTab))
    let rows = screen(state, 120, 40).filter { $0.contains("http://localhost:4000/graphql") }
    #expect(rows.contains { $0.contains("partial errors") }, "\(rows)")
    #expect(rows.contains { $0.contains("not run yet") }, "\(rows)")
  }

  @Test func `a tab shows how many events arrived since it was shown`() {
    func event(_ index: Int) -> Action {
      .run(
        1, .resultReceived(RunResult(data: BirdStation.json(#"{"seen":\#(index)}"#), payloadIndex: index, byteCount: 9))
      )
    }
    var state = BirdStation.state(after: [
      .commandInvoked(.runOperation), .run(1, .started(OperationInfo(name: "Seen", kind: "subscription"))), event(0),
      event(1),
    ])
    #expect(state.tab.response.unseenEvents == 0)
    _ = update(&state, .commandInvoked(.newTab))
    #expect(!screen(state, 120, 40)[0].contains("•"))
    for index in 2...4 { _ = update(&state, event(index)) }
    #expect(screen(state, 120, 40)[0].contains("•3"), "\(screen(state, 120, 40)[0])")
    _ = update(&state, .commandInvoked(.pickTab))
    #expect(screen(state, 120, 40).contains { $0.contains("3 new events") })
    _ = update(&state, .tabClicked(0))
    #expect(!screen(state, 120, 40)[0].contains("•3"))
    _ = update(&state, .commandInvoked(.nextTab))
    #expect(!screen(state, 120, 40)[0].contains("•"))
  }
}
