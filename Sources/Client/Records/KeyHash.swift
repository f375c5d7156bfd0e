/// The hash function for cache keys and field keys. It is seeded per process, so that a server cannot choose keys that
/// collide.
///
/// The hash of an embedded record's key combines its parent's hash with its own component, so it does not need the full key.
package enum KeyHash {
  private static let seed = UInt64.random(in: .min ... .max)
  @usableFromInline static var odd: UInt64 { @inlinable get { 0x9E37_79B9_7F4A_7C15 } }
  @usableFromInline static var other: UInt64 { @inlinable get { 0xD6E8_FEB8_6659_FD93 } }

  @inlinable
  package static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = fold(seed ^ UInt64(truncatingIfNeeded: bytes.count), odd)
    var position = 0
    while position + 8 < bytes.count {
      hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self), odd)
      position += 8
    }
    return fold(fold(hash ^ end(of: bytes), other) ^ seed, other)
  }

  /// Returns the last eight bytes, which may overlap bytes that were already hashed, or all bytes if there are fewer.
  @inline(__always)
  private static func end(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard bytes.count < 8 else { return bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self) }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  package static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
  }

  package static func ofIndex(_ index: UInt32) -> UInt64 {
    fold(seed ^ UInt64(index) &+ 1, odd)
  }

  /// Returns the hash of a record's field, by which changes are matched with reads: the upper half depends only on the
  /// record, the lower half on both, so that an index can group the fields of a record.
  @inlinable
  package static func dependency(_ record: UInt64, _ field: UInt64) -> UInt64 {
    record & ~UInt64(UInt32.max) | combine(record, field) & UInt64(UInt32.max)
  }

  @inlinable
  package static func combine(_ parent: UInt64, _ component: UInt64) -> UInt64 {
    fold(parent ^ other, component ^ odd)
  }
}
