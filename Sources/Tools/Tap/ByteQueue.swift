/// Bytes that arrived and wait to be processed or written, in order.
struct ByteQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { start == bytes.count }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }
  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  mutating func removeFirst(_ count: Int) {
    start += count
    guard start < bytes.count else {
      bytes.removeAll(keepingCapacity: true)
      start = 0
      return
    }
    // Moved rarely, so that the cost of a byte stays constant.
    if start > 64 << 10, start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
  }

  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  /// Returns the number of bytes up to the empty line that ends a head, with it; `nil` if it has not arrived.
  ///
  /// - Parameter searched: The number of bytes that were searched before, which is updated.
  func endOfHead(searched: inout Int) -> Int? {
    withUnsafeBytes { bytes in
      var index = max(0, searched - 3)
      while index < bytes.count {
        if bytes[index] == 0x0A {
          let next = index + 1 < bytes.count && bytes[index + 1] == 0x0D ? index + 2 : index + 1
          if next < bytes.count, bytes[next] == 0x0A { return next + 1 }
        }
        index += 1
      }
      searched = bytes.count
      return nil
    }
  }

  /// Removes and returns the first bytes.
  mutating func dequeue(_ count: Int) -> [UInt8] {
    defer { removeFirst(count) }
    return Array(bytes[start..<start + count])
  }
}
