/// Finds the end of a JSON object in bytes that arrive in pieces, such as `{"a":"}"}` in three reads. Each byte is read
/// once.
struct JSONBoundsScanner: Sendable {
  private var offset = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var hasEnded = false

  /// Returns the end of the first object; nil if it is incomplete.
  mutating func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    _ = isWhole(bytes)
    return hasEnded ? offset : nil
  }

  /// Whether the text so far is one complete object. `bytes` must extend those of the previous call, without trailing
  /// white space.
  mutating func isWhole(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    while offset < bytes.count, !hasEnded {
      let byte = bytes[offset]
      offset += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { hasEnded = true }
      default: break
      }
    }
    return hasEnded && offset == bytes.count
  }
}
