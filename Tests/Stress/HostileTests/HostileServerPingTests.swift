import ApusTestSupport
import ApusWebSocket
import Foundation
import Testing

/// A WebSocket server that sends pings without reading must not make responses pile up.
@Suite(.timeLimit(.minutes(5))) struct HostileServerPingTests {
  /// Returns the peak memory of the process in bytes.
  private func peakMemory(of process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) << 10
  }

  private static func frame(_ opcode: UInt8, _ text: String) -> [UInt8] {
    [0x80 | opcode, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  /// WebSocket pings, or pings of the subprotocol.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")),
    arguments: [
      frame(0x9, String(repeating: "p", count: 125)),
      frame(0x1, #"{"type":"ping","payload":"\#(String(repeating: "p", count: 80))"}"#),
    ])
  func `pongs do not pile up`(_ ping: [UInt8]) async throws {
    let done = Gate()
    // 128 MB of pings.
    let flood = Array(repeatElement(ping, count: 8192).joined())
    let server = try ScriptedServer { request, _ in
      let accept = WebSocketHandshake.answer(to: request.header("Sec-WebSocket-Key") ?? "")
      let head =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(accept)\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
      return .raw(
        [.text(head), .bytes(Self.frame(0x1, #"{"type":"connection_ack"}"#))]
          + Array(repeating: .bytes(flood), count: (128 << 20) / flood.count)
          + [
            .bytes(Self.frame(0x1, #"{"type":"next","id":"1","payload":{"data":{"s":1}}}"#)), .hold(done),
            .bytes(Self.frame(0x1, #"{"type":"complete","id":"1"}"#)),
          ])
    }
    let program = try ChildProcess(
      Checkout.apus,
      ["query", server.url, "-q", "subscription { s }", "--subscription-transport", "ws", "--output", "json"])
    #expect(await program.nextLine() == #"{"data":{"s":1}}"#)
    #expect(try peakMemory(of: program.processIdentifier) < 120 << 20)
    done.open()
    #expect(await program.outcome().exitCode == 0)
  }
}
