/// Divides the bytes of one direction of a WebSocket into control frames and messages, with the bytes as they were sent (RFC 6455).
///
///     01 03 61 62 63  89 00  80 01 64     the control frame `89 00`, then the message "abcd" with its two frames
package struct WebSocketSplitter: Sendable {
  package enum Piece: Sendable, Equatable {
    case control([UInt8], isClose: Bool)
    /// The frames of a message, and its content.
    case message([UInt8], content: [UInt8])
  }

  private let limit: Int
  private var waiting: [UInt8] = []
  /// The frames of a message that is not complete.
  private var frames: [UInt8] = []
  private var content: [UInt8] = []
  /// Whether a message is larger than the limit, so that the rest cannot be read.
  package private(set) var isTooLong = false

  /// Creates a splitter. `limit` is the maximum number of bytes of a message.
  package init(limit: Int) { self.limit = limit }

  /// Processes the next bytes and returns the pieces that they complete.
  package mutating func receive(_ bytes: some Collection<UInt8>) -> [Piece] {
    guard !isTooLong else { return [] }
    waiting += bytes
    var pieces: [Piece] = []
    var start = 0
    while let header = FrameHeader(waiting, at: start) {
      isTooLong = header.payloadSize > UInt64(limit - content.count)
      guard !isTooLong else { break }
      let end = start + header.size + Int(header.payloadSize)
      guard end <= waiting.count else { break }
      let frame = waiting[start..<end]
      start = end
      if header.isControl {
        pieces.append(.control(Array(frame), isClose: header.isClose))
        continue
      }
      frames += frame
      content += header.unmasked(frame.dropFirst(header.size))
      guard header.isFinal else { continue }
      pieces.append(.message(frames, content: content))
      (frames, content) = ([], [])
    }
    waiting.removeFirst(start)
    return pieces
  }

  /// Returns a text message of a server in one frame.
  package static func frame(text: [UInt8]) -> [UInt8] {
    let count = text.count
    func bigEndian(_ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
    let length = count < 126 ? bigEndian(1) : count <= 0xFFFF ? [126] + bigEndian(2) : [127] + bigEndian(8)
    return [0x81] + length + text
  }
}
