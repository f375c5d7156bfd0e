/// Text with its escapes decoded, and the source position of each byte.
///
/// A server may repeat a secret with the escapes of JSON (`\u0041`, `\/`), HTML (`&amp;`, `&#x2F`) or a URL (`%2F`),
/// or with one inside another. Escapes are decoded until none is left, at most eight times.
struct UnescapedText {
  private(set) var bytes: [UInt8]
  /// For each decoded byte, the start and end in the source of the escape or byte that it comes from.
  private var starts: [Int]
  private var ends: [Int]

  /// The number of nested levels of escapes that are decoded.
  private static let depth = 8

  private init(_ text: String) {
    bytes = Array(text.utf8)
    starts = Array(bytes.indices)
    ends = bytes.indices.map { $0 + 1 }
  }

  /// Returns the text with a mark in place of the ranges that `find` returns for the decoded text.
  ///
  /// - Parameter searchesText: Whether `find` is also called for the text itself.
  static func hiding(
    in text: String, mark: String, searchesText: Bool = false, _ find: ([UInt8]) -> [Range<Int>]
  ) -> String {
    guard searchesText || text.utf8.contains(where: isOpening) else { return text }
    var unescaped = UnescapedText(text)
    var found = searchesText ? find(unescaped.bytes) : []
    for _ in 0..<depth {
      guard unescaped.unescape() else { break }
      found += find(unescaped.bytes).map { unescaped.starts[$0.lowerBound]..<unescaped.ends[$0.upperBound - 1] }
    }
    return found.isEmpty ? text : replacing(found, in: text, with: mark)
  }

  /// Returns the text with its escapes decoded once.
  static func of(_ text: String) -> String {
    guard text.utf8.contains(where: isOpening) else { return text }
    var unescaped = UnescapedText(text)
    return unescaped.unescape() ? String(decoding: unescaped.bytes, as: UTF8.self) : text
  }

  /// Returns the text, and the text after each level of its escapes is decoded.
  ///
  /// A secret that contains the letters of an escape, such as `a%41b`, is found in decoded text only in these forms.
  static func forms(of text: String) -> [String] {
    var forms = [text]
    for _ in 0..<depth {
      let next = of(forms[forms.count - 1])
      if next.utf8.elementsEqual(forms[forms.count - 1].utf8) { break }
      forms.append(next)
    }
    return forms
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

  static func isOpening(_ byte: UInt8) -> Bool {
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
    case UInt8(ascii: "&"): CharacterReference.decoded(bytes)
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
