import ApusClientTraffic

/// The bytes of an edited response that wait for their time or to be released.
///
/// The bytes of one operation are sent in order. Over HTTP there is one operation; those of a WebSocket do not wait for each other.
struct Outbox {
  private struct Bytes {
    let due: ContinuousClock.Instant
    let bytes: [UInt8]
    var isHeld: Bool
  }

  /// The bytes of an operation, in order.
  private struct Lane {
    var waiting: [Bytes] = []
    /// The number of payloads that wait to be released.
    var heldCount = 0

    var isNextHeld: Bool { waiting.first?.isHeld == true }
  }

  /// The size in bytes from which on the server is not read.
  private static let limit = 1 << 20

  /// The lanes that are not empty, by the ids of operations on a WebSocket.
  private var lanes: [String?: Lane] = [:]
  /// The bytes that are sent after all others.
  private var last: [UInt8] = []
  private var size = 0

  var isEmpty: Bool { lanes.isEmpty && last.isEmpty }
  var isFull: Bool { size > Self.limit }
  /// The operations with a payload that waits to be released.
  var heldOperations: [String?] { lanes.filter { $0.value.heldCount > 0 }.map(\.key) }
  /// The numbers of payloads that wait to be released, by operation.
  var heldCounts: [String?: Int] { lanes.mapValues(\.heldCount).filter { $0.value > 0 } }

  func isEmpty(of operation: String?) -> Bool { lanes[operation] == nil }

  /// Whether a payload of an operation waits to be released.
  func isHeld(_ operation: String?) -> Bool { lanes[operation].map { $0.heldCount > 0 } == true }

  /// The time until the next bytes are due, in milliseconds; `nil` if there are none, or they wait to be released.
  var untilNext: Int32? {
    let due = lanes.values.compactMap { $0.isNextHeld ? nil : $0.waiting.first?.due }.min()
    return due.map {
      max(0, Int32(clamping: Int((ContinuousClock.now.duration(to: $0) / .milliseconds(1)).rounded(.up))))
    }
  }

  /// Adds bytes. None are sent before those of the same operation that were added earlier.
  mutating func add(
    _ deliveries: [ResponseEditor.Delivery], of operation: String? = nil, at now: ContinuousClock.Instant
  ) {
    for delivery in deliveries {
      let due = max(now + delivery.delay, lanes[operation]?.waiting.last?.due ?? now)
      lanes[operation, default: Lane()].waiting.append(
        Bytes(due: due, bytes: delivery.bytes, isHeld: delivery.isHeld))
      size += delivery.bytes.count
      if delivery.isHeld { lanes[operation, default: Lane()].heldCount += 1 }
    }
  }

  /// Adds the bytes that are sent after all others.
  mutating func add(last bytes: [UInt8]) {
    last += bytes
    size += bytes.count
  }

  /// Releases the next payload of an operation that waits. It is sent when it is due, after those before it.
  mutating func release(_ operation: String?) {
    guard let index = lanes[operation]?.waiting.firstIndex(where: \.isHeld) else { return }
    lanes[operation]?.waiting[index].isHeld = false
    lanes[operation]?.heldCount -= 1
  }

  /// Discards the bytes of an operation.
  mutating func discard(_ operation: String) {
    size -= lanes.removeValue(forKey: operation)?.waiting.reduce(0) { $0 + $1.bytes.count } ?? 0
  }

  /// Removes and returns the bytes whose time has come.
  mutating func takeReady(at now: ContinuousClock.Instant) -> [[UInt8]] {
    var ready: [[UInt8]] = []
    for operation in lanes.keys.sorted(by: { $0 ?? "" < $1 ?? "" }) {
      guard var lane = lanes.removeValue(forKey: operation) else { continue }
      let due = lane.waiting.prefix { $0.due <= now && !$0.isHeld }.map(\.bytes)
      lane.waiting.removeFirst(due.count)
      if !lane.waiting.isEmpty { lanes[operation] = lane }
      ready += due
    }
    if lanes.isEmpty, !last.isEmpty {
      ready.append(last)
      last = []
    }
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
