import Apus
import ApusTestSupport
import Synchronization
import Testing

@Suite("Ends of streams", .timeLimit(.minutes(1)))
struct StreamEndTests {
  private let answer = ScriptedAnswer.json(
    #"{"data":{"person":{"__typename":"Bot","id":"1","firstName":"R2","lastName":null,"avatar":null}}}"#)

  @Test
  func `a canceled watch ends without an error`() async throws {
    let server = try ScriptedServer([answer])
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let failures: [String] = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<300 {
        group.addTask {
          let (begun, begin) = AsyncStream.makeStream(of: Void.self)
          let task = Task {
            for try await _ in client.watch(query: PersonQuery(personId: "1")) { begin.yield() }
          }
          for await _ in begun { break }
          task.cancel()
          if case .failure(let error) = await task.result { return "\(error)" }
          return nil
        }
      }
      return await group.reduce(into: []) { failures, failure in if let failure { failures.append(failure) } }
    }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test
  func `the stream of cache changes ends with the cache`() async throws {
    var store: CacheStore? = CacheStore()
    let changes = await store?.changes()
    try await store?.modify("User:1") { $0["name"] = .scalar("Ada") }
    store = nil
    var count = 0
    if let changes { for await _ in changes { count += 1 } }
    #expect(count == 1)
  }

  @Test
  func `the stream of subscription states ends with the monitor`() async throws {
    var monitor: RequestMonitor? = RequestMonitor()
    let states = try #require(monitor?.subscriptionStates)
    monitor = nil
    var seen: [SubscriptionState] = []
    for await state in states { seen.append(state) }
    #expect(seen == [])
  }

  @Test
  func `a subscription that fails before connecting has a final state`() async throws {
    struct NoToken: Error {}
    var features = RequestFeatures()
    features.credentials = Credentials { _ in throw NoToken() }
    var options = RequestOptions()
    let monitor = RequestMonitor()
    options.monitor = monitor
    let client = GraphQLClient(url: "http://127.0.0.1:1/", features: features)
    let subscription = try DynamicOperation(text: "subscription { a }")
    await #expect(throws: (any Error).self) {
      for try await _ in client.subscribe(subscription: subscription, options: options) {}
    }
    var seen: [SubscriptionState] = []
    for await state in monitor.subscriptionStates { seen.append(state) }
    #expect(seen == [.finished])
  }

  @Test
  func `a custom error interceptor does not replace the cache fallback of networkFirst`() async throws {
    let store = CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self))
    let server = try ScriptedServer([answer, .raw([.close])])
    let closed = try ClosedPort()
    let provider = OurProvider(
      standard: DefaultInterceptorProvider(transport: HTTPTransport(), store: store), counter: ErrorCounter(),
      fallback: closed.url)
    let client = GraphQLClient(
      transport: RequestChainNetworkTransport(endpoint: HTTPRequest(url: server.url), interceptorProvider: provider),
      store: store)
    let query = PersonQuery(personId: "1", later: false)
    _ = try await client.fetch(query, cachePolicy: .networkFirst)
    let again = try await client.fetch(query, cachePolicy: .networkFirst)
    #expect(again.source == .cache)
    #expect(again.data?.person.firstName == "R2")
    await #expect(throws: GraphQLClientError.self) { try await client.fetch(query, cachePolicy: .networkOnly) }
    withExtendedLifetime(closed) {}
  }
}
