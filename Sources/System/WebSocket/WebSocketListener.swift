/// Reads the messages of one direction of a WebSocket that two other programs speak (RFC 6455).
package struct WebSocketListener {
  package enum Event: Sendable, Equatable {
    /// A message of text or bytes, as it was sent.
    case message([UInt8], isCompressed: Bool)
    /// A message that is longer than the limit.
    case longMessage
    case close(code: Int?, reason: String)
  }

  private let limit: Int
  private var waiting: [UInt8] = []
  /// The number of bytes that follow of a frame that is too long.
  private var skipped: UInt64 = 0
  private var message: [UInt8] = []
  private var (isCompressed, isTooLong) = (false, false)

  /// The number of bytes that are kept.
  package var keptByteCount: Int { waiting.count + message.count }

  /// Creates a listener. `limit` is the maximum number of bytes of a message.
  package init(limit: Int) { self.limit = limit }

  /// Processes the next bytes and returns the events that they complete.
  package mutating func receive(_ bytes: [UInt8]) -> [Event] {
    waiting += bytes
    var events: [Event] = []
    var start = 0
    while true {
      let passed = Int(min(skipped, UInt64(waiting.count - start)))
      start += passed
      skipped -= UInt64(passed)
      guard skipped == 0, let header = FrameHeader(waiting, at: start) else { break }
      let isControl = header.isControl
      if !isControl, header.payloadSize > UInt64(limit - message.count) || isTooLong {
        isTooLong = true
        message = []
        start += header.size
        skipped = header.payloadSize
        if header.isFinal { events.append(endMessage()) }
        continue
      }
      // A control frame has at most 125 bytes.
      guard header.payloadSize <= UInt64(limit), waiting.count - start - header.size >= Int(header.payloadSize) else {
        break
      }
      let payload = header.unmasked(
        waiting[(start + header.size)..<(start + header.size + Int(header.payloadSize))])
      start += header.size + payload.count
      if isControl {
        if header.isClose { events.append(Self.close(payload)) }
      } else {
        if message.isEmpty { isCompressed = isCompressed || header.isCompressed }
        message += payload
        if header.isFinal { events.append(endMessage()) }
      }
    }
    waiting.removeFirst(start)
    return events
  }

  private mutating func endMessage() -> Event {
    defer { (message, isCompressed, isTooLong) = ([], false, false) }
    return isTooLong ? .longMessage : .message(message, isCompressed: isCompressed)
  }

  private static func close(_ payload: [UInt8]) -> Event {
    guard payload.count >= 2 else { return .close(code: nil, reason: "") }
    return .close(
      code: Int(payload[0]) << 8 | Int(payload[1]), reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
  }
}
