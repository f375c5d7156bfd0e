/// A growable byte buffer for many small appends and truncations.
///
/// Exclusivity checks are off for its properties: no method calls back into the buffer while it accesses them.
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

  /// Appends the first `count` bytes of a word (at most 8), in memory order.
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

  /// Calls `body` with the bytes. `body` must not append to the buffer.
  @inlinable
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// A copy of the bytes.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
