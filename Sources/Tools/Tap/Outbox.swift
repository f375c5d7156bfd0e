import ApusClientTraffic

/// The bytes of an edited response that wait for their time, in order.
struct Outbox {
  /// The size in bytes from which on the server is not read.
  private static let limit = 1 << 20

  private var waiting: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
  private var size = 0

  var isEmpty: Bool { waiting.isEmpty }
  var isFull: Bool { size > Self.limit }

  /// The time until the next bytes are due, in milliseconds; `nil` if there are none.
  var untilNext: Int32? {
    waiting.first.map {
      Int32(clamping: Int((ContinuousClock.now.duration(to: $0.due) / .milliseconds(1)).rounded(.up)))
    }
    .map { max(0, $0) }
  }

  /// Adds bytes. None are sent before those that were added earlier.
  mutating func add(_ deliveries: [ResponseEditor.Delivery], at now: ContinuousClock.Instant) {
    for delivery in deliveries {
      waiting.append((max(now + delivery.delay, waiting.last?.due ?? now), delivery.bytes))
      size += delivery.bytes.count
    }
  }

  /// Removes and returns the bytes whose time has come.
  mutating func takeReady(at now: ContinuousClock.Instant) -> [[UInt8]] {
    let ready = waiting.prefix { $0.due <= now }.map(\.bytes)
    waiting.removeFirst(ready.count)
    size -= ready.reduce(0) { $0 + $1.count }
    return ready.filter { !$0.isEmpty }
  }
}

/// The framing of chunks (RFC 9112, section 7.1).
enum Chunk {
  static let last = Array("0\r\n\r\n".utf8)

  static func framed(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
  }
}
