import ApusClientCore
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusDemo
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Subscriptions to the demo API", .timeLimit(.minutes(3)))
struct DemoSubscriptionTests {
  private static let transports = SubscriptionOptions.Transport.allCases

  @Test(arguments: transports)
  func `all events arrive over every transport, followed by the end`(_ transport: SubscriptionOptions.Transport)
    async throws
  {
    let server = try await DemoServer(delayScale: 0)
    let run = try await SubscriptionRun.read(
      client(server.url, transport), "subscription Down($n: Int!) { countdown(from: $n) }", ["n": 3])
    #expect(run.data == (0...3).reversed().map { "{\"countdown\":\($0)}" })
    #expect(run.results.map(\.payloadIndex) == [0, 1, 2, 3])
    #expect(run.results.allSatisfy { $0.completeness == .complete && $0.byteCount > 0 })
    #expect(run.error == nil)
    #expect(run.states.suffix(2) == [.active, .finished])
    let formats: [SubscriptionOptions.Transport: String] = [
      .automatic: "graphql-transport-ws", .webSocket: "graphql-transport-ws", .legacyWebSocket: "graphql-ws",
      .serverSentEvents: "text/event-stream", .multipart: "subscriptionSpec=1.0",
    ]
    #expect(run.facts.agreedFormat == formats[transport])
    #expect(run.facts.parts.count == 4)
    server.stop()
  }

  @Test(arguments: transports)
  func `an invalid subscription is one result with errors, followed by the end`(
    _ transport: SubscriptionOptions.Transport
  ) async throws {
    let server = try await DemoServer(delayScale: 0)
    let run = try await SubscriptionRun.read(client(server.url, transport), "subscription { count }")
    #expect(run.results.count == 1)
    #expect(run.results.first?.errors.first?.message.contains("Cannot query field") == true)
    #expect(run.error == nil)
    server.stop()
  }

  @Test(arguments: transports)
  func `ending the iteration unsubscribes, and the last one closes the socket`(
    _ transport: SubscriptionOptions.Transport
  ) async throws {
    let server = try await DemoServer(delayScale: 0, heartbeat: .milliseconds(5))
    let client = client(server.url, transport)
    let run = try await SubscriptionRun.read(
      client, "subscription { countdown(from: 1000, milliseconds: 1000) }", limit: 1)
    #expect(run.data.count == 1)
    #expect(run.states.last == .finished)
    try await waitUntil { server.openSocketCount + server.openExchangeCount == 0 }
    server.stop()
  }

  @Test(arguments: [SubscriptionOptions.Transport.webSocket, .legacyWebSocket])
  func `100 subscriptions of one client share one socket`(_ transport: SubscriptionOptions.Transport) async throws {
    let server = try await DemoServer(delayScale: 0)
    let client = client(server.url, transport)
    let complete = try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<100 {
        group.addTask {
          let run = try await SubscriptionRun.read(client, "subscription { countdown(from: \(index)) }")
          return run.data.count == index + 1 && run.error == nil
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(complete == 100)
    try await waitUntil { server.openSocketCount == 0 }
    server.stop()
  }

  @Test(arguments: transports)
  func `a server that stops between events is a lost connection`(_ transport: SubscriptionOptions.Transport)
    async throws
  {
    let server = try await DemoServer(delayScale: 1)
    let client = client(server.url, transport) { $0.reconnection.maximumAttempts = 2 }
    let results = client.subscribe(
      subscription: try operation("subscription { countdown(from: 1000, milliseconds: 10) }"))
    var iterator = results.makeAsyncIterator()
    _ = try await iterator.next()
    server.stop()
    let error = await #expect(throws: GraphQLClientError.self) { while try await iterator.next() != nil {} }
    #expect(error.map { "\($0)" }?.contains("given up after 2 attempts to connect again") == true)
    #expect(error?.exitCode == 3)
  }
}
