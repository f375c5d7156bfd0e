import ApusDemo
import ApusTestSupport
import Testing

/// The access of web pages in the user's browser to the server.
@Suite(.timeLimit(.minutes(1)))
struct BrowserAccessTests {
  private static let body = #"{"query":"{ observationCount }"}"#
  private static let upgrade = [
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: graphql-transport-ws",
  ]

  /// Returns the response to a request. `PORT` in its headers is replaced by the server's port.
  private func answer(
    _ request: String, _ headers: [String], access: BrowserAccess = BrowserAccess()
  ) async throws -> (head: String, body: String) {
    let server = try await DemoServer(delayScale: 0, access: access)
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    let isPost = request.hasPrefix("POST")
    let ofBody = isPost ? ["Content-Type: application/json", "Content-Length: \(Self.body.utf8.count)"] : []
    let lines = ["\(request) HTTP/1.1"] + headers.map { $0.replacing("PORT", with: "\(server.port)") } + ofBody
    client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (isPost ? Self.body : ""))
    let head = try await client.read(through: "\r\n\r\n")
    if head.hasPrefix("HTTP/1.1 101") || head.hasPrefix("HTTP/1.1 204") { return (head, "") }
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
    let count = line.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
    return (head, try await client.read(count: count))
  }

  @Test(arguments: ["localhost", "localhost:PORT", "127.0.0.1:PORT", "[::1]:PORT", "[::1]", "LOCALHOST:1"])
  func `A request to a loopback name is answered but not readable by web pages`(host: String) async throws {
    for origin in [[], ["Origin: https://evil.example"], ["Origin: null"], ["Origin: http://localhost:1"]] {
      let answer = try await answer("POST /graphql", ["Host: \(host)"] + origin)
      #expect(answer.head.hasPrefix("HTTP/1.1 200 ") && answer.body.contains("640"))
      #expect(!answer.head.lowercased().contains("access-control"))
    }
  }

  @Test(arguments: [
    "evil.example", "evil.example:PORT", "localhost.evil.example", "127.0.0.1.evil.example:PORT", "127.0.0.2",
    "0.0.0.0:PORT", "[::]", "localhost@evil.example", "evil.example#localhost", "localhost:x",
  ])
  func `A request to another host name is rejected`(host: String) async throws {
    for request in ["POST /graphql", "GET /", "GET /nowhere", "OPTIONS /graphql", "GET /graphql?query=%7Ba%7D"] {
      let answer = try await answer(request, ["Host: \(host)"])
      #expect(answer.head.hasPrefix("HTTP/1.1 421 "), "\(request): \(answer.head)")
      #expect(answer.body.contains("localhost, 127.0.0.1 and [::1]"))
    }
  }

  @Test(arguments: [
    ([], true), (["Origin: http://localhost:PORT"], true), (["Origin: http://localhost:1"], false),
    (["Origin: https://localhost:PORT"], false), (["Origin: http://127.0.0.1:PORT"], false),
    (["Origin: https://evil.example"], false), (["Origin: null"], false),
    (["Origin: http://localhost:PORT", "Origin: https://evil.example"], false),
  ])
  func `Only programs and the server's own pages may open a WebSocket`(origin: [String], opens: Bool) async throws {
    let answer = try await answer("GET /graphql", ["Host: localhost:PORT"] + Self.upgrade + origin)
    #expect(answer.head.hasPrefix(opens ? "HTTP/1.1 101 " : "HTTP/1.1 403 "), "\(answer.head)")
    if !opens { #expect(answer.body.contains("--cors")) }
  }

  @Test func `pages of allowed origins may read responses and open WebSockets`() async throws {
    let access = try #require(
      BrowserAccess(allowing: ["http://localhost:3000", "https://App.example:443", "moz-extension://abc-1"]))
    for origin in ["http://localhost:3000", "https://app.example", "moz-extension://abc-1"] {
      let from = ["Host: localhost", "Origin: \(origin)"]
      let plain = try await answer("POST /graphql", from, access: access)
      #expect(plain.head.contains("Access-Control-Allow-Origin: \(origin)\r\n"))
      #expect(plain.head.contains("Vary: Origin\r\n"))
      let asks = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type"]
      let preflight = try await answer("OPTIONS /graphql", from + asks, access: access)
      #expect(preflight.head.hasPrefix("HTTP/1.1 204 "))
      #expect(preflight.head.contains("Access-Control-Allow-Headers: authorization,content-type\r\n"))
      #expect(preflight.head.contains("Access-Control-Allow-Methods: GET, POST\r\n"))
      #expect(try await answer("GET /graphql", from + Self.upgrade, access: access).head.hasPrefix("HTTP/1.1 101 "))
    }
  }

  @Test(arguments: ["http://localhost:3001", "https://app.example:444", "null", "https://evil.example"])
  func `pages of other origins may not read responses`(origin: String) async throws {
    let access = try #require(BrowserAccess(allowing: ["http://localhost:3000", "https://app.example"]))
    let from = ["Host: localhost", "Origin: \(origin)"]
    let plain = try await answer("POST /graphql", from, access: access)
    #expect(!plain.head.contains("Access-Control") && plain.head.contains("Vary: Origin\r\n"))
    let preflight = try await answer(
      "OPTIONS /graphql", from + ["Access-Control-Request-Method: POST"], access: access)
    #expect(preflight.head.hasPrefix("HTTP/1.1 403 ") && !preflight.head.contains("Access-Control"))
    #expect(try await answer("GET /graphql", from + Self.upgrade, access: access).head.hasPrefix("HTTP/1.1 403 "))
    // DNS rebinding: the Host header contains the page's host name.
    let rebound = try await answer(
      "POST /graphql", ["Host: evil.example", "Origin: http://localhost:3000"], access: access)
    #expect(rebound.head.hasPrefix("HTTP/1.1 421 "))
  }

  @Test func `Every page may use a server that allows all origins`() async throws {
    let access = try #require(BrowserAccess(allowing: ["*"]))
    let from = ["Host: localhost", "Origin: null"]
    let plain = try await answer("POST /graphql", from, access: access)
    #expect(plain.head.contains("Access-Control-Allow-Origin: *\r\n") && !plain.head.contains("Vary"))
    #expect(try await answer("GET /graphql", from + Self.upgrade, access: access).head.hasPrefix("HTTP/1.1 101 "))
  }

  @Test(arguments: [
    "null", "", "localhost:3000", "http://localhost:3000/", "http://a.example/app", "http://u@a.example",
    "http://*.example", "https://", "file://", "a,b",
  ])
  func `Invalid origins are rejected`(origin: String) {
    #expect(BrowserAccess(allowing: [origin]) == nil)
  }
}
