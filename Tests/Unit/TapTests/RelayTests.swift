import ApusClientNetwork
import ApusClientTraffic
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusTap

/// A relay to a scripted server, and the facts that it reports.
final class RelayFixture: Sendable {
  let relay: Relay
  let log = TrafficLog()

  /// - Parameter observe: Gets each fact on the thread of its connection.
  init(
    to port: Int, control: DeliveryControl = DeliveryControl(), firstRequestLimit: Duration = .seconds(60),
    observe: @escaping @Sendable (TrafficEvent) -> Void = { _ in }
  ) throws {
    let log = log
    relay = try Relay(
      to: HTTPRequest(url: "http://127.0.0.1:\(port)/graphql"), control: control, firstRequestLimit: firstRequestLimit,
      refused: { log.add(refusal: $0) },
      observe: {
        observe($0)
        log.add($0)
      })
  }

  deinit { relay.stop() }

  func client() throws -> WireClient { try WireClient(port: relay.port) }
}

/// The facts of a relay, which a test waits for.
final class TrafficLog: Sendable {
  private let stream: AsyncStream<TrafficEvent>
  private let continuation: AsyncStream<TrafficEvent>.Continuation
  private let refusals = Mutex<[Relay.Refusal]>([])

  init() { (stream, continuation) = AsyncStream.makeStream(of: TrafficEvent.self) }

  func add(_ event: TrafficEvent) { continuation.yield(event) }
  func add(refusal: Relay.Refusal) { refusals.withLock { $0.append(refusal) } }

  var refused: [Int] { refusals.withLock { $0.map(\.status) } }

  /// Waits until a number of payloads wait to be released. Returns the number of the exchange, and the bytes of bodies that were sent
  /// since the last call.
  func held(_ count: Int = 1) async throws -> (exchange: Int, sent: String) {
    var sent: [UInt8] = []
    for await event in stream {
      switch event.fact {
      case .responseBody(let bytes): sent += bytes
      case .held(count, _): return (event.exchange, String(decoding: sent, as: UTF8.self))
      case .request, .requestBody, .requestEnded, .response, .socketBytes, .changed, .held, .ended: break
      }
    }
    throw CancellationError()
  }

  /// Waits for the next bytes of an application on a WebSocket.
  func socketBytes() async throws {
    for await event in stream { if case .socketBytes(_, isFromServer: false) = event.fact { return } }
    throw CancellationError()
  }

  /// Waits for the end of the next exchange. Returns its facts.
  func exchange() async throws -> (
    request: String, response: Int?, requestBody: String, responseBody: String, end: TrafficEvent.End
  ) {
    var (request, status) = ("", Int?.none)
    var (sent, received) = ([UInt8](), [UInt8]())
    for await event in stream {
      switch event.fact {
      case .request(let method, let target, _): request = "\(method) \(target)"
      case .requestBody(let bytes): sent += bytes
      case .requestEnded, .changed, .held: break
      case .response(let code, _): status = code
      case .responseBody(let bytes): received += bytes
      case .socketBytes(let bytes, let isFromServer): if isFromServer { received += bytes } else { sent += bytes }
      case .ended(let end):
        return (request, status, String(decoding: sent, as: UTF8.self), String(decoding: received, as: UTF8.self), end)
      }
    }
    throw CancellationError()
  }
}

@Suite(.timeLimit(.minutes(1)))
struct RelayTests {
  @Test func `requests and responses pass unchanged on kept connections`() async throws {
    let server = try ScriptedServer([
      .json(
        #"{"data":1}"#,
        headers: [("X-A", "ü"), ("Set-Cookie", "a=b"), ("Set-Cookie", "c=d"), ("Keep-Alive", "timeout=5")]),
      .json("{}", status: 404),
    ])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.post("{ü}", path: "/graphql?a=%20&b", headers: ["X-B:  two  words ", "Connection: keep-alive"])
    let first = try await client.response()
    #expect(
      first.head
        == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-A: ü\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n"
        + "Content-Length: 10\r\n\r\n")
    #expect(first.body == #"{"data":1}"#)
    client.get("/other")
    #expect(try await client.response().head.hasPrefix("HTTP/1.1 404 Scripted\r\n"))
    let sent = try await server.request(0)
    #expect(sent.target == "/graphql?a=%20&b")
    #expect(
      sent.headers.map { "\($0.name): \($0.value)" } == [
        "Host: 127.0.0.1:\(server.port)", "X-B: two  words", "Content-Length: 4",
      ])
    #expect(sent.bodyText == "{ü}")
    #expect(server.connectionCount == 1)
    let exchange = try await fixture.log.exchange()
    #expect(exchange == ("POST /graphql?a=%20&b", 200, "{ü}", #"{"data":1}"#, .complete))
    #expect(try await fixture.log.exchange() == ("GET /other", 404, "", "{}", .complete))
  }

  @Test func `a connection is closed if its first request does not arrive in time`() async throws {
    let server = try ScriptedServer([.json(#"{"data":1}"#), .json(#"{"data":2}"#)])
    let fixture = try RelayFixture(to: server.port, firstRequestLimit: .seconds(1))
    let used = try fixture.client()
    used.post("{}")
    #expect(try await used.response().body == #"{"data":1}"#)
    for start in ["", "POST / HTTP/1.1\r\nHost: "] {
      let client = try fixture.client()
      client.send(start)
      #expect(try await client.readToEnd() == "", "after '\(start)'")
    }
    // The limit does not apply between the requests of a connection.
    used.post("{}")
    #expect(try await used.response().body == #"{"data":2}"#)
  }

  @Test func `the bytes of a chunked response arrive before its end, with their chunks and trailers`() async throws {
    let gate = Gate()
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"
    let server = try ScriptedServer([
      .raw([.text(head + "3;x=y\r\none\r\n"), .hold(gate), .text("3\r\ntwo\r\n0\r\nX-T: 1\r\n\r\n")])
    ])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.post("{}")
    #expect(try await client.read(through: "one\r\n") == head + "3;x=y\r\none\r\n")
    gate.open()
    #expect(try await client.read(through: "X-T: 1\r\n\r\n") == "3\r\ntwo\r\n0\r\nX-T: 1\r\n\r\n")
    #expect(try await fixture.log.exchange().responseBody == "onetwo")
    client.post("{}")
    #expect(try await client.read(through: "one\r\n").hasPrefix(head))
  }

  @Test func `chunks of a request pass with their trailers`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX: y\r\n\r\n"
    )
    #expect(try await client.response().body == "{}")
    #expect(try await server.request().bodyText == "abcde")
    #expect(try await fixture.log.exchange().requestBody == "abcde")
  }

  @Test func `interim responses pass, and a body waits for the one that it expects`() async throws {
    let server = try ScriptedServer([
      .raw([.text("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")])
    ])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("{}")
    #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n")
    #expect(try await client.response().body == "{}")
    #expect(try await fixture.log.exchange().response == 200)
  }

  @Test func `responses without a body leave the connection in use`() async throws {
    let server = try ScriptedServer([
      .raw([.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")]),
      .raw([.text("HTTP/1.1 304 Not Modified\r\n\r\n")]),
      .raw([.text("HTTP/1.1 204 No Content\r\n\r\n")]), .json("{}"),
    ])
    let client = try RelayFixture(to: server.port).keptClient()
    client.client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try await client.client.read(through: "\r\n\r\n").contains("Content-Length: 100"))
    for status in ["304", "204"] {
      client.client.get("/")
      #expect(try await client.client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status) "))
    }
    client.client.get("/")
    #expect(try await client.client.response().body == "{}")
    #expect(server.connectionCount == 1)
  }

  @Test func `a body that ends with the connection does so for the application`() async throws {
    let server = try ScriptedServer([.response(framing: .untilClose, [.text("abc"), .text("def")])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/")
    let text = try await client.readToEnd()
    #expect(text.contains("\r\nConnection: close\r\n") && text.hasSuffix("\r\n\r\nabcdef"))
    #expect(try await fixture.log.exchange().end == .complete)
  }

  @Test(arguments: [ScriptedAnswer.Framing.untilClose, .chunked, .claiming(length: 100)])
  func `a response that breaks off does so for the application`(_ framing: ScriptedAnswer.Framing) async throws {
    let server = try ScriptedServer([.response(framing: framing, [.text("abc"), .reset])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/")
    await #expect(throws: WireClient.Failure.self) { try await client.readToEnd() }
    guard case .failed = try await fixture.log.exchange().end else {
      Issue.record("the exchange counts as complete")
      return
    }
  }

  @Test func `an HTTP 1.0 application gets the content of chunks, and no interim response`() async throws {
    let server = try ScriptedServer([
      .raw([
        .text(
          "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
      ])
    ])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
    #expect(try await client.readToEnd() == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc")
  }

  @Test func `an application that goes away closes the request at the server`() async throws {
    let server = try ScriptedServer([.response([.text("abc"), .hold(Gate())])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.post("{}")
    _ = try await client.read(through: "abc\r\n")
    client.leave()
    try await server.clientClosed()
  }

  @Test func `an application that only ends sending gets its response`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json("{}").held(by: gate)])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.post("{}")
    client.endSending()
    _ = try await server.request()
    gate.open()
    // The scripted server leaves when it reads the end, as it would directly.
    _ = try? await client.readToEnd()
    #expect(try await fixture.log.exchange().end == .cancelled)
  }

  @Test func `a request that is cut short is canceled at the server`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc")
    client.endSending()
    #expect(try await fixture.log.exchange().end == .cancelled)
    #expect(server.requests.isEmpty)
  }

  @Test func `a slow application slows down the server`() async throws {
    let piece = ScriptedAnswer.Piece.bytes(Array(repeating: 0x61, count: 1 << 20))
    let server = try ScriptedServer([.response(framing: .contentLength, Array(repeating: piece, count: 64))])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/")
    let count = try await server.heldBack()
    #expect(count < 48 << 20)
    _ = try await client.read(through: "\r\n\r\n")
    _ = try await client.read(count: 64 << 20)
    #expect(try await fixture.log.exchange().end == .complete)
  }

  @Test func `a slow server slows down the application`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json("{}")], slowReading: .init(byteCount: 1000, gate: gate))
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(64 << 20)\r\n\r\n")
    let sent = client.sendUntilHeldBack(Array(repeating: 0x61, count: 1 << 16), limit: 64 << 20)
    #expect(sent < 48 << 20)
    gate.open()
  }

  @Test func `requests that arrive together are answered in order`() async throws {
    let server = try ScriptedServer { request, _ in .json("\"\(request.target)\"") }
    let client = try RelayFixture(to: server.port).keptClient()
    client.client.send("\r\nGET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try await client.client.response().body == "\"/1\"")
    #expect(try await client.client.response().body == "\"/2\"")
  }

  @Test func `a server that closes a kept connection closes that of the application`() async throws {
    let server = try ScriptedServer([.response(framing: .contentLength, [.text("{}"), .close])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/")
    #expect(try await client.readToEnd().hasSuffix("\r\n\r\n{}"))
    #expect(try await fixture.log.exchange().end == .complete)
  }

  @Test func `a server that closes the connection without an answer does so for the application`() async throws {
    let server = try ScriptedServer([.raw([.close])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/")
    #expect(try await client.readToEnd() == "")
    #expect(
      try await fixture.log.exchange().end
        == .failed("127.0.0.1:\(server.port): it closed the connection without an answer"))
  }

  @Test(arguments: [false, true])
  func `a server that cannot be reached is reported with status 502`(bodyIsLate: Bool) async throws {
    let closed = try ClosedPort()
    let fixture = try RelayFixture(to: closed.number)
    let client = try fixture.client()
    client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n\(bodyIsLate ? "" : "{}")")
    var text = try await client.read(through: "\r\n\r\n")
    if bodyIsLate { client.send("{}") }
    text += try await client.readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n") && text.contains("refused the connection"))
    let exchange = try await fixture.log.exchange()
    #expect(exchange.requestBody == "{}")
    guard case .failed = exchange.end else {
      Issue.record("the exchange counts as complete")
      return
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421), ("CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n", 403), ("GET / HTTP/2.0\r\n\r\n", 400),
    ("nonsense\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: \(String(repeating: "a", count: 70_000))", 431),
  ])
  func `a request that is not allowed reaches no server`(_ request: String, _ status: Int) async throws {
    let server = try ScriptedServer([.json("{}")])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.send(request)
    #expect(try await client.readToEnd().hasPrefix("HTTP/1.1 \(status) "))
    #expect(fixture.log.refused == [status])
    #expect(server.connectionCount == 0)
  }

  @Test func `an answer that is not HTTP ends the connection`() async throws {
    let server = try ScriptedServer([.raw([.text("220 mail.example ESMTP\r\n\r\n")])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/")
    #expect(try await client.readToEnd() == "")
    guard case .failed(let reason) = try await fixture.log.exchange().end else { return }
    #expect(reason.contains("not valid HTTP"))
  }

  @Test func `a WebSocket passes in both directions until one side closes it`() async throws {
    let answer =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n"
    let gate = Gate()
    let server = try ScriptedServer([.raw([.text(answer + "from server"), .hold(gate), .close])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/graphql", headers: ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: k"])
    let text = try await client.read(through: "from server")
    #expect(text.contains("\r\nUpgrade: websocket\r\n") && text.contains("\r\nConnection: Upgrade\r\n"))
    #expect(try await server.request().header("Sec-WebSocket-Key") == "k")
    gate.open()
    #expect(try await client.readToEnd() == "")
    let exchange = try await fixture.log.exchange()
    #expect(exchange.responseBody == "from server")
    #expect(exchange.end == .complete)
  }

  @Test func `the bytes of a WebSocket reach the server`() async throws {
    let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    let server = try ScriptedServer([.raw([.text(answer)]), .json("{}")])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/graphql", headers: ["Upgrade: websocket", "Connection: Upgrade"])
    _ = try await client.read(through: "\r\n\r\n")
    // The scripted server reads the bytes as its next request.
    client.get("/echo")
    #expect(try await client.response().body == "{}")
    #expect(try await server.request(1).target == "/echo")
    client.leave()
    #expect(try await fixture.log.exchange().requestBody.hasPrefix("GET /echo HTTP/1.1\r\nHost: localhost"))
  }

  @Test func `an upgrade that was not requested is an error`() async throws {
    let server = try ScriptedServer([.raw([.text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")])])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.get("/")
    #expect(try await client.readToEnd() == "")
  }

  @Test func `stopping closes connections, and ends exchanges`() async throws {
    let server = try ScriptedServer([.never])
    let fixture = try RelayFixture(to: server.port)
    let client = try fixture.client()
    client.post("{}")
    _ = try await server.request()
    fixture.relay.stop()
    #expect(try await fixture.log.exchange().end == .failed("apus tap was stopped"))
    _ = try? await client.readToEnd()
    fixture.relay.waitUntilStopped(limit: .seconds(20))
    #expect(throws: WireClient.Failure.self) { try WireClient(port: fixture.relay.port) }
  }
}

/// A client and the relay that it uses.
private struct KeptClient {
  let fixture: RelayFixture
  let client: WireClient
}

extension RelayFixture {
  fileprivate func keptClient() throws -> KeptClient { KeptClient(fixture: self, client: try client()) }
}
