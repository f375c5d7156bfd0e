import ApusASCII

/// The escape sequences of `$'…'`, which browsers use for text with apostrophes, line ends or exclamation marks.
///
/// Source: Bash Reference Manual, section 3.1.2.4 "ANSI-C Quoting".
struct AnsiQuoting {
  private let bytes: [UInt8]
  private var offset: Int
  private var result: [UInt8] = []

  /// Reads from the byte after `$'` to the closing quote. Returns the text, and the offset after the quote.
  static func read(_ bytes: [UInt8], from offset: Int) -> (bytes: [UInt8], end: Int) {
    var reader = AnsiQuoting(bytes: bytes, offset: offset)
    reader.read()
    // Shell strings end at a zero byte.
    return (reader.result.firstIndex(of: 0).map { Array(reader.result[..<$0]) } ?? reader.result, reader.offset)
  }

  private init(bytes: [UInt8], offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  private mutating func read() {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: "'") { return }
      if byte == UInt8(ascii: "\\"), offset < bytes.count { readEscape() } else { result.append(byte) }
    }
  }

  private static let letters: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "e"): 27, UInt8(ascii: "E"): 27, UInt8(ascii: "f"): 12,
    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
    UInt8(ascii: "\\"): 92, UInt8(ascii: "'"): 39, UInt8(ascii: "\""): 34, UInt8(ascii: "?"): 63,
  ]

  private mutating func readEscape() {
    let letter = bytes[offset]
    offset += 1
    if let byte = Self.letters[letter] {
      result.append(byte)
      return
    }
    switch letter {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      offset -= 1
      result.append(UInt8(truncatingIfNeeded: number(digits: 3, radix: 8) ?? 0))
    case UInt8(ascii: "x"): readByte()
    case UInt8(ascii: "u"): readScalar(letter, digits: 4)
    case UInt8(ascii: "U"): readScalar(letter, digits: 8)
    case UInt8(ascii: "c") where offset < bytes.count: readControl()
    default: result += [UInt8(ascii: "\\"), letter]
    }
  }

  /// Reads `\xHH`, or `\x{H…}`, whose value is truncated to the last byte.
  private mutating func readByte() {
    let isBraced = offset < bytes.count && bytes[offset] == UInt8(ascii: "{")
    if isBraced { offset += 1 }
    let value = number(digits: isBraced ? Int.max : 2, radix: 16)
    guard isBraced || value != nil else {
      result += Array("\\x".utf8)
      return
    }
    if isBraced, offset < bytes.count, bytes[offset] == UInt8(ascii: "}") { offset += 1 }
    result.append(UInt8(truncatingIfNeeded: value ?? 0))
  }

  /// Reads a code point. Two surrogates are combined, because browsers write UTF-16 code units, although a shell would not
  /// combine them.
  private mutating func readScalar(_ letter: UInt8, digits: Int) {
    guard var value = number(digits: digits, radix: 16) else {
      result += [UInt8(ascii: "\\"), letter]
      return
    }
    if (0xD800..<0xDC00).contains(value), bytes[offset...].starts(with: Array("\\u".utf8)) {
      let start = offset
      offset += 2
      if let low = number(digits: 4, radix: 16), (0xDC00..<0xE000).contains(low) {
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      } else {
        offset = start
      }
    }
    let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
    result += Array(String(Character(scalar)).utf8)
  }

  private mutating func readControl() {
    let letter = bytes[offset]
    offset += 1
    if letter == UInt8(ascii: "\\"), offset < bytes.count, bytes[offset] == letter { offset += 1 }
    let upper = letter.isLetter ? letter & ~0x20 : letter
    result.append(letter == UInt8(ascii: "?") ? 0x7F : upper & 0x1F)
  }

  /// Reads a number with at most `digits` digits, truncated to 63 bits. Returns `nil` if there is no digit.
  private mutating func number(digits: Int, radix: Int) -> Int? {
    var value: Int?
    var count = 0
    while count < digits, offset < bytes.count,
      let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue, digit < radix
    {
      value = ((value ?? 0) &* radix &+ digit) & Int.max
      offset += 1
      count += 1
    }
    return value
  }
}
