import ApusClientTraffic

/// The bytes of an edited response that wait for their time or to be released, in order.
struct Outbox {
  /// The size in bytes from which on the server is not read.
  private static let limit = 1 << 20

  private struct Bytes {
    let due: ContinuousClock.Instant
    let bytes: [UInt8]
    var isHeld: Bool
  }

  private var waiting: [Bytes] = []
  private var size = 0
  /// The number of payloads that wait to be released.
  private(set) var heldCount = 0

  var isEmpty: Bool { waiting.isEmpty }
  var isFull: Bool { size > Self.limit }
  /// Whether the next bytes wait to be released.
  var isNextHeld: Bool { waiting.first?.isHeld == true }

  /// The time until the next bytes are due, in milliseconds; `nil` if there are none, or they wait to be released.
  var untilNext: Int32? {
    guard !isNextHeld else { return nil }
    return waiting.first.map {
      Int32(clamping: Int((ContinuousClock.now.duration(to: $0.due) / .milliseconds(1)).rounded(.up)))
    }
    .map { max(0, $0) }
  }

  /// Adds bytes. None are sent before those that were added earlier.
  mutating func add(_ deliveries: [ResponseEditor.Delivery], at now: ContinuousClock.Instant) {
    for delivery in deliveries {
      let due = max(now + delivery.delay, waiting.last?.due ?? now)
      waiting.append(Bytes(due: due, bytes: delivery.bytes, isHeld: delivery.isHeld))
      size += delivery.bytes.count
      if delivery.isHeld { heldCount += 1 }
    }
  }

  /// Releases the next bytes, which are sent when they are due.
  mutating func release() {
    guard isNextHeld else { return }
    waiting[0].isHeld = false
    heldCount -= 1
  }

  /// Removes and returns the bytes whose time has come.
  mutating func takeReady(at now: ContinuousClock.Instant) -> [[UInt8]] {
    let ready = waiting.prefix { $0.due <= now && !$0.isHeld }.map(\.bytes)
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
