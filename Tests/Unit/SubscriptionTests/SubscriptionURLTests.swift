import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// Subscriptions with their own URL, and by GET.
@Suite(.timeLimit(.minutes(1))) struct SubscriptionURLTests {
  private static let events = "event: next\ndata: {\"data\":{\"s\":1}}\n\nevent: complete\ndata:\n\n"

  private func eventServer() throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      request.header("Upgrade") != nil
        ? .response(status: 404, framing: .contentLength, [.text("nothing here")])
        : .response(headers: [("Content-Type", "text/event-stream")], [.text(Self.events)])
    }
  }

  private static let headers: HTTPHeaders = ["Authorization": "Bearer hush", "X-Key": "hush", "User-Agent": "me"]

  @Test(arguments: ["http", "ws", "WS"], [SubscriptionOptions.Transport.automatic, .serverSentEvents])
  func `another path of the same origin gets the headers`(
    scheme: String, transport: SubscriptionOptions.Transport
  ) async throws {
    let server = try eventServer()
    let client = client(server.url, transport, headers: Self.headers) {
      $0.url = "\(scheme)://127.0.0.1:\(server.port)/events?a=1"
    }
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.data == [#"{"s":1}"#] && run.error == nil)
    #expect(server.requests.count == (transport == .automatic ? 2 : 1))
    for request in server.requests {
      #expect(request.target == "/events?a=1" && request.header("Authorization") == "Bearer hush")
      #expect(request.header("X-Key") == "hush" && request.header("User-Agent") == "me")
    }
  }

  @Test(arguments: [
    SubscriptionOptions.Transport.automatic, .serverSentEvents, .multipart, .webSocket, .legacyWebSocket,
  ])
  func `another origin gets none of the headers over any transport`(
    transport: SubscriptionOptions.Transport
  ) async throws {
    let (endpoint, server) = (try ScriptedServer([.json("{}")]), try eventServer())
    let client = client(endpoint.url, transport, headers: Self.headers) {
      $0.url = server.url
      $0.reconnection.maximumAttempts = 0
    }
    _ = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(endpoint.requests.isEmpty && !server.requests.isEmpty)
    for request in server.requests {
      #expect(request.header("Authorization") == nil && request.header("X-Key") == nil)
      #expect(request.header("User-Agent") != "me")
    }
  }

  @Test func `headers that an interceptor adds are not sent to another origin`() async throws {
    let (endpoint, server) = (try ScriptedServer([.json("{}")]), try eventServer())
    var options = SubscriptionOptions()
    options.transport = .serverSentEvents
    options.url = server.url
    var features = RequestFeatures()
    features.credentials = Credentials(token: "hush") { _ in "hush" }
    let client = GraphQLClient(url: endpoint.url, subscriptions: options, features: features)
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.data.count == 1)
    #expect(server.requests.first.map { $0.header("Authorization") == nil } == true)
  }

  @Test func `the URL of a request replaces that of the client, and queries use neither`() async throws {
    let (endpoint, first, second) = (
      try ScriptedServer([.json(#"{"data":{"a":1}}"#)]), try eventServer(), try eventServer()
    )
    let client = client(endpoint.url, .serverSentEvents) { $0.url = first.url }
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.subscriptionURL = second.url
    for try await _ in client.subscribe(subscription: try operation("subscription { s }"), options: options) {}
    for try await _ in client.fetch(query: try operation("{ a }"), options: options) {}
    #expect([first, second, endpoint].map(\.requests.count) == [0, 1, 1])
  }

  @Test(arguments: [
    (SubscriptionOptions.Transport.serverSentEvents, ["GET"]), (.multipart, ["GET"]), (.automatic, ["GET"]),
    (.webSocket, ["websocket"]), (.legacyWebSocket, ["websocket"]),
  ])
  func `by GET a subscription over HTTP is in the URL, and automatic tries no WebSocket`(
    transport: SubscriptionOptions.Transport, requests: [String]
  ) async throws {
    let server = try eventServer()
    var options = SubscriptionOptions()
    options.transport = transport
    var features = RequestFeatures()
    features.usesGET = true
    let client = GraphQLClient(url: server.url, subscriptions: options, features: features)
    let run = try await SubscriptionRun.read(client, "subscription($n: Int) { s(n: $n) }", .object([("n", 2)]))
    #expect(server.requests.map { $0.header("Upgrade") ?? $0.method } == requests)
    guard requests == ["GET"], let request = server.requests.first else { return }
    #expect(run.error == nil)
    #expect(request.bodyText.isEmpty && request.header("Content-Type") == nil)
    #expect(request.target.contains("query=subscription") && request.target.contains("variables=%7B%22n%22%3A2%7D"))
    #expect(request.header("Accept")?.contains("application/graphql-response+json") == true)
  }

  /// The rows: the client's URL of subscriptions and that of the request, each the endpoint's origin, another, or none.
  @Test(arguments: [
    ("none", "none", true), ("other", "none", true), ("none", "same", true), ("none", "other", false),
    ("other", "other", true), ("same", "other", false),
  ])
  func `the connection payload is sent to the origins of the client only`(
    ofClient: String, ofRequest: String, isSent: Bool
  ) async throws {
    let (endpoint, other) = (try eventServer(), try eventServer())
    func url(_ name: String) -> String? { ["same": "\(endpoint.url)/events", "other": other.url][name] }
    let wasMade = Mutex(false)
    let client = client(endpoint.url, .webSocket) {
      $0.url = url(ofClient)
      $0.reconnection.maximumAttempts = 0
      $0.connectionPayload = {
        wasMade.withLock { $0 = true }
        return ["token": "hush"]
      }
    }
    var options = RequestOptions()
    options.subscriptionURL = url(ofRequest)
    // The servers accept no WebSocket; the payload is made before one is opened.
    await #expect(throws: GraphQLClientError.self) {
      for try await _ in client.subscribe(subscription: try operation("subscription { s }"), options: options) {}
    }
    #expect(wasMade.withLock { $0 } == isSent)
  }

  @Test func `a GET goes to the URL of subscriptions`() async throws {
    let (endpoint, server) = (try ScriptedServer([.json("{}")]), try eventServer())
    var options = SubscriptionOptions()
    options.transport = .serverSentEvents
    options.url = "\(server.url)?tenant=a"
    var features = RequestFeatures()
    features.usesGET = true
    let client = GraphQLClient(url: "\(endpoint.url)?key=hush", subscriptions: options, features: features)
    _ = try await SubscriptionRun.read(client, "subscription { s }")
    let target = try #require(server.requests.first?.target)
    #expect(target.contains("tenant=a&query=") && !target.contains("hush"))
  }
}
