import ApusPlatform

/// Whether two buffers have equal contents.
package func bytesAreEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  guard let first = left.baseAddress, let second = right.baseAddress else { return true }
  return memcmp(first, second, left.count) == 0
}
