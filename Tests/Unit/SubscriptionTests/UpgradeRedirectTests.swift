import ApusClientCore
import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import ApusWebSocket
import Testing

/// An upgrade to a WebSocket that is answered by a redirect. The rules are those of a POST:
///
/// | target | followed | headers | connection payload |
/// |---|---|---|---|
/// | the same origin | yes | all | sent |
/// | another origin | yes | the client's own | not sent |
/// | http after https | no, unless allowed | | |
/// | another scheme | no | | |
/// | after too many redirects | no | | |
@Suite(.timeLimit(.minutes(4))) struct UpgradeRedirectTests {
  /// A server that redirects the path `/graphql` and accepts upgrades at all others, with one event.
  private func server(
    _ status: Int = 302, location: @escaping @Sendable (_ port: Int) -> String
  ) throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      let port = request.header("Host").flatMap { $0.split(separator: ":").last }.flatMap { Int($0) } ?? 0
      guard request.target != "/graphql" else {
        return .response(
          status: status, headers: [("Location", location(port))], framing: .contentLength, [.text("moved")])
      }
      return Self.accepting(request)
    }
  }

  private static func accepting(_ request: ScriptedServer.Request) -> ScriptedAnswer {
    let messages = [
      #"{"type":"connection_ack"}"#, #"{"type":"next","id":"1","payload":{"data":{"s":1}}}"#,
      #"{"type":"complete","id":"1"}"#,
    ]
    let frames = messages.flatMap { (text: String) -> [UInt8] in [0x81, UInt8(text.utf8.count)] + Array(text.utf8) }
    let accept = WebSocketHandshake.answer(to: request.header("Sec-WebSocket-Key") ?? "")
    let head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
    return .raw([.text(head), .bytes(frames), .hold(Gate())])
  }

  private func run(
    _ url: String, maximumRedirects: Int? = nil, _ transport: SubscriptionOptions.Transport = .webSocket
  ) async throws -> SubscriptionRun {
    var endpoint = HTTPRequest(url: url, headers: ["Authorization": "Bearer hush", "X-Api-Key": "hush"])
    if let maximumRedirects { endpoint.maximumRedirects = maximumRedirects }
    var options = SubscriptionOptions()
    options.transport = transport
    options.connectionPayload = { ["token": "hush"] }
    return try await SubscriptionRun.read(
      GraphQLClient(endpoint: endpoint, subscriptions: options), "subscription { s }")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect to the same origin is followed with all headers`(_ status: Int) async throws {
    let server = try server(status) { _ in "/moved?x=1" }
    let run = try await run(server.url.replacing("/graphql", with: "") + "/graphql")
    #expect(run.data == [#"{"s":1}"#])
    #expect(run.error == nil)
    #expect(server.requests.map(\.target) == ["/graphql", "/moved?x=1"])
    let last = try #require(server.requests.last)
    #expect(last.header("Authorization") == "Bearer hush" && last.header("Upgrade") == "websocket")
    #expect(run.facts.head?.url.hasSuffix("/moved") == true)
  }

  @Test(arguments: ["http", "ws"])
  func `a redirect to another origin is followed without the headers and the connection payload`(
    _ scheme: String
  ) async throws {
    let other = try ScriptedServer { request, _ in Self.accepting(request) }
    let server = try server { _ in "\(scheme)://localhost:\(other.port)/other" }
    let run = try await run(server.url.replacing("/graphql", with: "") + "/graphql")
    #expect(run.data == [#"{"s":1}"#])
    let request = try #require(other.requests.first)
    #expect(!request.headers.contains { $0.value.contains("hush") })
    #expect(request.header("Sec-WebSocket-Protocol") == "graphql-transport-ws")
    #expect(request.header("Host") == "localhost:\(other.port)")
  }

  @Test(arguments: [
    ("ftp://birds.example/x?token=hush", "ftp://birds.example/x"), ("file:///etc/passwd", "file:///etc/passwd"),
  ])
  func `a redirect that is not followed is an error that names the target`(
    _ location: String, _ shown: String
  ) async throws {
    let server = try server { _ in location }
    let run = try await run(server.url.replacing("/graphql", with: "") + "/graphql")
    let text = run.error.map { "\($0)" } ?? ""
    #expect(text.contains(shown) && !text.contains("hush"), "\(text)")
    #expect(run.exitCode == 3)
  }

  /// The scheme of a subscription's URL and of its redirect, and whether cross-origin bodies are allowed.
  @Test(arguments: [
    ("https", "http", false), ("https", "ws", false), ("wss", "http", false), ("wss", "ws", false),
    ("https", "http", true), ("wss", "ws", true),
  ])
  func `a redirect from https to http is refused unless it is allowed`(
    _ scheme: String, _ target: String, _ isAllowed: Bool
  ) async throws {
    let plain = try ScriptedServer { request, _ in Self.accepting(request) }
    let secure = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", "\(Checkout.servers)/tls_server.py", "--redirect",
        "\(target)://localhost:\(plain.port)/x?token=hush",
      ])
    let facts = try JSONDocument(parsing: try #require(await secure.nextLine())).root
    var endpoint = HTTPRequest(
      url: "\(scheme)://localhost:\(facts["port"]?.string ?? "")/graphql", headers: ["Authorization": "Bearer hush"])
    endpoint.connection.certificateAuthorityFile = facts["authority"]?.string
    endpoint.allowsCrossOriginBody = isAllowed
    var options = SubscriptionOptions()
    options.transport = .webSocket
    options.connectionPayload = { ["token": "hush"] }
    let run = try await SubscriptionRun.read(
      GraphQLClient(endpoint: endpoint, subscriptions: options), "subscription { s }")
    if isAllowed {
      #expect(run.data == [#"{"s":1}"#])
      #expect(plain.requests.allSatisfy { !$0.headers.contains { $0.value.contains("hush") } })
    } else {
      let text = run.error.map { "\($0)" } ?? ""
      #expect(text.contains("http://localhost:\(plain.port)/x") && !text.contains("hush"), "\(text)")
      #expect(plain.requests.isEmpty && run.exitCode == 3)
    }
  }

  @Test func `endless redirects end at the limit, and without redirects the target is named`() async throws {
    let server = try ScriptedServer([
      .response(status: 302, headers: [("Location", "/again?token=hush")], framing: .contentLength, [])
    ])
    let endless = try await run(server.url, maximumRedirects: 3)
    #expect(server.requests.count == 4)
    #expect(endless.error.map { "\($0)" }?.contains("redirected more than 3 times") == true)
    let refused = try await run(server.url, maximumRedirects: 0)
    let text = refused.error.map { "\($0)" } ?? ""
    #expect(text.contains("/again") && !text.contains("hush"), "\(text)")
    #expect(server.requests.count == 5)
  }

  @Test func `if the target does not accept WebSockets, the automatic transport uses HTTP`() async throws {
    let server = try ScriptedServer { request, _ in
      guard request.header("Upgrade") != nil else {
        return .response(
          headers: [("Content-Type", "text/event-stream")], framing: .chunked,
          [.text("event: next\ndata: {\"data\":{\"s\":1}}\n\nevent: complete\n\n")])
      }
      return request.target == "/login"
        ? .response(status: 200, headers: [("Content-Type", "text/html")], framing: .contentLength, [.text("log in")])
        : .response(status: 302, headers: [("Location", "/login")], framing: .contentLength, [])
    }
    let run = try await run(server.url, .automatic)
    #expect(run.data == [#"{"s":1}"#])
    #expect(run.error == nil)
  }
}
