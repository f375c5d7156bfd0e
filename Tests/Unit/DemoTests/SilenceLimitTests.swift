import ApusTestSupport
import Synchronization
import Testing

@testable import ApusDemo

/// Connections whose client stops sending are closed.
@Suite("Idle clients", .timeLimit(.minutes(1)))
struct SilenceLimitTests {
  /// More than the socket buffers hold, and less than the limit for a client.
  private static let pieceCount = 32
  private static let pieceSize = 1 << 20

  private static func withServer(_ body: (WireClient) async throws -> Void) async throws {
    let server = HTTPServer(silenceLimit: 1) { request in
      guard request.path == "/stream" else { return ServerResponse(200, "text/plain", .bytes(Array("whole\n".utf8))) }
      let pieces = Mutex(Self.pieceCount)
      return ServerResponse(
        200, "text/plain",
        .stream(
          AsyncStream {
            pieces.withLock { left in
              left -= 1
              return left < 0 ? nil : [UInt8](repeating: 0x61, count: Self.pieceSize)
            }
          }))
    }
    let port = try server.start(port: 0)
    defer { server.stop() }
    try await body(WireClient(port: port))
  }

  @Test(arguments: ["", "POST /graphql HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"])
  func `a client that stops before or within a request is disconnected`(_ request: String) async throws {
    try await Self.withServer { client in
      client.send(request)
      _ = try await client.readToEnd()
    }
  }

  @Test
  func `a client that reads a streamed body is not disconnected`() async throws {
    try await Self.withServer { client in
      client.get("/stream")
      _ = try await client.read(through: "\r\n\r\n")
      // Two other connections time out one after another, so that the limit has passed for this one too.
      for _ in 0..<2 {
        let other = try WireClient(port: client.port)
        other.send("GET")
        _ = try await other.readToEnd()
      }
      let isWhole = (try? await client.read(count: Self.pieceCount * Self.pieceSize)) != nil
      #expect(isWhole)
    }
  }
}
