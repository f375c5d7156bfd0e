import Testing

@testable import ApusTap

struct MessageHeadTests {
  private static func head(_ text: String, joins: Bool = false) throws -> MessageHead {
    try MessageHead(parsing: Array(text.utf8), joinsFoldedLines: joins)
  }

  @Test func `a head keeps the order, the names and the bytes of its fields`() throws {
    let bytes = Array("GET /a?b HTTP/1.1\r\nhost: x\r\nX-A:  1\t\r\nX-a:".utf8) + [0xE9, 0xFF] + Array("\r\n\r\n".utf8)
    let head = try MessageHead(parsing: bytes, joinsFoldedLines: false)
    #expect(head.fields.map(\.name) == ["host", "X-A", "X-a"])
    #expect(head.fields.map(\.value) == [Array("x".utf8), Array("1".utf8), [0xE9, 0xFF]])
    #expect(
      head.bytes == Array("GET /a?b HTTP/1.1\r\nhost: x\r\nX-A: 1\r\nX-a: ".utf8) + [0xE9, 0xFF]
        + Array("\r\n\r\n".utf8))
  }

  @Test func `lines may end with a line feed alone`() throws {
    #expect(try Self.head("GET / HTTP/1.1\nHost: x\n\n").fields == [.init("Host", "x")])
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n",
    "GET / HTTP/1.1\r\nA: x\u{0}y\r\n\r\n", "GET / HTTP/1.1\r\nA: x\ry\r\n\r\n", "GET / HTTP/1.1\r\nA: x\r\n y\r\n\r\n",
    "GET /\u{1} HTTP/1.1\r\n\r\n",
  ])
  func `a head that is not valid is refused`(_ text: String) {
    #expect(throws: MessageHead.Malformed.self) { try Self.head(text) }
  }

  @Test func `a folded line of a response is joined to the line before`() throws {
    #expect(try Self.head("HTTP/1.1 200 OK\r\nA: x\r\n\t y\r\n\r\n", joins: true).fields == [.init("A", "x y")])
  }

  @Test(arguments: [
    ("GET / HTTP/1.1", true), ("GET  / HTTP/1.1", false), ("GET / HTTP/2", false), ("GET /", false),
    ("G(T / HTTP/1.1", false),
    ("PRI * HTTP/2.0", false), ("OPTIONS * HTTP/1.1", true), ("GET / HTTP/1.0", true),
  ])
  func `the first line of a request has a method, a target and a version`(_ line: String, _ isValid: Bool) throws {
    let head = try Self.head("\(line)\r\n\r\n")
    #expect(((try? RequestLine(head)) != nil) == isValid)
  }

  @Test func `a target with a host in front is split`() throws {
    let line = try RequestLine(Self.head("GET http://localhost:4001/graphql?a=http://b HTTP/1.1\r\n\r\n"))
    #expect(line.authority == "localhost:4001")
    #expect(line.target == "/graphql?a=http://b")
    let bare = try RequestLine(Self.head("GET http://localhost HTTP/1.1\r\n\r\n"))
    #expect(bare.target == "/")
    let path = try RequestLine(Self.head("GET /?url=http://b HTTP/1.1\r\n\r\n"))
    #expect(path.authority == nil)
  }
}

struct ForwardedHeadTests {
  private static func request(_ lines: String...) throws -> [String] {
    let text = (["POST /graphql HTTP/1.1", "Host: localhost:1"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
    let head = try MessageHead(parsing: Array(text.utf8), joinsFoldedLines: false)
    let forwarded = ForwardedHead.request(head, try RequestLine(head), host: "api.example")
    return String(decoding: forwarded.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  private static func response(_ lines: String..., isChunked: Bool = true, keepsConnection: Bool = true) throws
    -> [String]
  {
    let head = try MessageHead(
      parsing: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8), joinsFoldedLines: true)
    let forwarded = ForwardedHead.response(head, isChunked: isChunked, keepsConnection: keepsConnection)
    return String(decoding: forwarded.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  private static let first = ["POST /graphql HTTP/1.1", "Host: api.example"]

  @Test func `fields of the connection are removed, others stay as they are`() throws {
    #expect(
      try Self.request(
        "Connection: keep-alive, X-Hop", "Keep-Alive: timeout=5", "Proxy-Connection: x", "X-Hop: 1", "x-b: 2")
        == Self.first + ["x-b: 2"])
  }

  @Test func `the Connection field cannot remove fields that describe the message`() throws {
    #expect(
      try Self.request("Connection: content-length, host", "Content-Length: 2") == Self.first + ["Content-Length: 2"])
  }

  @Test func `an application that closes its connection says so to the server`() throws {
    #expect(try Self.request("Connection: close") == Self.first + ["Connection: close"])
  }

  @Test func `trailers are announced to the server, other transfer codings are not`() throws {
    #expect(
      try Self.request("TE: gzip, trailers", "Connection: TE") == Self.first + ["TE: trailers", "Connection: TE"])
    #expect(try Self.request("TE: gzip", "Connection: TE") == Self.first)
  }

  @Test func `only an upgrade to a WebSocket is kept`() throws {
    #expect(try Self.request("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: x") == Self.first)
    let text = "GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n"
    let head = try MessageHead(parsing: Array(text.utf8), joinsFoldedLines: false)
    let forwarded = ForwardedHead.request(head, try RequestLine(head), host: "x")
    #expect(forwarded.fields.suffix(2) == [.init("Upgrade", "WebSocket"), .init("Connection", "Upgrade")])
  }

  @Test func `a response keeps its reason and gets the version of the relay`() throws {
    #expect(
      try Self.response("HTTP/1.0 404 Not  here", "A: b", keepsConnection: false)
        == ["HTTP/1.1 404 Not  here", "A: b", "Connection: close"])
  }

  @Test func `a transfer coding overrides a length, and is removed if the application does not know chunks`() throws {
    let lines = ["HTTP/1.1 200 OK", "Content-Length: 5", "Transfer-Encoding: chunked"]
    #expect(try Self.response(lines[0], lines[1], lines[2]) == [lines[0], lines[2]])
    #expect(try Self.response(lines[0], lines[1], lines[2], isChunked: false) == [lines[0]])
  }
}
