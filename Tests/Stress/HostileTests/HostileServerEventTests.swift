import ApusClientCache
import ApusClientCore
import ApusClientRequests
import ApusClientSubscriptions
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// A server that sends events faster than they can be drawn is throttled, and the stored events are limited.
@Suite(.timeLimit(.minutes(5))) struct HostileServerEventTests {
  private final class ReceivedEvents: Sendable {
    let actions = Mutex<[Action]>([])

    var resultCount: Int {
      actions.withLock { $0.count { if case .run(_, .resultReceived) = $0 { true } else { false } } }
    }
  }

  private struct NoSchema: Error {}

  @Test func `a server is throttled while the screen is busy`() async throws {
    let event = "\"" + String(repeating: "x", count: 256 << 10) + "\""
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "text/event-stream")],
        Array(repeating: .text("event: next\ndata: {\"data\":{\"s\":\(event)}}\n\n"), count: 400))
    ])
    var options = SubscriptionOptions()
    options.transport = .serverSentEvents
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore(), subscriptions: options),
      schema: { throw NoSchema() })
    let reported = ReceivedEvents()
    let environment = live.environment
    let run = Task {
      await environment.runs.start(RunRequest(id: 1, draft: RequestDraft(query: "subscription { s }"))) { action in
        reported.actions.withLock { $0.append(action) }
      }
    }
    // The maximum in transit: 8 MB of results, and the buffers of transport and system. The total is 100 MB.
    #expect(try await server.heldBack() < 60 << 20)
    #expect(reported.resultCount <= 64)
    // The system's buffers may throttle the server before the first event is read.
    try await waitUntil { reported.resultCount > 0 }
    run.cancel()
    reported.actions.withLock { $0 = [] }
    await run.joined
  }

  @Test func `stored events are limited and the limit is shown`() {
    var state = ExplorerState(endpoint: "http://127.0.0.1", query: "subscription { s }")
    _ = update(&state, .commandInvoked(.runOperation))
    let id = state.tab.response.run?.id ?? 0
    _ = update(&state, .run(id, .started(OperationInfo(name: nil, kind: "subscription"))))
    for number in 0..<500 {
      let data = JSONValue.object([("s", JSONValue(number))])
      _ = update(
        &state,
        .run(id, .resultReceived(RunResult(data: data, payloadIndex: number, byteCount: 1 << 20))))
    }
    let events = state.tab.response.reading.events
    #expect((events?.count ?? 0) <= 32)
    #expect((events?.count ?? 0) > 8)
    #expect((events?.count ?? 0) + (events?.forgottenCount ?? 0) == 500)
    #expect(state.tab.response.payloads.count == 500)
  }

  @Test func `an event over the limit is shown`() {
    var state = ExplorerState(endpoint: "http://127.0.0.1", query: "subscription { s }")
    _ = update(&state, .commandInvoked(.runOperation))
    let id = state.tab.response.run?.id ?? 0
    _ = update(&state, .run(id, .started(OperationInfo(name: nil, kind: "subscription"))))
    for number in 0..<3 {
      let data = JSONValue.object([("s", JSONValue(number))])
      _ = update(
        &state,
        .run(id, .resultReceived(RunResult(data: data, payloadIndex: number, byteCount: 1 << 30))))
    }
    #expect(state.tab.response.reading.events?.count == 1)
    #expect(state.tab.response.tree.data == .object([("s", 2)]))
  }
}
