import ApusPlatform
import ApusTestSupport
import ApusWebSocket
import Testing

@testable import ApusDemo

/// The end of a WebSocket at its server: nothing follows a close frame (RFC 6455, section 5.5.1), and what arrives after the decision
/// to close is not handled.
@Suite(.timeLimit(.minutes(1)))
struct UpgradedSocketTests {
  /// The client's messages, all in one write, and the frames of a server that answers each message and closes for `!`.
  @Test(arguments: [
    ("a b", "re a, re b, ended"), ("!", "close 4400, ended"), ("a !", "re a, close 4400, ended"),
    ("! a", "close 4400, ended"), ("a ! b", "re a, close 4400, ended"), ("! !", "close 4400, ended"),
    ("a ! b ! c", "re a, close 4400, ended"),
  ])
  func `messages after a close are neither handled nor answered`(sent: String, received: String) async throws {
    let ends = try #require(FileDescriptor.socketPair())
    defer { close(ends.0) }
    let socket = try #require(UpgradedSocket(descriptor: ends.0, outgoingLimit: 1 << 20))
    let (hasEnded, end) = AsyncStream.makeStream(of: Never.self)
    let client = WebSocketFrames(role: .client)
    for text in sent.split(separator: " ") { client.send(text: Array(text.utf8)) }
    try #require(FileDescriptor.writeAll(client.dequeueOutgoing(), to: ends.1))
    if !sent.contains("!") { shutdown(ends.1, Int32(SHUT_WR)) }
    let hasStarted = SystemThread.start {
      socket.run(first: []) { event in
        switch event {
        case .text(let text):
          if text == Array("!".utf8) { socket.close(code: 4400, reason: "") }
          socket.send(Array("re ".utf8) + text)
        case .ended: end.finish()
        }
      }
    }
    try #require(hasStarted)
    var found: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = FileDescriptor.read(ends.1, into: &buffer), count > 0 {
      for event in client.receive(Array(buffer[..<count])) {
        switch event {
        case .text(let text): found.append(String(decoding: text, as: UTF8.self))
        case .closed(let code, _): found.append("close \(code)")
        default: found.append("\(event)")
        }
      }
      _ = FileDescriptor.writeAll(client.dequeueOutgoing(), to: ends.1)
    }
    close(ends.1)
    for await _ in hasEnded {}
    #expect((found + ["ended"]).joined(separator: ", ") == received)
  }
}
