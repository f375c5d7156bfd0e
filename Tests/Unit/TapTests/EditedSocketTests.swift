import ApusClientTraffic
import ApusTestSupport
import ApusWebSocket
import Testing

@testable import ApusTap

/// A relay whose rules change the messages of a WebSocket.
@Suite(.timeLimit(.minutes(1)))
struct EditedSocketTests {
  private static let first = #"{"id":"1","type":"next","payload":{"data":{"n":1}}}"#
  private static let second = #"{"id":"1","type":"next","payload":{"data":{"n":2}}}"#
  private static let other = #"{"id":"2","type":"next","payload":{"data":{"m":3}}}"#

  private static func frames(_ texts: String...) -> ScriptedAnswer.Piece {
    .bytes(texts.flatMap { WebSocketSplitter.frame(text: Array($0.utf8)) })
  }

  /// A WebSocket with two operations, of which the rules are about the first one. The server sends its messages when a gate opens.
  private struct Socket {
    let server: ScriptedServer
    let control: DeliveryControl
    let fixture: RelayFixture
    let client: WireClient
    private let gate = Gate()

    /// - Parameter releasesImmediately: Whether payloads are released as soon as they are reported, on the thread of the connection.
    init(
      _ pieces: [ScriptedAnswer.Piece], releasesImmediately: Bool = false, _ change: (inout DeliveryRules) -> Void
    ) async throws {
      let answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
      server = try ScriptedServer([.raw([.text(answer), .hold(gate)] + pieces)])
      var rules = DeliveryRules()
      rules.operations = ["S"]
      change(&rules)
      let control = DeliveryControl(rules)
      self.control = control
      fixture = try RelayFixture(to: server.port, control: control) { event in
        guard releasesImmediately, case .held(1..., let message) = event.fact else { return }
        control.release(TrafficOperationID(exchange: event.exchange, message: message))
      }
      client = try fixture.client()
      client.get(
        "/graphql",
        headers: ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Extensions: permessage-deflate"])
      _ = try await client.read(through: "\r\n\r\n")
      for (id, name) in [("1", "S"), ("2", "T")] {
        try await send(#"{"id":"\#(id)","type":"subscribe","payload":{"query":"subscription \#(name) { n }"}}"#)
      }
      gate.open()
    }

    func send(_ text: String) async throws {
      client.send(bytes: WebSocketSplitter.frame(text: Array(text.utf8)))
      try await fixture.log.socketBytes()
    }
  }

  @Test func `messages of an operation wait until they are released, and the close frame after them`() async throws {
    let socket = try await Socket(
      [Self.frames(Self.first, Self.second, Self.other), .bytes([0x88, 0x02, 0x03, 0x7F]), .hold(Gate())]
    ) { $0.holds = true }
    #expect(try await socket.client.read(through: Self.other).dropFirst(2) == Self.other)
    _ = try await socket.fixture.log.held(2)
    let operation = TrafficOperationID(exchange: 1, message: "1")
    socket.control.release(TrafficOperationID(exchange: 1, message: "2"))
    socket.control.release(operation)
    #expect(try await socket.client.read(through: Self.first).hasSuffix(Self.first))
    _ = try await socket.fixture.log.held(1)
    socket.control.release(operation)
    #expect(try await socket.client.read(through: Self.second).hasSuffix(Self.second))
    #expect(try await socket.client.read(through: "\u{02}\u{03}\u{7F}").hasSuffix("\u{02}\u{03}\u{7F}"))
    #expect(try await socket.server.request().header("Sec-WebSocket-Extensions") == nil)
  }

  @Test func `messages that are released as soon as they are reported are all sent`() async throws {
    let close: [UInt8] = [0x88, 0x02, 0x03, 0x7F]
    let socket = try await Socket(
      [Self.frames(Self.first, Self.second, Self.first, Self.second), .bytes(close), .hold(Gate())],
      releasesImmediately: true
    ) { $0.holds = true }
    let received = try await socket.client.read(through: "\u{02}\u{03}\u{7F}")
    #expect(received.ranges(of: Self.first).count == 2 && received.ranges(of: Self.second).count == 2)
  }

  @Test func `messages of an operation that the application ended are discarded`() async throws {
    let socket = try await Socket([Self.frames(Self.first, Self.other), .hold(Gate())]) { $0.holds = true }
    _ = try await socket.fixture.log.held()
    try await socket.send(#"{"id":"1","type":"complete"}"#)
    _ = try await socket.fixture.log.held(0)
    _ = try await socket.client.read(through: Self.other)
    socket.client.leave()
    #expect(try await socket.fixture.log.exchange().end == .cancelled)
  }

  @Test func `an application that leaves while a message waits cancels its operations`() async throws {
    let socket = try await Socket([Self.frames(Self.first), .hold(Gate())]) { $0.holds = true }
    _ = try await socket.fixture.log.held()
    socket.client.leave()
    #expect(try await socket.fixture.log.exchange().end == .cancelled)
    try await socket.server.clientClosed()
  }

  /// The subprotocols of the application, the operations of the rules, and whether the status is that of the rules.
  @Test(
    arguments: [
      ("graphql-transport-ws", [], true), ("graphql-ws", [], true), ("chat, graphql-ws", [], true),
      ("vite-hmr", [], false),
      (nil, [], false), ("graphql-transport-ws", ["S"], false),
    ] as [(String?, Set<String>, Bool)])
  func `a status is the response to a handshake`(
    _ subprotocols: String?, _ operations: Set<String>, _ isAnswered: Bool
  ) async throws {
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    let server = try ScriptedServer([.raw([.text(upgrade)])])
    var rules = DeliveryRules()
    (rules.status, rules.operations) = (503, operations)
    let fixture = try RelayFixture(to: server.port, control: DeliveryControl(rules))
    let client = try fixture.client()
    client.get(
      "/graphql",
      headers: ["Upgrade: websocket", "Connection: Upgrade"]
        + (subprotocols.map { ["Sec-WebSocket-Protocol: \($0)"] } ?? []))
    guard isAnswered else {
      #expect(try await client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
      return
    }
    let answer = try await client.response()
    #expect(answer.head.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(answer.body == #"{"errors":[{"message":"apus tap: --status 503"}]}"#)
    #expect(server.connectionCount == 0)
    #expect(try await fixture.log.exchange().end == .complete)
  }

  @Test func `the connection breaks after a message`() async throws {
    let socket = try await Socket([Self.frames(Self.other, Self.first, Self.second), .hold(Gate())]) {
      $0.cutAfter = 1
    }
    let error = await #expect(throws: WireClient.Failure.self) { try await socket.client.readToEnd() }
    guard case .reset(let received)? = error else {
      Issue.record("the connection was not reset")
      return
    }
    #expect(received.hasSuffix(Self.first))
  }

  @Test func `a connection that the server breaks is broken after the messages that wait`() async throws {
    let socket = try await Socket([Self.frames(Self.first), .bytes([0x81, 0xFF] + Array(repeating: 0xFF, count: 12))]) {
      $0.holds = true
    }
    _ = try await socket.fixture.log.held()
    socket.control.releaseNext()
    let error = await #expect(throws: WireClient.Failure.self) { try await socket.client.readToEnd() }
    guard case .reset(let received)? = error else {
      Issue.record("the connection was not reset")
      return
    }
    #expect(received.hasSuffix(Self.first))
    #expect(
      try await socket.fixture.log.exchange().end
        == .failed("127.0.0.1:\(socket.server.port): a WebSocket message is too large to be read for the rules"))
  }
}
