import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import ApusWebSocket
import Testing

@Suite("Slow subscribers and hostile servers", .timeLimit(.minutes(3)))
struct HostileServerTests {
  /// Returns a response of a subscription over HTTP with these texts as events.
  private func answer(
    _ transport: SubscriptionOptions.Transport, _ data: [String], end: [ScriptedAnswer.Piece] = [],
    framing: ScriptedAnswer.Framing = .chunked
  ) -> ScriptedAnswer {
    if transport == .serverSentEvents {
      let events = data.map { ScriptedAnswer.Piece.text("event: next\ndata: {\"data\":{\"s\":\($0)}}\n\n") }
      return .response(
        headers: [("Content-Type", "text/event-stream")], framing: framing,
        events + (end.isEmpty ? [.text("event: complete\ndata:\n\n")] : end))
    }
    var parts = data.map {
      ScriptedAnswer.Piece.text(
        "Content-Type: application/json\r\n\r\n{\"payload\":{\"data\":{\"s\":\($0)}}}\r\n---\r\n")
    }
    parts.insert(.text("---\r\n"), at: 0)
    // An empty part, and the closing delimiter.
    return .response(
      headers: [("Content-Type", "multipart/mixed; boundary=-; subscriptionSpec=1.0")], framing: framing,
      parts + (end.isEmpty ? [.text("\r\n-----\r\n")] : end))
  }

  private static let overHTTP = [SubscriptionOptions.Transport.serverSentEvents, .multipart]

  @Test
  func `a slow reader throttles a WebSocket server without losing events`() async throws {
    let server = try await PythonServer.start(.websockets)
    let client = client(server.url + "/flood", .webSocket)
    var events = client.subscribe(subscription: try operation("subscription { s }")).makeAsyncIterator()
    #expect(try await events.next() != nil)
    var line = ""
    repeat { line = try #require(await server.nextLine()) } while !line.hasPrefix("held back")
    // The amount that the client and the socket buffers can hold is far less than the total of 50 MB.
    #expect(try #require(line.split(separator: " ").last.flatMap { Int($0) }) < 100)
    var count = 1
    while try await events.next() != nil { count += 1 }
    #expect(count == 200)
  }

  @Test(arguments: overHTTP)
  func `a slow reader throttles an HTTP server without losing events`(_ transport: SubscriptionOptions.Transport)
    async throws
  {
    let text = "\"" + String(repeating: "x", count: 1 << 20) + "\""
    let server = try ScriptedServer([answer(transport, Array(repeating: text, count: 64))])
    var events = client(server.url, transport)
      .subscribe(subscription: try operation("subscription { s }")).makeAsyncIterator()
    #expect(try await events.next() != nil)
    #expect(try await server.heldBack() < 32 << 20)
    var count = 1
    while try await events.next() != nil { count += 1 }
    #expect(count == 64)
  }

  @Test
  func `a subscriber that leaves without reading does not block the others`() async throws {
    let server = try await PythonServer.start(.websockets)
    let client = client(server.url + "/flood", .webSocket)
    var stays = client.subscribe(subscription: try operation("subscription { s }")).makeAsyncIterator()
    #expect(try await stays.next() != nil)
    var leaves: GraphQLClient.Results<JSONValue>? = client.subscribe(
      subscription: try operation("subscription { s }"))
    while try #require(await server.nextLine()).hasPrefix("held back") == false {}
    withExtendedLifetime(leaves) {}
    leaves = nil
    var count = 1
    while try await stays.next() != nil { count += 1 }
    #expect(count == 200)
  }

  @Test(arguments: overHTTP)
  func `an event of 64 MB arrives over HTTP`(_ transport: SubscriptionOptions.Transport) async throws {
    let text = "{\"text\":\"" + String(repeating: "y", count: 64 << 20) + "\"}"
    let server = try ScriptedServer([answer(transport, [text])])
    let run = try await SubscriptionRun.read(client(server.url, transport), "subscription { s }")
    #expect(run.error == nil)
    #expect(run.results.first?.data?["s"]?["text"]?.string?.utf8.count == 64 << 20)
  }

  @Test
  func `a WebSocket message of more than 64 MB is an error`() async throws {
    let server = try await PythonServer.start(.websockets)
    let client = client(server.url + "/huge", .webSocket) { $0.reconnection.maximumAttempts = 0 }
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.error.map { "\($0)" }?.contains("a message is larger than 64 MB") == true)
    #expect(run.exitCode == 4)
    #expect(await server.says("/huge gone 1009"))
  }

  @Test(arguments: overHTTP)
  func `a body shorter than its Content-Length is a lost connection that keeps received events`(
    _ transport: SubscriptionOptions.Transport
  ) async throws {
    let server = try ScriptedServer([
      answer(transport, ["1"], end: [.text("\n")], framing: .claiming(length: 100_000))
    ])
    let client = client(server.url, transport) { $0.reconnection.maximumAttempts = 0 }
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.data == [#"{"s":1}"#])
    #expect(run.exitCode == 3)
  }

  @Test(arguments: overHTTP)
  func `a Content-Length shorter than the body truncates the events`(_ transport: SubscriptionOptions.Transport)
    async throws
  {
    let server = try ScriptedServer([
      answer(
        transport, ["1", "2", "3"], framing: .claiming(length: transport == .serverSentEvents ? 40 : 100))
    ])
    let client = client(server.url, transport) { $0.reconnection.maximumAttempts = 0 }
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.data.first == #"{"s":1}"# && run.data.count < 3)
    #expect(run.exitCode == 3)
  }

  @Test(arguments: overHTTP)
  func `a stalled server exceeds a configured timeout`(_ transport: SubscriptionOptions.Transport) async throws {
    let server = try ScriptedServer([answer(transport, ["1"], end: [.hold(Gate())])])
    var options = SubscriptionOptions()
    options.transport = transport
    options.reconnection.maximumAttempts = 0
    let client = GraphQLClient(
      url: server.url, timeouts: HTTPTimeouts(idle: .milliseconds(200)), subscriptions: options)
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.data == [#"{"s":1}"#])
    #expect(run.exitCode == 3)
    #expect(run.error.map { "\($0)" }?.contains("200 ms") == true)
  }

  @Test(arguments: [SubscriptionOptions.Transport.webSocket])
  func `an unanswered upgrade exceeds the timeout`(_ transport: SubscriptionOptions.Transport) async throws {
    let server = try ScriptedServer([.never])
    var options = SubscriptionOptions()
    options.transport = transport
    let client = GraphQLClient(
      url: server.url, timeouts: HTTPTimeouts(firstByte: .milliseconds(100)), subscriptions: options)
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.data.isEmpty && run.exitCode == 3)
    try await server.clientClosed()
  }

  @Test(arguments: overHTTP)
  func `the size limit applies to each event, not to the subscription`(_ transport: SubscriptionOptions.Transport)
    async throws
  {
    func run(_ data: [String]) async throws -> SubscriptionRun {
      let server = try ScriptedServer([answer(transport, data)])
      var endpoint = HTTPRequest(url: server.url)
      endpoint.maximumResponseSize = 200
      var options = SubscriptionOptions()
      options.transport = transport
      let client = GraphQLClient(endpoint: endpoint, subscriptions: options)
      return try await SubscriptionRun.read(client, "subscription { s }")
    }
    let many = try await run((0..<50).map { "\($0)" })
    #expect(many.data.count == 50 && many.error == nil)
    let large = try await run(["1", "\"\(String(repeating: "x", count: 300))\""])
    #expect(large.data == [#"{"s":1}"#])
    #expect(large.error.map { "\($0)" }?.contains("200 bytes") == true, "\(String(describing: large.error))")
  }

  // MARK: Invalid WebSockets and frames

  /// A server that accepts the upgrade and then sends these bytes, whatever it receives.
  private func upgrading(
    to subprotocol: String = "graphql-transport-ws",
    accept: @escaping @Sendable (String) -> String = WebSocketHandshake.answer, _ pieces: [ScriptedAnswer.Piece]
  ) throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      .raw(
        [
          .text(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Protocol: \(subprotocol)\r\n"
              + "Sec-WebSocket-Accept: \(accept(request.header("Sec-WebSocket-Key") ?? ""))\r\n\r\n")
        ] + pieces)
    }
  }

  private static func frame(_ text: String) -> [UInt8] { [0x81, UInt8(text.utf8.count)] + Array(text.utf8) }
  private static let acknowledged = frame(#"{"type":"connection_ack"}"#)

  @Test(
    arguments: [
      [0x81, 0x02, 0xC3, 0x28], [0x83, 0x00], [0x81, 0x80, 0, 0, 0, 0], [0xC1, 0x00], [0x80, 0x00], [0x09, 0x00],
    ] as [[UInt8]], [true, false])
  func `invalid frames are a one-line error and not retried`(_ bytes: [UInt8], isAcknowledged: Bool) async throws {
    let server = try upgrading([.bytes((isAcknowledged ? Self.acknowledged : []) + bytes), .hold(Gate())])
    let run = try await SubscriptionRun.read(client(server.url, .webSocket), "subscription { s }")
    let text = run.error.map { "\($0)" } ?? ""
    #expect(text.contains("broke the protocol: a "), "\(text)")
    #expect(!text.contains("\n"))
    #expect(run.exitCode == 4)
    #expect(server.requests.count == 1)
    try await server.clientClosed()
  }

  @Test(
    arguments: ["graphql-transport-ws", "graphql-ws"],
    [
      (#""no entry""#, "no entry"), (#"{"message":"no entry"}"#, "no entry"),
      (#"{"errors":[{"message":"no entry"},{"message":"really"}]}"#, "no entry; really"),
      (#"[{"message":"no entry"},"really"]"#, "no entry; really"),
    ])
  func `the reason for a refusal arrives over a socket, in whatever shape the server sends it`(
    subprotocol: String, payload: (text: String, reason: String)
  ) async throws {
    let refusal = Self.frame(#"{"type":"connection_error","payload":\#(payload.text)}"#)
    let error = Self.frame(#"{"type":"error","payload":\#(payload.text)}"#)
    let early = Self.frame(#"{"type":"error","id":"1","payload":\#(payload.text)}"#)
    for frames in [refusal, Self.acknowledged + refusal, error, Self.acknowledged + error, early] {
      let server = try upgrading(to: subprotocol, [.bytes(frames), .hold(Gate())])
      let transport: SubscriptionOptions.Transport = subprotocol == "graphql-ws" ? .legacyWebSocket : .webSocket
      let run = try await SubscriptionRun.read(client(server.url, transport), "subscription { s }")
      #expect(
        run.error.map { "\($0)" }
          == "\(server.url) does not accept the connection: \(payload.reason); check the connection's payload")
      #expect(run.results.isEmpty && run.exitCode == 3)
      #expect(server.requests.count == 1, "a refusal is not repeated")
      try await server.clientClosed()
    }
  }

  @Test
  func `a truncated frame is a lost connection`() async throws {
    let server = try upgrading([.bytes(Self.acknowledged + [0x81, 0x7D, 0x7B]), .close])
    let client = client(server.url, .webSocket) { $0.reconnection.maximumAttempts = 1 }
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.exitCode == 3)
    #expect(run.states.contains { $0.name == "reconnecting" })
  }

  @Test
  func `a frame that announces an oversized message is rejected immediately`() async throws {
    let server = try upgrading([
      .bytes(Self.acknowledged + [0x81, 0x7F, 0x00, 0x00, 0x7F, 0xFF, 0, 0, 0, 0, 0x61]), .hold(Gate()),
    ])
    let client = client(server.url, .webSocket) { $0.reconnection.maximumAttempts = 0 }
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.error.map { "\($0)" }?.contains("larger than 64 MB") == true, "\(String(describing: run.error))")
  }

  @Test
  func `the error of a rejected upgrade quotes the response, even if it arrives in pieces`() async throws {
    let gate = Gate()
    let words: [ScriptedAnswer.Piece] = [.text("{\"error\":\"no "), .hold(gate), .text("sockets here\"}")]
    let framings: [ScriptedAnswer.Framing] = [.chunked, .contentLength, .untilClose]
    for framing in framings {
      let server = try ScriptedServer([
        .response(status: 400, headers: [("Content-Type", "application/json")], framing: framing, words)
      ])
      async let run = SubscriptionRun.read(client(server.url, .webSocket), "subscription { s }")
      _ = try await server.request()
      gate.open()
      #expect(try await run.error.map { "\($0)" } == "\(server.url) answered 400 (no sockets here); check the request")
    }
    let absurd = try ScriptedServer([
      .raw([.text("HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\nno sockets here"), .close])
    ])
    let quoted = try await SubscriptionRun.read(client(absurd.url, .webSocket), "subscription { s }")
    #expect(quoted.error.map { "\($0)" } == "\(absurd.url) answered 400 (no sockets here); check the request")
    let never = try ScriptedServer([
      .response(
        status: 400, headers: [("Content-Type", "text/plain")], framing: .claiming(length: 99),
        [.text("no"), .hold(Gate())])
    ])
    var options = SubscriptionOptions()
    options.transport = .webSocket
    let hasty = GraphQLClient(
      url: never.url, timeouts: HTTPTimeouts(idle: .milliseconds(100)), subscriptions: options)
    let run = try await SubscriptionRun.read(hasty, "subscription { s }")
    // On a busy machine the timeout may pass before the body arrives.
    #expect(run.error.map { "\($0)" }?.hasPrefix("\(never.url) answered 400") == true)
  }

  @Test
  func `an upgrade with a wrong accept key is rejected`() async throws {
    let server = try upgrading(accept: { _ in "bm90IHRoZSBhbnN3ZXI=" }, [.bytes(Self.acknowledged)])
    let run = try await SubscriptionRun.read(client(server.url, .webSocket), "subscription { s }")
    #expect(run.data.isEmpty)
    #expect(run.exitCode == 4, "\(String(describing: run.error))")
  }
}
