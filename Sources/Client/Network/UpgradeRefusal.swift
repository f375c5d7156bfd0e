/// The response of a server that rejects a WebSocket upgrade: its head and the beginning of its body.
struct UpgradeRefusal {
  /// The body is only used for a line of an error message.
  private static let limit = 64 << 10

  private let head: HTTPHead
  private let length: Int?
  private let isChunked: Bool
  private var received: [UInt8] = []

  init(head: HTTPHead) {
    self.head = head
    length = head.headers["Content-Length"].flatMap { Int($0) }
    isChunked = head.headers["Transfer-Encoding"]?.lowercased() == "chunked"
  }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    received += bytes.prefix(Self.limit - received.count)
  }

  /// Whether enough of the body has arrived. A body without a length ends with its connection.
  var isWhole: Bool {
    if received.count >= Self.limit { return true }
    if isChunked { return chunks.isWhole }
    return length.map { received.count >= $0 } ?? [204, 304].contains(head.status)
  }

  var end: WebSocketConnection.End {
    .refused(head, body: isChunked ? chunks.body : length.map { Array(received.prefix(max(0, $0))) } ?? received)
  }

  /// The decoded chunks so far, and whether the last one has arrived.
  private var chunks: (body: [UInt8], isWhole: Bool) {
    var body: [UInt8] = []
    var rest = received[...]
    while let lineEnd = rest.firstIndex(of: 0x0A) {
      let digits = String(decoding: rest[..<lineEnd].prefix { $0 != 0x0D && $0 != UInt8(ascii: ";") }, as: UTF8.self)
      guard let size = Int(digits, radix: 16), size > 0 else { return (body, true) }
      guard size <= Self.limit else { return (body + rest[(lineEnd + 1)...], false) }
      rest = rest[(lineEnd + 1)...]
      body += rest.prefix(size)
      // The line break after a chunk is part of it.
      guard rest.count >= size + 2 else { return (body, false) }
      rest = rest.dropFirst(size + 2)
    }
    return (body, false)
  }
}
