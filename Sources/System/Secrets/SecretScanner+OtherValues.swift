import ApusASCII

/// Secret values that are not written as GraphQL and JSON have them, because the user has not corrected them yet:
/// `'x y'`, `“x”`, `p@ss`.
///
/// | at a secret place | is |
/// |---|---|
/// | `"x"`, `"""x"""`, a number, `$name`, `[`, `{`, a comment | a token of its own |
/// | `'x y'`, `` `x y` ``, `“x y”`, `‘x y’`, `«x y»` | a value to the closing quote, or to the end of its line |
/// | `null`, `true`, `false`; `UPPER_CASE` in a document, an enum value | no secret |
/// | a name before a colon in a secret object | a member |
/// | a name outside parentheses: `login` in `token: login { id }`; in a comment with `(` or `{` after it | a field |
/// | any other text: `hunter2`, `p@ss`, `été` | a value to white space, a comma or a closing bracket |
extension SecretScanner {
  /// The text around a value.
  enum OtherValueContext {
    case json, arguments, selections, comment
  }

  /// Returns the end of such a value; nil if another token is there.
  static func endOfOtherValue(in bytes: [UInt8], from start: Int, _ context: OtherValueContext, isMember: Bool) -> Int?
  {
    let byte = bytes[start]
    if "\"#$[]{}():,".utf8.contains(byte) || byte <= 0x20 { return nil }
    if let end = endOfOtherQuotes(in: bytes, from: start) { return end }
    let end = bytes[start...].firstIndex { $0 <= 0x20 || ",)]}".utf8.contains($0) } ?? bytes.count
    let word = endOfWord(in: bytes, from: start)
    guard byte.isNameStart else { return word == end ? nil : end }
    let next = bytes[word...].first { $0 > 0x20 }
    if isMember, next == UInt8(ascii: ":") { return nil }
    switch context {
    case .json, .arguments: break
    case .comment: if next == UInt8(ascii: "(") || next == UInt8(ascii: "{") { return nil }
    case .selections:
      if word == end || bytes[word] == UInt8(ascii: "(") || bytes[word] == UInt8(ascii: "{") { return nil }
    }
    return word == end && isConstant(bytes[start..<end], isJSON: context == .json) ? nil : end
  }

  private static func isConstant(_ word: ArraySlice<UInt8>, isJSON: Bool) -> Bool {
    if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
    return !isJSON && word.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "_") || (0x41...0x5A).contains($0) }
  }

  private static let quotes = [("'", "'"), ("`", "`"), ("“", "”"), ("„", "“"), ("‘", "’"), ("‚", "‘"), ("«", "»")]
    .map { (open: Array($0.0.utf8), close: Array($0.1.utf8)) }

  private static func endOfOtherQuotes(in bytes: [UInt8], from start: Int) -> Int? {
    guard let quotes = quotes.first(where: { bytes[start...].starts(with: $0.open) }) else { return nil }
    var index = start + quotes.open.count
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
      if bytes[index...].starts(with: quotes.close) { return index + quotes.close.count }
      index += 1
    }
    return index
  }
}
