import ApusPlatform
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusDemo

/// Clients that request a stream without reading it. The buffered data is limited.
@Suite("Clients that do not read", .timeLimit(.minutes(1)))
struct OutgoingLimitTests {
  /// A body of a number of pieces, which reports when it is released.
  private final class Pieces: Sendable {
    private let left: Mutex<Int>
    private let released: AsyncStream<Never>.Continuation

    init(_ count: Int, _ released: AsyncStream<Never>.Continuation) {
      left = Mutex(count)
      self.released = released
    }

    deinit { released.finish() }

    func next() -> [UInt8]? {
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      return isOver ? nil : OutgoingLimitTests.piece
    }
  }

  /// More than the socket buffers hold.
  private static let size = 64 << 20
  private static let piece = [UInt8](repeating: 0x61, count: 64 << 10)

  @Test
  func `a client that does not read a streamed body is disconnected`() async throws {
    let (isReleased, release) = AsyncStream.makeStream(of: Never.self)
    let server = HTTPServer(outgoingLimit: 1 << 20) { _ in
      let pieces = Pieces(Self.size / Self.piece.count, release)
      return ServerResponse(200, "text/plain", .stream(AsyncStream { pieces.next() }))
    }
    let port = try server.start(port: 0)
    defer { server.stop() }
    let client = try WireClient(port: port)
    client.get("/")
    for await _ in isReleased {}
    await #expect(throws: WireClient.Failure.self) { _ = try await client.read(through: "\r\n0\r\n\r\n") }
  }

  @Test
  func `a client that does not read WebSocket events is disconnected`() async throws {
    let ends = try #require(FileDescriptor.socketPair())
    defer { for end in [ends.0, ends.1] { close(end) } }
    let socket = try #require(UpgradedSocket(descriptor: ends.0, outgoingLimit: 1 << 20))
    let (hasEnded, end) = AsyncStream.makeStream(of: Never.self)
    let hasStarted = SystemThread.start {
      socket.run(first: []) { event in
        if case .ended = event { end.finish() }
      }
    }
    try #require(hasStarted)
    for _ in 0..<Self.size / Self.piece.count { socket.send(Self.piece) }
    for await _ in hasEnded {}
  }
}
