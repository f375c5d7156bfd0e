/// Tells whether bytes are one JSON object from its first brace to its last, reading each byte once however often it
/// is asked while the bytes grow.
struct JSONBoundsScanner: Sendable {
  private var offset = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var hasEnded = false

  /// Where the first object ends; nil when it does not.
  mutating func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    _ = isWhole(bytes)
    return hasEnded ? offset : nil
  }

  /// `bytes` is the text so far: at each call at least what it was at the last one, without white space behind it.
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
