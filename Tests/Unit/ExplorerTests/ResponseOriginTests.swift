import ApusClientAPI
import ApusClientRequests
import ApusExplorerCore
import ApusJSON
import Testing

/// The origin of the displayed response: the current run, the previous run, another endpoint, or the history.
@Suite struct ResponseOriginTests {
  private func status(_ state: ExplorerState) -> String {
    screen(state, 140, 30).dropLast().last ?? ""
  }

  private func entry(_ query: String, _ status: HistoryEntry.Status = .complete, errors: Int = 0) -> HistoryEntry {
    HistoryEntry(
      operation: "query Birds",
      request: RequestDraft(
        url: "http://old.example/graphql", query: query, variables: "{\n  \"first\": 2\n}"), status: status,
      errorCount: errors, elapsed: .milliseconds(7),
      response: BirdStation.json(#"{"hello": null}"#))
  }

  @Test func `a response from the history shows its origin and outcome`() {
    var state = BirdStation.state(after: BirdStation.running)
    let effects = update(&state, .history(.opened(entry(BirdStation.query, errors: 300), .open)))
    #expect(effects.contains(.run(1, .cancel)))
    #expect(
      status(state).contains("from the history  ◐ partial errors  of http://old.example/graphql  7.0 ms  300 errors"))
    #expect(screen(state, 140, 30).contains { $0.contains("hello: null") })
    #expect(state.reason(against: .showErrors)?.contains("The history stores only the number") == true)
    // Results of the previous run do not affect the history entry.
    _ = update(&state, .run(1, .resultReceived(BirdStation.second)))
    #expect(status(state).contains("from the history"))
    _ = update(&state, .commandInvoked(.runOperation))
    #expect(!status(state).contains("from the history"))
  }

  @Test func `a failed history entry is not shown as complete`() {
    var state = BirdStation.state()
    _ = update(&state, .history(.opened(entry(BirdStation.query, .cancelled), .open)))
    #expect(status(state).contains("from the history  ⊗ canceled"))
  }

  @Test func `a run canceled before its initial result keeps the previous response`() {
    var state = BirdStation.state(after: BirdStation.running + [.run(1, .completed), .commandInvoked(.runOperation)])
    #expect(status(state).contains("waiting  showing the previous run"))
    _ = update(&state, .commandInvoked(.cancel))
    #expect(status(state).contains("canceled  showing the previous run"))
    #expect(state.reason(against: .showErrors)?.contains("from the previous run") == true)
  }

  @Test func `a response of another endpoint shows its URL`() {
    var state = BirdStation.state(after: BirdStation.running + [.run(1, .completed)])
    #expect(!status(state).contains("of http"))
    state.connection.endpoint = "http://localhost:4000/other"
    #expect(status(state).contains("of http://localhost:4000/graphql"))
  }

  @Test func `an error without a message is shown`() {
    var state = BirdStation.state(after: BirdStation.running)
    _ = update(
      &state,
      .run(1, .resultReceived(RunResult(data: .object([]), errors: [GraphQLError(message: "")], payloadIndex: 1))))
    #expect(screen(state, 140, 30).contains { $0.contains("(no message)") })
  }
}
