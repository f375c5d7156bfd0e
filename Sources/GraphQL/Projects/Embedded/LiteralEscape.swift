/// An escape in a literal of another language, such as `\n` or `\u0041`.
struct LiteralEscape: Equatable {
  let range: Range<Int>
  /// The character in GraphQL. A character outside of ASCII, which can be only in strings and comments, is a blank.
  let byte: UInt8

  /// Reads the escape that begins with the backslash at an offset; `signs` more characters belong to the backslash, as in
  /// Swift's raw strings.
  init(in bytes: [UInt8], at start: Int, signs: Int = 0) {
    let letter = start + 1 + signs
    func digits(_ range: Range<Int>) -> UInt8? {
      guard range.upperBound <= bytes.count, !range.isEmpty,
        let value = UInt32(String(decoding: bytes[range], as: UTF8.self), radix: 16)
      else { return nil }
      return value < 0x80 && value >= 0x20 ? UInt8(value) : 0x20
    }
    func escape(_ count: Int, _ byte: UInt8) -> (Range<Int>, UInt8) {
      (start..<min(letter + count, bytes.count), byte)
    }
    let found: (range: Range<Int>, byte: UInt8)
    switch letter < bytes.count ? bytes[letter] : 0 {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): found = escape(1, 0x0A)
    case UInt8(ascii: "t"), UInt8(ascii: "0"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "v"):
      found = escape(1, 0x20)
    case UInt8(ascii: "x"): found = digits(letter + 1..<letter + 3).map { escape(3, $0) } ?? escape(0, 0x20)
    case UInt8(ascii: "u"):
      if letter + 1 < bytes.count, bytes[letter + 1] == UInt8(ascii: "{"),
        let end = bytes[letter...].prefix(12).firstIndex(of: UInt8(ascii: "}"))
      {
        found = digits(letter + 2..<end).map { escape(end + 1 - letter, $0) } ?? escape(0, 0x20)
      } else {
        found = digits(letter + 1..<letter + 5).map { escape(5, $0) } ?? escape(0, 0x20)
      }
    // The character itself follows.
    default: found = escape(0, 0x20)
    }
    range = found.range
    byte = found.byte
  }
}
