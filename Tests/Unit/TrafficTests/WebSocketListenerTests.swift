import ApusWebSocket
import Testing

struct WebSocketListenerTests {
  private static func events(_ bytes: [UInt8], limit: Int = 1000, piece: Int = 1) -> [WebSocketListener.Event] {
    var listener = WebSocketListener(limit: limit)
    return stride(from: 0, to: bytes.count, by: piece).flatMap {
      listener.receive(Array(bytes[$0..<min($0 + piece, bytes.count)]))
    }
  }

  private static func frame(_ first: UInt8, _ payload: [UInt8], mask: [UInt8] = []) -> [UInt8] {
    let length: [UInt8] =
      payload.count < 126 ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    let masked = mask.isEmpty ? payload : payload.enumerated().map { $1 ^ mask[$0 % 4] }
    return [first, length[0] | (mask.isEmpty ? 0 : 0x80)] + length.dropFirst() + mask + masked
  }

  @Test(arguments: [1, 2, 7, 100_000])
  func `messages are read however their bytes arrive`(_ piece: Int) {
    let long = [UInt8](repeating: 7, count: 300)
    let bytes =
      Self.frame(0x81, [1, 2]) + Self.frame(0x81, [3], mask: [9, 8, 7, 6]) + Self.frame(0x82, long, mask: [1, 2, 3, 4])
    #expect(
      Self.events(bytes, piece: piece) == [
        .message([1, 2], isCompressed: false), .message([3], isCompressed: false), .message(long, isCompressed: false),
      ])
  }

  @Test func `a message may have several frames, with control frames between them`() {
    let bytes = Self.frame(0x41, [1]) + Self.frame(0x89, [0]) + Self.frame(0x00, [2]) + Self.frame(0x80, [3])
    #expect(Self.events(bytes) == [.message([1, 2, 3], isCompressed: true)])
  }

  @Test func `a message beyond the limit is passed over`() {
    let bytes = Self.frame(0x81, [UInt8](repeating: 1, count: 200)) + Self.frame(0x81, [5])
    #expect(Self.events(bytes, limit: 100) == [.longMessage, .message([5], isCompressed: false)])
    let pieces = Self.frame(0x01, [UInt8](repeating: 1, count: 60)) + Self.frame(0x80, [UInt8](repeating: 1, count: 60))
    #expect(
      Self.events(pieces + Self.frame(0x81, [5]), limit: 100) == [.longMessage, .message([5], isCompressed: false)])
  }

  @Test func `a close frame has a code and a reason, or neither`() {
    #expect(Self.events(Self.frame(0x88, [0x11, 0x3B] + Array("no".utf8))) == [.close(code: 4411, reason: "no")])
    #expect(Self.events(Self.frame(0x88, [])) == [.close(code: nil, reason: "")])
  }
}
