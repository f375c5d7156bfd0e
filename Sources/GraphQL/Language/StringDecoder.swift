/// Decodes string literals with their quotes: `"a\n"`, and `"""` blocks without their common indentation.
enum StringDecoder {
  static func value(_ literal: UnsafeBufferPointer<UInt8>, isBlock: Bool) -> String {
    isBlock ? blockValue(literal) : simpleValue(literal)
  }

  private static func simpleValue(_ literal: UnsafeBufferPointer<UInt8>) -> String {
    var end = literal.count
    if end >= 2, literal[end - 1] == UInt8(ascii: "\"") { end -= 1 }
    guard end >= 1 else { return "" }
    let content = UnsafeBufferPointer(rebasing: literal[1..<end])
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(content.count)
    var index = 0
    while index < content.count {
      let byte = content[index]
      if byte == UInt8(ascii: "\\"), index + 1 < content.count {
        index = appendEscape(content, at: index, to: &decoded)
      } else {
        decoded.append(byte)
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Decodes the escape sequence at `index` and returns the index after it. Invalid sequences are kept.
  private static func appendEscape(
    _ content: UnsafeBufferPointer<UInt8>, at index: Int, to decoded: inout [UInt8]
  ) -> Int {
    let letter = content[index + 1]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(letter)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      guard let (scalar, next) = unicodeEscape(content, at: index + 2) else {
        decoded.append(UInt8(ascii: "\\"))
        return index + 1
      }
      decoded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return next
    default:
      decoded.append(UInt8(ascii: "\\"))
      return index + 1
    }
    return index + 2
  }

  /// Decodes `XXXX`, `XXXX\uXXXX` or `{X…}` after `\u`.
  private static func unicodeEscape(
    _ content: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (scalar: UnicodeScalar, next: Int)? {
    if index < content.count, content[index] == UInt8(ascii: "{") {
      var value: UInt32 = 0
      var next = index + 1
      while next < content.count, let digit = Lexer.hexadecimal(content[next]), value < 0x0800_0000 {
        value = value << 4 | UInt32(digit)
        next += 1
      }
      guard next < content.count, content[next] == UInt8(ascii: "}"), let scalar = UnicodeScalar(value) else {
        return nil
      }
      return (scalar, next + 1)
    }
    guard let first = fourDigits(content, at: index) else { return nil }
    if let scalar = UnicodeScalar(first) { return (scalar, index + 4) }
    guard index + 5 < content.count, content[index + 4] == UInt8(ascii: "\\"), content[index + 5] == UInt8(ascii: "u"),
      let second = fourDigits(content, at: index + 6), first < 0xDC00, (0xDC00...0xDFFF).contains(second),
      let scalar = UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return nil }
    return (scalar, index + 10)
  }

  private static func fourDigits(_ content: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 4 <= content.count else { return nil }
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = Lexer.hexadecimal(content[index + offset]) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  // MARK: Block strings

  /// Implements BlockStringValue of the specification: removes common indentation and blank first and last lines.
  private static func blockValue(_ literal: UnsafeBufferPointer<UInt8>) -> String {
    var end = literal.count
    let quote = UInt8(ascii: "\"")
    if end >= 6, literal[end - 1] == quote, literal[end - 2] == quote, literal[end - 3] == quote { end -= 3 }
    guard end >= 3 else { return "" }
    let content = UnsafeBufferPointer(rebasing: literal[3..<end])
    let lines = splitLines(content)

    var common = Int.max
    for line in lines.dropFirst() {
      let indent = indentation(content, line)
      if indent < line.count { common = min(common, indent) }
    }
    if common == .max { common = 0 }
    guard let first = lines.firstIndex(where: { indentation(content, $0) < $0.count }),
      let last = lines.lastIndex(where: { indentation(content, $0) < $0.count })
    else { return "" }

    var decoded: [UInt8] = []
    decoded.reserveCapacity(content.count)
    for index in first...last {
      if index > first { decoded.append(0x0A) }
      var line = lines[index]
      if index > 0 { line = min(line.lowerBound + common, line.upperBound)..<line.upperBound }
      decoded.append(contentsOf: content[line])
    }
    return unescapeTripleQuotes(String(decoding: decoded, as: UTF8.self), decoded)
  }

  private static func splitLines(_ content: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    var index = 0
    while index < content.count {
      let byte = content[index]
      if byte == 0x0A || byte == 0x0D {
        lines.append(start..<index)
        if byte == 0x0D, index + 1 < content.count, content[index + 1] == 0x0A { index += 1 }
        start = index + 1
      }
      index += 1
    }
    lines.append(start..<content.count)
    return lines
  }

  private static func indentation(_ content: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Int {
    var index = line.lowerBound
    while index < line.upperBound, content[index] == 0x20 || content[index] == 0x09 { index += 1 }
    return index - line.lowerBound
  }

  private static func unescapeTripleQuotes(_ plain: String, _ bytes: [UInt8]) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return plain }
    let quote = UInt8(ascii: "\"")
    var unescaped: [UInt8] = []
    unescaped.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count, bytes[index + 1] == quote,
        bytes[index + 2] == quote, bytes[index + 3] == quote
      {
        index += 1
        unescaped.append(contentsOf: [quote, quote, quote])
        index += 3
      } else {
        unescaped.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: unescaped, as: UTF8.self)
  }
}

extension UTF8 {
  fileprivate static var encodedReplacementCharacter: UTF8.EncodedScalar {
    UTF8.encode("\u{FFFD}") ?? UTF8.EncodedScalar()
  }
}
