/// Bytes that are appended to and cut back, many times and in small pieces.
///
/// No call here overlaps another, so that no access has to be checked while it runs.
@usableFromInline
package final class ByteBuffer {
  @usableFromInline @exclusivity(unchecked) var base: UnsafeMutablePointer<UInt8>
  @usableFromInline @exclusivity(unchecked) var capacity: Int
  @usableFromInline @exclusivity(unchecked) package var count = 0

  package init(capacity: Int) {
    self.capacity = max(capacity, 256)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  @inlinable
  package func append(_ byte: UInt8) {
    if count == capacity { grow(1) }
    base[count] = byte
    count += 1
  }

  @inlinable
  package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if count + bytes.count > capacity { grow(bytes.count) }
    (base + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  /// The first bytes of a word, as they lie in memory.
  @inlinable
  package func append(upTo8 word: UInt64, count added: Int) {
    if count + 8 > capacity { grow(8) }
    UnsafeMutableRawPointer(base + count).storeBytes(of: word, as: UInt64.self)
    count += min(added, 8)
  }

  @inlinable
  package func cut(to count: Int) { self.count = count }

  @usableFromInline @inline(never)
  func grow(_ needed: Int) {
    let larger = max(capacity * 2, count + needed)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memory.update(from: base, count: count)
    base.deallocate()
    base = memory
    capacity = larger
  }

  /// Calls `body` with the bytes, which must not be appended to meanwhile.
  @inlinable
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// The bytes, as an array of their own.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
