import ApusClientAPI
import ApusExplorerCore
import ApusJSON
import Testing

/// A subscription with thousands of events: the content that the user looks at stays.
@Suite struct LongSubscriptionTests {
  private func event(_ number: Int, errors: [GraphQLError] = []) -> Action {
    let result = RunResult(
      data: BirdStation.json(#"{"seen":\#(number)}"#), errors: errors, payloadIndex: number,
      elapsed: .milliseconds(number + 1), byteCount: 20)
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
    guard case .export(.events(let events, to: "Seen.events.ndjson"))? = effects.first else {
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
    #expect(state.tab.response.payloads.shownIndex == 1)
    for number in 3..<3000 { _ = update(&state, event(number)) }
    #expect(state.tab.response.payloads.oldestIndex > 1)
    #expect(state.tab.response.payloads.shownIndex == 1)
    #expect(state.tab.response.payloads.shownInPast?.payloadIndex == 1)
    #expect(state.tab.response.tree.data == BirdStation.json(#"{"seen":1}"#))
    // The event after it is the oldest retained one.
    press([.nextPayload], &state)
    #expect(state.tab.response.payloads.shownIndex == state.tab.response.payloads.oldestIndex)
    #expect(state.tab.response.payloads.shownInPast?.payloadIndex == state.tab.response.payloads.oldestIndex)
  }

  @Test func `a paused list keeps its events while thousands arrive`() throws {
    var state = listening((0..<5).map { event($0) })
    press([.pauseEvents], &state)
    for number in 5..<3005 { _ = update(&state, event(number)) }
    let events = try #require(state.tab.response.reading.events)
    #expect(events.isPaused && events.shown.map(\.payloadIndex) == [0, 1, 2, 3, 4])
    #expect(events.waitingCount > 0 && events.waitingCount <= 1000)
    for number in 0..<5 {
      press([.rowFirst] + Array(repeating: Command.rowDown, count: number) + [.openRow], &state)
      #expect(state.tab.response.payloads.shownInPast?.payloadIndex == number)
      #expect(state.tab.response.tree.data == BirdStation.json(#"{"seen":\#(number)}"#))
      press([.clearPresentation], &state)
    }
    press([.pauseEvents], &state)
    #expect(state.tab.response.reading.events?.shown.last?.payloadIndex == 3004)
    #expect(state.tab.response.reading.events?.count == 1000)
  }

  @Test func `all events with errors are counted`() {
    let fog = [GraphQLError(message: "fog")]
    var state = listening([event(0, errors: fog), event(1, errors: fog), event(2)])
    let effects = update(&state, .run(1, .completed))
    let counts = effects.compactMap { effect -> Int? in
      if case .history(.record(let entry)) = effect { entry.errorCount } else { nil }
    }
    #expect(counts == [2])
    state.screen.notice = nil
    #expect(screen(state, 120, 40)[38].contains("✗ 2 events with errors"))
  }

  /// The value of `seen` is written by the first event, and that of `other` by each.
  @Test func `a value of an event that is not kept has no known source`() {
    func history(_ count: Int) -> PayloadHistory {
      var history = PayloadHistory()
      for number in 0..<count {
        history.add(
          RunResult(
            data: BirdStation.json(#"{"seen":1,"other":\#(number)}"#), changedPaths: number == 0 ? [[]] : [["other"]],
            payloadIndex: number, elapsed: .milliseconds(number), byteCount: 1 << 20))
      }
      return history
    }
    func source(_ key: String, _ value: Int, after count: Int) -> FieldSource? {
      history(count).source(of: JSONValue(value), at: [.key(key)])
    }
    #expect(source("seen", 1, after: 3) == .payload(0))
    #expect(source("other", 2, after: 3) == .payload(2))
    #expect(source("seen", 1, after: 60) == nil)
    #expect(source("other", 59, after: 60) == .payload(59))
    #expect(source("other", 1, after: 3) == nil)
  }
}
