import ApusClientAPI
import ApusExplorerCore
import Testing

/// A subscription with thousands of events: the content that the user looks at stays.
@Suite struct LongSubscriptionTests {
  private func event(_ part: Int, errors: [GraphQLError] = []) -> Action {
    let result = RunResult(
      data: BirdStation.json(#"{"seen":\#(part)}"#), errors: errors, isComplete: false, part: part,
      elapsed: .milliseconds(part + 1), byteCount: 20)
    return .run(1, .resultReceived(result))
  }

  /// Returns a state that shows the response of a subscription after these events.
  private func listening(_ events: [Action]) -> ExplorerState {
    let operation = OperationInfo(name: "Seen", kind: "subscription")
    let begin: [Action] = [
      .commandInvoked(.runOperation), .run(1, .started(operation)), .commandInvoked(.focusResponse),
    ]
    return BirdStation.state(after: begin + events)
  }

  private func press(_ commands: [Command], _ state: inout ExplorerState) {
    for command in commands { _ = update(&state, .commandInvoked(command)) }
  }

  @Test func `the events of the list are saved as one line each`() {
    var state = listening((0..<3).map { event($0) })
    press([.saveResponse], &state)
    #expect((state.popups.last?.state as? LinePopup)?.text == "Seen.events.ndjson")
    let effects = update(&state, .commandInvoked(.popupAccept))
    guard case .exportEvents(let events, to: "Seen.events.ndjson")? = effects.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(
      events.map { String(decoding: $0.compactBytes, as: UTF8.self) } == (0..<3).map { #"{"data":{"seen":\#($0)}}"# })
    // An open event is saved separately.
    press([.rowFirst, .openRow, .saveResponse], &state)
    #expect((state.popups.last?.state as? LinePopup)?.text == "Seen.response.json")
  }

  @Test func `an open event stays the same while thousands of events arrive`() {
    var state = listening((0..<3).map { event($0) })
    press([.rowFirst, .rowDown, .openRow], &state)
    #expect(state.tab.response.parts.shownIndex == 1)
    for part in 3..<3000 { _ = update(&state, event(part)) }
    #expect(state.tab.response.parts.oldestIndex > 1)
    #expect(state.tab.response.parts.shownIndex == 1)
    #expect(state.tab.response.parts.shownInPast?.part == 1)
    #expect(state.tab.response.tree.data == BirdStation.json(#"{"seen":1}"#))
    // The event after it is the oldest retained one.
    press([.nextPayload], &state)
    #expect(state.tab.response.parts.shownIndex == state.tab.response.parts.oldestIndex)
    #expect(state.tab.response.parts.shownInPast?.part == state.tab.response.parts.oldestIndex)
  }

  @Test func `a paused list keeps its events while thousands arrive`() throws {
    var state = listening((0..<5).map { event($0) })
    press([.pauseEvents], &state)
    for part in 5..<3005 { _ = update(&state, event(part)) }
    let events = try #require(state.tab.response.reading.events)
    #expect(events.isPaused && events.shown.map(\.part) == [0, 1, 2, 3, 4])
    #expect(events.waitingCount > 0 && events.waitingCount <= 1000)
    for part in 0..<5 {
      press([.rowFirst] + Array(repeating: Command.rowDown, count: part) + [.openRow], &state)
      #expect(state.tab.response.parts.shownInPast?.part == part)
      #expect(state.tab.response.tree.data == BirdStation.json(#"{"seen":\#(part)}"#))
      press([.clearPresentation], &state)
    }
    press([.pauseEvents], &state)
    #expect(state.tab.response.reading.events?.shown.last?.part == 3004)
    #expect(state.tab.response.reading.events?.count == 1000)
  }

  @Test func `all events with errors are counted`() {
    let fog = [GraphQLError(message: "fog")]
    var state = listening([event(0, errors: fog), event(1, errors: fog), event(2)])
    let effects = update(&state, .run(1, .completed))
    let counts = effects.compactMap { effect -> Int? in
      if case .recordHistory(let entry) = effect { entry.errorCount } else { nil }
    }
    #expect(counts == [2])
    state.screen.notice = nil
    #expect(screen(state, 120, 40)[38].contains("✗ 2 events with errors"))
  }
}
