import Apus
import ApusTestSupport
import Synchronization
import Testing

/// Tests that the code in Docs/Client.md does what the page says. ArchitectureTests compare it with
/// `DocumentedInterceptors.swift`.
@Suite(.timeLimit(.minutes(1))) struct DocumentationTests {
  private final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func added() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  @Test func `the documented interceptors work`() async throws {
    let server = try ScriptedServer([
      .json(#"{"data":{"person":null},"errors":[{"message":"no such person"}]}"#)
    ])
    let counter = ErrorCounter()
    // Port 9 of the local machine is closed.
    let client = makeClient(url: "http://127.0.0.1:9/", fallback: server.url, counter: counter)
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.context = TenantContext(tenant: "blue")
    for try await _ in client.fetch(query: PersonQuery(personId: "1"), options: options) {}
    #expect(server.requests.map { $0.header("X-Tenant") } == ["blue"])
    #expect(counter.count.load(ordering: .relaxed) == 1)
  }

  @Test func `the documented upload sends a multipart form`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"addPicture":{"url":"https://a.example/1"}}}"#)])
    let folder = try TemporaryFolder()
    try folder.write("bird.png", "picture")
    let url = try await upload(folder.path("bird.png"), byteCount: 7, by: GraphQLClient(url: server.url))
    #expect(url == "https://a.example/1")
    let body = try #require(server.requests.first?.bodyText)
    #expect(body.contains(#"{"0":["variables.picture"]}"#) && body.contains("picture\r\n"), "\(body)")
  }

  @Test func `the documented interceptor sends the name of the operation`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let standard = DefaultInterceptorProvider(transport: HTTPTransport(), store: nil)
    struct Provider: InterceptorProvider {
      let standard: DefaultInterceptorProvider
      func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
        [OperationNameInterceptor()] + standard.interceptors(for: operation)
      }
    }
    let client = GraphQLClient(
      transport: RequestChainNetworkTransport(
        endpoint: HTTPRequest(url: server.url), interceptorProvider: Provider(standard: standard)))
    _ = try await client.fetch(try DynamicOperation(text: "query Birds { a }"))
    _ = try await client.fetch(try DynamicOperation(text: "{ a }"))
    #expect(server.requests.map { $0.header("X-GraphQL-Operation-Name") } == ["Birds", "anonymous query"])
  }

  @Test func `the documented function fetches again after each lost connection`() async throws {
    let (first, second) = (Gate(), Gate())
    let event = "event: next\ndata: {\"data\":{\"s\":1}}\n\n"
    let (queries, subscriptions, shown) = (Count(), Count(), Count())
    let server = try ScriptedServer { request, _ in
      let type = [("Content-Type", "text/event-stream")]
      guard request.bodyText.contains("subscription") else {
        // The server ends each subscription after the query that follows its start.
        (queries.added() == 1 ? first : second).open()
        return .json(#"{"data":{"a":1}}"#)
      }
      return subscriptions.added() == 1
        ? .response(headers: type, [.text(event), .hold(first), .close])
        : .response(headers: type, [.text(event), .hold(second), .text("event: complete\ndata:\n\n")])
    }
    var options = SubscriptionOptions()
    options.transport = .serverSentEvents
    options.reconnection.firstDelay = .milliseconds(1)
    try await follow(
      try DynamicOperation(text: "subscription { s }"), refetching: try DynamicOperation(text: "{ a }"),
      by: GraphQLClient(url: server.url, subscriptions: options)
    ) { _ in _ = shown.added() }
    #expect(queries.value == 2 && subscriptions.value == 2)
    #expect(shown.value >= 3)
  }
}
