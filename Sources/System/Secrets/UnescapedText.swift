/// Text with its escapes decoded, and the source position of each byte.
///
/// A server may repeat a secret with the escapes of JSON (`\u0041`, `\/`), HTML (`&amp;`, `&#x2F;`) or a URL (`%2F`),
/// or with one inside another.
struct UnescapedText {
  private(set) var bytes: [UInt8]
  /// For each decoded byte, the start and end in the source of the escape or byte that it comes from.
  private var starts: [Int]
  private var ends: [Int]

  /// The number of nested levels of escapes that are decoded.
  private static let depth = 3

  private init(_ text: String) {
    bytes = Array(text.utf8)
    starts = Array(bytes.indices)
    ends = bytes.indices.map { $0 + 1 }
  }

  /// Returns the text with a mark in place of the ranges that `find` returns for the decoded text.
  static func hiding(in text: String, mark: String, _ find: ([UInt8]) -> [Range<Int>]) -> String {
    guard text.utf8.contains(where: isOpening) else { return text }
    var unescaped = UnescapedText(text)
    var found: [Range<Int>] = []
    for _ in 0..<depth {
      guard unescaped.unescape() else { break }
      found += find(unescaped.bytes).map { unescaped.starts[$0.lowerBound]..<unescaped.ends[$0.upperBound - 1] }
    }
    return found.isEmpty ? text : replacing(found, in: text, with: mark)
  }

  /// Returns the text with its escapes decoded once.
  static func of(_ text: String) -> String {
    var unescaped = UnescapedText(text)
    return unescaped.unescape() ? String(decoding: unescaped.bytes, as: UTF8.self) : text
  }

  /// Returns the text with byte ranges replaced. Overlapping ranges are merged.
  private static func replacing(_ ranges: [Range<Int>], in text: String, with mark: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > copied {
      if range.lowerBound >= copied {
        result += bytes[copied..<range.lowerBound]
        result += mark.utf8
      }
      copied = range.upperBound
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  private static func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "%")
  }

  /// Decodes one level of escapes; returns false if there are none.
  private mutating func unescape() -> Bool {
    var (plain, plainStarts, plainEnds): ([UInt8], [Int], [Int]) = ([], [], [])
    var index = 0
    var isChanged = false
    while index < bytes.count {
      var (meaning, length): ([UInt8], Int) = ([bytes[index]], 1)
      if Self.isOpening(bytes[index]), let escape = Self.escape(in: bytes[index...]) {
        (meaning, length) = escape
        isChanged = true
      }
      plain += meaning
      plainStarts += repeatElement(starts[index], count: meaning.count)
      plainEnds += repeatElement(ends[index + length - 1], count: meaning.count)
      index += length
    }
    (bytes, starts, ends) = (plain, plainStarts, plainEnds)
    return isChanged
  }

  // MARK: Escapes

  private static func escape(in bytes: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    switch bytes.first {
    case UInt8(ascii: "\\"): escapeOfJSON(bytes)
    case UInt8(ascii: "&"): reference(bytes)
    case UInt8(ascii: "%"): number(bytes.dropFirst(), digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
    default: nil
    }
  }

  private static let letters: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "'"): 0x27, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]

  /// Decodes an escape of JSON (RFC 8259, section 7), or `\xHH` of JavaScript.
  private static func escapeOfJSON(_ bytes: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let rest = bytes.dropFirst()
    guard let letter = rest.first else { return nil }
    if let meaning = letters[letter] { return ([meaning], 2) }
    if letter == UInt8(ascii: "x") { return number(rest.dropFirst(), digits: 2).flatMap { utf8($0, 4) } }
    guard letter == UInt8(ascii: "u"), let unit = number(rest.dropFirst(), digits: 4) else { return nil }
    let low = rest.dropFirst(5)
    if (0xD800..<0xDC00).contains(unit), low.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]),
      let second = number(low.dropFirst(2), digits: 4), (0xDC00..<0xE000).contains(second)
    {
      return utf8(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00), 12)
    }
    return utf8(unit, 6)
  }

  /// Character references for punctuation (HTML, section 13.5).
  private static let names: [String: UInt32] = [
    "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27, "sol": 0x2F, "bsol": 0x5C, "colon": 0x3A,
    "semi": 0x3B, "comma": 0x2C, "period": 0x2E, "equals": 0x3D, "plus": 0x2B, "num": 0x23, "percnt": 0x25,
    "dollar": 0x24, "excl": 0x21, "quest": 0x3F, "commat": 0x40, "lowbar": 0x5F, "lpar": 0x28, "rpar": 0x29,
    "ast": 0x2A, "grave": 0x60, "lcub": 0x7B, "rcub": 0x7D, "lbrace": 0x7B, "rbrace": 0x7D, "lsqb": 0x5B, "rsqb": 0x5D,
    "lbrack": 0x5B, "rbrack": 0x5D, "verbar": 0x7C, "vert": 0x7C, "hat": 0x5E,
  ]

  /// Decodes a character reference: `&amp;`, `&#47;`, `&#x2F;`.
  private static func reference(_ bytes: ArraySlice<UInt8>) -> (meaning: [UInt8], length: Int)? {
    let name = bytes.dropFirst().prefix(10).prefix { $0 != UInt8(ascii: ";") }
    guard bytes.dropFirst(name.count + 1).first == UInt8(ascii: ";") else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    let number: UInt32? =
      if text.hasPrefix("#x") || text.hasPrefix("#X") {
        UInt32(text.dropFirst(2), radix: 16)
      } else if text.hasPrefix("#") {
        UInt32(text.dropFirst())
      } else { names[text.lowercased()] }
    return number.flatMap { utf8($0, name.count + 2) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, digits: Int) -> UInt32? {
    let text = String(decoding: bytes.prefix(digits), as: UTF8.self)
    guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
      return nil
    }
    return UInt32(text, radix: 16)
  }

  private static func utf8(_ value: UInt32, _ length: Int) -> (meaning: [UInt8], length: Int)? {
    Unicode.Scalar(value).map { (Array(String($0).utf8), length) }
  }
}
