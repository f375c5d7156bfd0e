import ApusClientNetwork
import ApusWebSocket
import Testing

@testable import ApusClientTraffic

/// Rules for the messages of a WebSocket.
struct SocketEditorTests {
  private struct Socket {
    let subprotocol: String
    var editor: SocketEditor
    var rules = DeliveryRules()

    init(_ subprotocol: String, _ change: (inout DeliveryRules) -> Void) throws {
      self.subprotocol = subprotocol
      editor = try #require(SocketEditor(["Sec-WebSocket-Protocol": subprotocol]))
      change(&rules)
    }

    private var isLegacy: Bool { subprotocol == "graphql-ws" }

    /// Starts an operation, with a masked frame as clients send it.
    mutating func start(_ id: String, _ query: String = "subscription S { n }") -> [String] {
      send(#"{"id":"\#(id)","type":"\#(isLegacy ? "start" : "subscribe")","payload":{"query":"\#(query)"}}"#)
    }

    mutating func stop(_ id: String) -> [String] {
      send(#"{"id":"\#(id)","type":"\#(isLegacy ? "stop" : "complete")"}"#)
    }

    private mutating func send(_ text: String) -> [String] {
      let mask: [UInt8] = [1, 2, 3, 4]
      let frame = [0x81, 0x80 | UInt8(text.utf8.count)] + mask + text.utf8.enumerated().map { $1 ^ mask[$0 & 3] }
      return editor.receive(fromClient: frame, rules)
    }

    func next(_ id: String, _ payload: String = #"{"data":{"n":1}}"#) -> [UInt8] {
      frame(#"{"id":"\#(id)","type":"\#(isLegacy ? "data" : "next")","payload":\#(payload)}"#)
    }
  }

  private static func complete(_ id: String) -> [UInt8] { frame(#"{"id":"\#(id)","type":"complete"}"#) }

  @Test(arguments: ["graphql-transport-ws", "graphql-ws"])
  func `payloads of an operation are late or held, and others pass`(_ subprotocol: String) throws {
    var socket = try Socket(subprotocol) {
      $0.holds = true
      $0.rules = [.init(.everyPayload, .delay(.seconds(2)), text: "--delay 2s")]
      $0.operations = ["S"]
    }
    let acknowledged = frame(#"{"type":"connection_ack"}"#)
    #expect(socket.editor.receive(fromServer: acknowledged) == [.bytes(acknowledged)])
    #expect(socket.start("1").isEmpty && socket.start("2", "subscription T { n }").isEmpty)
    let (first, second, end) = (socket.next("1"), socket.next("2"), Self.complete("1"))
    let ping: [UInt8] = [0x89, 0]
    let close: [UInt8] = [0x88, 0]
    let sent = socket.editor.receive(fromServer: first + second + ping + end + close)
    #expect(
      sent == [
        .message(id: "1", .init(delay: .seconds(2), bytes: first, isHeld: true)), .bytes(second), .bytes(ping),
        .message(id: "1", .init(delay: .zero, bytes: end)), .close(close),
      ])
    #expect(socket.editor.takeChanges().map(\.change) == ["--delay 2s", "--hold"])
    #expect(socket.editor.takeChanges().isEmpty)
    // The id is free again.
    #expect(socket.stop("1").isEmpty)
    _ = socket.start("1")
    #expect(socket.stop("1") == ["1"])
    #expect(socket.editor.receive(fromServer: first) == [.bytes(first)])
  }

  @Test func `a fragment fails or does not arrive, and a message that is changed has one frame`() throws {
    var socket = try Socket("graphql-transport-ws") { $0.rules = [.init(.label("l"), .drop, text: "--drop label=l")] }
    _ = socket.start("1")
    let only = socket.next("1", #"{"incremental":[{"label":"l","path":[],"data":{}}],"hasNext":true}"#)
    #expect(socket.editor.receive(fromServer: only).isEmpty)
    let last = socket.next("1", #"{"incremental":[{"label":"l","path":[],"data":{}}],"hasNext":false}"#)
    let changed = frame(#"{"id":"1","type":"next","payload":{"hasNext":false}}"#)
    #expect(socket.editor.receive(fromServer: last) == [.message(id: "1", .init(delay: .zero, bytes: changed))])
  }

  @Test func `a message keeps its frames, with control frames between them, however they arrive`() throws {
    let text = Array(#"{"id":"1","type":"next","payload":{"data":{"n":1}}}"#.utf8)
    let frames = [0x01, 9] + text[..<9] + [0x80, UInt8(text.count - 9)] + text[9...]
    let pong: [UInt8] = [0x8A, 1, 7]
    let bytes = Array(frames[..<11]) + pong + frames[11...]
    for cut in 0...bytes.count {
      var socket = try Socket("graphql-transport-ws") { $0.holds = true }
      _ = socket.start("1")
      let sent =
        socket.editor.receive(fromServer: bytes[..<cut]) + socket.editor.receive(fromServer: bytes[cut...])
      #expect(sent == [.bytes(pong), .message(id: "1", .init(delay: .zero, bytes: Array(frames), isHeld: true))])
    }
  }

  @Test func `the connection breaks after a payload of an operation`() throws {
    var socket = try Socket("graphql-transport-ws") { $0.cutAfter = 1 }
    _ = socket.start("1")
    let first = socket.next("1")
    let sent = socket.editor.receive(fromServer: first + first + Self.complete("1"))
    #expect(sent == [.message(id: "1", .init(delay: .zero, bytes: first))])
    #expect(socket.editor.cut == ["1"])
    _ = socket.editor.takeChanges()
    #expect(socket.editor.cut == ["1"])
  }

  @Test func `sockets that cannot be read are not edited`() {
    let compressed: HTTPHeaders = [
      "Sec-WebSocket-Protocol": "graphql-transport-ws", "Sec-WebSocket-Extensions": "permessage-deflate",
    ]
    for headers in [[:], ["Sec-WebSocket-Protocol": "mqtt"], compressed] {
      let isEdited = SocketEditor(headers) != nil
      #expect(!isEdited)
    }
  }

  @Test(arguments: [0, 125, 126, 0xFFFF, 0x10000])
  func `a frame has the length of its text`(_ count: Int) throws {
    let text = [UInt8](repeating: 0x61, count: count)
    let frame = WebSocketSplitter.frame(text: text)
    var splitter = WebSocketSplitter(limit: 1 << 20)
    #expect(splitter.receive(frame) == [.message(frame, content: text)])
  }

  @Test(arguments: [
    [0x81, 11], [0x01, 6, 1, 2, 3, 4, 5, 6, 0x80, 5], [0x82, 127] + Array(repeating: UInt8(0xFF), count: 8),
  ])
  func `a message that is too long ends the reading, after those before it`(_ bytes: [UInt8]) {
    var splitter = WebSocketSplitter(limit: 10)
    let first: [UInt8] = [0x81, 1, 0x61]
    #expect(splitter.receive(first + bytes) == [.message(first, content: [0x61])])
    #expect(splitter.isTooLong)
    #expect(splitter.receive(first).isEmpty)
  }
}

private func frame(_ text: String) -> [UInt8] { WebSocketSplitter.frame(text: Array(text.utf8)) }
