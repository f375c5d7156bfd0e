/// Base64 (RFC 4648, section 4).
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns padded text: "`Zm9vYg==`" for the bytes of "`foob`".
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(digits[bits >> count & 0x3F])
      }
      bits &= (1 << count) - 1
    }
    if count > 0 { text.append(digits[bits << (6 - count) & 0x3F]) }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns text for URLs, without padding (section 5): "`Zm9vYg`" for the bytes of "`foob`".
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    String(
      decoding: encode(bytes).utf8.compactMap { digit in
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: digit
        }
      }, as: UTF8.self)
  }

  /// Returns the bytes of text for URLs without padding, or `nil` if it is not Base64.
  package static func decode(forURL text: String) -> [UInt8]? {
    let standard = text.utf8.map { digit in
      switch digit {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: digit
      }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
    return decode(String(decoding: standard + padding, as: UTF8.self))
  }

  /// Returns the bytes of padded text, or `nil` if it is not Base64.
  package static func decode(_ text: String) -> [UInt8]? {
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard text.utf8.count % 4 == 0, padding < 3 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits = 0
    var count = 0
    for byte in text.utf8.dropLast(padding) {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count))
        bits &= (1 << count) - 1
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
