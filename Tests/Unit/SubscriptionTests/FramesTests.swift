import ApusDigest
import ApusWebSocket
import Testing

@Suite("WebSocket frames")
struct FramesTests {
  @Test
  func `the handshake matches the example of the specification`() {
    #expect(WebSocketHandshake.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(WebSocketHandshake.newKey().count == 24)
    #expect(WebSocketHandshake.newKey() != WebSocketHandshake.newKey())
  }

  @Test(arguments: [WebSocketFrames.Role.client, .server])
  func `messages are read in both directions, split at any byte`(_ role: WebSocketFrames.Role) {
    let texts = ["", "{\"type\":\"ping\"}", String(repeating: "ä", count: 100), String(repeating: "x", count: 70_000)]
    let sender = WebSocketFrames(role: role)
    for text in texts { sender.send(text: Array(text.utf8)) }
    let bytes = sender.dequeueOutgoing()
    for split in Array(0..<400) + [bytes.count - 1] {
      let receiver = WebSocketFrames(role: role == .client ? .server : .client)
      let events = receiver.receive(Array(bytes[..<split])) + receiver.receive(Array(bytes[split...]))
      #expect(events == texts.map { .text(Array($0.utf8)) })
    }
  }

  @Test
  func `pings and close frames are answered`() {
    let (client, server) = (WebSocketFrames(role: .client), WebSocketFrames(role: .server))
    server.send(ping: [1, 2])
    #expect(client.receive(server.dequeueOutgoing()) == [.ping([1, 2])])
    #expect(server.receive(client.dequeueOutgoing()) == [.pong([1, 2])])
    server.close(code: 4403, reason: "Verboten für alle")
    #expect(client.receive(server.dequeueOutgoing()) == [.closed(code: 4403, reason: "Verboten für alle")])
    #expect(!server.isOver)
    #expect(server.receive(client.dequeueOutgoing()) == [.closed(code: 4403, reason: "Verboten für alle")])
    #expect(client.isOver && server.isOver)
  }

  @Test
  func `messages that were sent before are written before the close frame, and none after it`() {
    let (client, server) = (WebSocketFrames(role: .client), WebSocketFrames(role: .server))
    client.send(text: Array("one".utf8))
    client.send(text: Array("two".utf8))
    client.close(code: 1000, reason: "")
    client.send(text: Array("three".utf8))
    #expect(
      server.receive(client.dequeueOutgoing())
        == [.text(Array("one".utf8)), .text(Array("two".utf8)), .closed(code: 1000, reason: "")])
  }

  @Test
  func `only the newest of several unanswered pings is answered`() {
    let client = WebSocketFrames(role: .client)
    client.send(text: Array("one".utf8))
    for number in 0..<100_000 {
      _ = client.receive([0x89, 0x02, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)])
    }
    client.send(text: Array("two".utf8))
    let bytes = client.dequeueOutgoing()
    #expect(bytes.count == 8 + 9 + 9)
    let server = WebSocketFrames(role: .server)
    #expect(server.receive(bytes) == [.pong([0x86, 0x9F]), .text(Array("one".utf8)), .text(Array("two".utf8))])
    #expect(client.dequeueOutgoing().isEmpty)
  }

  @Test(arguments: [1012, 1013, 1014])
  func `close codes 1012 to 1014 are valid`(_ code: Int) {
    let bytes = [0x88, 0x06, 0x03, UInt8(code & 0xFF)] + Array("back".utf8)
    for cut in 1..<bytes.count {
      let client = WebSocketFrames(role: .client)
      let events = client.receive(Array(bytes[..<cut])) + client.receive(Array(bytes[cut...]))
      #expect(events == [.closed(code: code, reason: "back")])
      #expect(client.isOver)
      let answer = client.dequeueOutgoing()
      #expect(Self.unmasked(answer) == bytes)
    }
  }

  @Test(
    arguments: [1000, 1008, 1011, 1013, 3000, 4400, 4999],
    [Array("naé".utf8.dropLast()), [0xF0, 0x9F, 0x90]] as [[UInt8]])
  func `a close reason that is cut inside a character keeps its code`(_ code: Int, _ reason: [UInt8]) {
    let bytes = [0x88, UInt8(2 + reason.count), UInt8(code >> 8), UInt8(code & 0xFF)] + reason
    for cut in 1...bytes.count {
      let client = WebSocketFrames(role: .client)
      let events = client.receive(Array(bytes[..<cut])) + client.receive(Array(bytes[cut...]))
      #expect(events == [.closed(code: code, reason: String(decoding: reason, as: UTF8.self))])
      #expect(Self.unmasked(client.dequeueOutgoing()).dropFirst(2).prefix(2) == [UInt8(code >> 8), UInt8(code & 0xFF)])
      #expect(client.isOver)
    }
  }

  @Test(arguments: [WebSocketFrames.Role.client, .server])
  func `a close frame is read in pieces of any size, also after other frames`(_ role: WebSocketFrames.Role) {
    let sender = WebSocketFrames(role: role)
    let long = Array(String(repeating: "ä", count: 40_000).utf8)
    sender.send(text: Array("é".utf8))
    sender.send(text: long)
    // A close frame is sent before the messages that wait.
    var bytes = sender.dequeueOutgoing()
    sender.close(code: 4403, reason: "für é 🐦 überall")
    bytes += sender.dequeueOutgoing()
    let expected: [WebSocketFrames.Event] = [
      .text(Array("é".utf8)), .text(long), .closed(code: 4403, reason: "für é 🐦 überall"),
    ]
    let receiver = { WebSocketFrames(role: role == .client ? .server : .client) }
    for cut in (bytes.count - 60)..<bytes.count {
      let frames = receiver()
      #expect(frames.receive(Array(bytes[..<cut])) + frames.receive(Array(bytes[cut...])) == expected, "cut at \(cut)")
    }
    for size in [1, 3, 7, 4096, 65_536] {
      let frames = receiver()
      var events: [WebSocketFrames.Event] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        events += frames.receive(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(events == expected, "pieces of \(size)")
    }
  }

  @Test
  func `a close frame that is too long is a violation at its header`() {
    let client = WebSocketFrames(role: .client)
    guard case .broken? = client.receive([0x88, 0x7E, 0x00, 0x7E, 0x03]).first else {
      Issue.record("no violation")
      return
    }
  }

  @Test(arguments: [1004, 1005, 1006, 1015, 999, 2000, 5000])
  func `a close frame with a code that must not be sent is a violation, also with a cut reason`(_ code: Int) {
    let client = WebSocketFrames(role: .client)
    let event = client.receive([0x88, 0x03, UInt8(code >> 8), UInt8(code & 0xFF), 0xC3]).first
    guard case .broken? = event else {
      Issue.record("\(String(describing: event))")
      return
    }
  }

  @Test
  func `a close frame that crosses our own is not answered`() {
    let client = WebSocketFrames(role: .client)
    client.close(code: 1000, reason: "")
    #expect(Self.unmasked(client.dequeueOutgoing()) == [0x88, 0x02, 0x03, 0xE8])
    #expect(client.receive([0x88, 0x02, 0x03, 0xF4]) == [.closed(code: 1012, reason: "")])
    #expect(client.dequeueOutgoing().isEmpty && client.isOver)
    let requested = WebSocketFrames(role: .client)
    #expect(
      requested.receive([0x89, 0x01, 0x07, 0x88, 0x02, 0x03, 0xF5]) == [.ping([7]), .closed(code: 1013, reason: "")])
    // Pongs are not sent after a close frame.
    #expect(Self.unmasked(requested.dequeueOutgoing()) == [0x88, 0x02, 0x03, 0xF5])
  }

  /// Returns a short client frame without its mask.
  private static func unmasked(_ frame: [UInt8]) -> [UInt8] {
    guard frame.count >= 6, frame[1] & 0x80 != 0 else { return frame }
    return [frame[0], frame[1] & 0x7F] + zip(frame.dropFirst(6), 0...).map { $0 ^ frame[2 + $1 % 4] }
  }

  @Test
  func `a close frame without a code has code 1005`() {
    #expect(WebSocketFrames(role: .client).receive([0x88, 0x00]) == [.closed(code: 1005, reason: "")])
  }

  @Test
  func `a protocol violation closes the connection with its code`() {
    let cases: [([UInt8], Int)] = [
      ([0x81, 0x02, 0xC3, 0x28], 1007),  // text that is not UTF-8
      ([0x83, 0x00], 1002),  // an unknown opcode
      ([0x81, 0x80, 0, 0, 0, 0], 1002),  // a masked frame from a server
      ([0xC1, 0x00], 1002),  // a reserved bit without an extension
      ([0x80, 0x00], 1002),  // a continuation frame without a start
      ([0x01, 0x01, 0x61, 0x81, 0x01, 0x62], 1002),  // a new message before the previous one ended
      ([0x09, 0x00], 1002),  // a fragmented ping
      ([0x89, 0x7E, 0x00, 0x7E], 1002),  // a ping of more than 125 bytes
      ([0x88, 0x02, 0x03, 0xED], 1002),  // 1005, which must not be sent
      ([0x81, 0x7E, 0x00, 0x01, 0x61], 1002),  // a length that is not minimally encoded
      ([0x81, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),  // a negative length
    ]
    for (bytes, code) in cases {
      let client = WebSocketFrames(role: .client)
      #expect(client.receive(bytes) == [.broken(code: code)])
      #expect(client.isOver)
    }
    let client = WebSocketFrames(role: .client, maximumMessageSize: 10)
    #expect(client.receive([0x81, 11] + Array("hello world".utf8)) == [.broken(code: 1009)])
  }
}
