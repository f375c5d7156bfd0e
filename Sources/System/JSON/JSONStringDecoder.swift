/// Decodes the escapes of a JSON string (RFC 8259, section 7): `\u00e9` is é, and `\ud83d\udc26` one character. A lone
/// surrogate becomes U+FFFD.
enum JSONStringDecoder {
  static func decode(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < raw.count else {
        bytes.append(byte)
        index += 1
        continue
      }
      let escape = raw[index + 1]
      index += 2
      switch escape {
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"):
        let scalar = unicodeScalar(raw, &index)
        bytes.append(contentsOf: String(Character(scalar)).utf8)
      default: bytes.append(escape)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes the four hexadecimal digits at `index`, and the second half of a surrogate pair.
  private static func unicodeScalar(_ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UnicodeScalar {
    let replacement: UnicodeScalar = "\u{FFFD}"
    let first = digits(raw, index)
    index += 4
    guard (0xD800..<0xE000).contains(first) else { return UnicodeScalar(first) ?? replacement }
    guard first < 0xDC00, index + 6 <= raw.count, raw[index] == UInt8(ascii: "\\"),
      raw[index + 1] == UInt8(ascii: "u")
    else { return replacement }
    let second = digits(raw, index + 2)
    guard (0xDC00..<0xE000).contains(second) else { return replacement }
    index += 6
    return UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
  }

  private static func digits(_ raw: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in start..<min(start + 4, raw.count) {
      let byte = raw[index]
      let digit = byte < 0x3A ? byte &- 0x30 : (byte | 0x20) &- 0x57
      value = value << 4 | UInt32(digit & 0xF)
    }
    return value
  }
}
