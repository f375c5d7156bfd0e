import ApusASCII

/// Reads tokens from UTF-8 bytes. An invalid token sets `failure` and yields the most similar valid kind, so that
/// lexing can continue.
///
/// The pointer is valid because lexers exist only inside `withUnsafeBufferPointer`.
struct Lexer {
  let base: UnsafePointer<UInt8>
  let count: Int
  let keepsComments: Bool
  var position: Int
  /// The start of the current token.
  var start = 0
  /// The error of the last invalid token.
  var failure: LexicalError?

  init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0, keepsComments: Bool = false) {
    // An empty buffer may have no address. The pointer is then never read.
    self.base = bytes.baseAddress ?? Self.nothing
    self.count = bytes.count
    self.position = position
    self.keepsComments = keepsComments
  }

  private static var nothing: UnsafePointer<UInt8> { StaticString("").utf8Start }

  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    index < count ? base[index] : 0
  }

  /// Reads the next token, from `start` to `position`.
  @inline(__always)
  mutating func next() -> TokenKind {
    while position < count {
      let byte = base[position]
      // Names and white space are most of a document.
      if byte.isNameStart {
        start = position
        var index = position + 1
        while index < count, base[index].isNameByte { index += 1 }
        position = index
        return .name
      }
      if byte == 0x20 || byte == 0x0A || byte == 0x2C || byte == 0x09 || byte == 0x0D {
        position += 1
        continue
      }
      if let kind = other(byte) { return kind }
    }
    start = count
    return .endOfFile
  }

  /// Reads a token other than a name; nil for a comment or byte order mark that is skipped.
  private mutating func other(_ byte: UInt8) -> TokenKind? {
    start = position
    switch byte {
    case UInt8(ascii: "!"): return punctuator(.bang)
    case UInt8(ascii: "$"): return punctuator(.dollar)
    case UInt8(ascii: "&"): return punctuator(.ampersand)
    case UInt8(ascii: "("): return punctuator(.parenthesisLeft)
    case UInt8(ascii: ")"): return punctuator(.parenthesisRight)
    case UInt8(ascii: ":"): return punctuator(.colon)
    case UInt8(ascii: "="): return punctuator(.equals)
    case UInt8(ascii: "@"): return punctuator(.at)
    case UInt8(ascii: "["): return punctuator(.bracketLeft)
    case UInt8(ascii: "]"): return punctuator(.bracketRight)
    case UInt8(ascii: "{"): return punctuator(.braceLeft)
    case UInt8(ascii: "|"): return punctuator(.pipe)
    case UInt8(ascii: "}"): return punctuator(.braceRight)
    case UInt8(ascii: "."):
      if self.byte(at: position + 1) == byte, self.byte(at: position + 2) == byte {
        position += 3
        return .spread
      }
      return dots()
    case UInt8(ascii: "#"):
      while position < count, base[position] != 0x0A, base[position] != 0x0D { position += 1 }
      return keepsComments ? .comment : nil
    case UInt8(ascii: "\""):
      if self.byte(at: position + 1) == byte, self.byte(at: position + 2) == byte { return blockString() }
      return string()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      return number()
    case 0xEF where self.byte(at: position + 1) == 0xBB && self.byte(at: position + 2) == 0xBF:
      position += 3
      return nil
    default: break
    }
    return invalid(byte)
  }

  /// Reads one or two dots, which are not a token, and suggests the intended one.
  private mutating func dots() -> TokenKind {
    position += 1
    if byte(at: position) == UInt8(ascii: ".") {
      position += 1
      fail("Unexpected \"..\", did you mean \"...\"?", at: start..<position)
    } else if digits() {
      let text = String(decoding: UnsafeBufferPointer(start: base + start, count: position - start), as: UTF8.self)
      fail(
        "Invalid number, expected digit before \".\", did you mean \"0\(text)\"?", at: start..<position)
      return .float
    } else {
      fail("Unexpected character: \".\".", at: start..<position)
    }
    return .invalid
  }

  @inline(__always)
  private mutating func punctuator(_ kind: TokenKind) -> TokenKind {
    position += 1
    return kind
  }

  private mutating func invalid(_ byte: UInt8) -> TokenKind {
    let message =
      byte == UInt8(ascii: "'")
      ? "Unexpected single quote character ('), did you mean to use a double quote (\")?"
      : "Unexpected character: \(describeCharacter(at: position))."
    position += 1
    while position < count, base[position] & 0xC0 == 0x80 { position += 1 }
    fail(message, at: start..<position)
    return .invalid
  }

  mutating func fail(_ message: String, at range: Range<Int>) {
    // The first failure of a token is the one that the reference implementation reports.
    if failure == nil {
      failure = LexicalError(message: message, range: range.clamped(to: 0..<max(count, range.lowerBound)))
    }
  }

  // MARK: Numbers

  private mutating func number() -> TokenKind {
    var isFloat = false
    if byte(at: position) == UInt8(ascii: "-") { position += 1 }
    if byte(at: position) == UInt8(ascii: "0") {
      position += 1
      if byte(at: position).isDigit {
        return badNumber("Invalid number, unexpected digit after 0: ", isFloat)
      }
    } else if !digits() {
      return badNumber("Invalid number, expected digit but got: ", isFloat)
    }
    if byte(at: position) == UInt8(ascii: ".") {
      isFloat = true
      position += 1
      if !digits() { return badNumber("Invalid number, expected digit but got: ", isFloat) }
    }
    if byte(at: position) | 0x20 == UInt8(ascii: "e") {
      isFloat = true
      position += 1
      let character = byte(at: position)
      if character == UInt8(ascii: "+") || character == UInt8(ascii: "-") { position += 1 }
      if !digits() { return badNumber("Invalid number, expected digit but got: ", isFloat) }
    }
    // A name or a second fraction directly after a number is a typo, not a second token.
    let after = byte(at: position)
    if after == UInt8(ascii: ".") || after.isNameStart {
      return badNumber("Invalid number, expected digit but got: ", isFloat)
    }
    return isFloat ? .float : .int
  }

  private mutating func digits() -> Bool {
    let first = position
    while position < count, base[position].isDigit { position += 1 }
    return position > first
  }

  private mutating func badNumber(_ words: String, _ isFloat: Bool) -> TokenKind {
    let place = position
    fail("\(words)\(describeCharacter(at: place)).", at: place..<place + 1)
    while position < count, base[position].isNameByte || base[position] == UInt8(ascii: ".") {
      position += 1
    }
    return isFloat ? .float : .int
  }

  /// Returns a character as syntax errors show it: `"x"`, `U+00E9`, `<EOF>`.
  func describeCharacter(at index: Int) -> String {
    guard index < count else { return "<EOF>" }
    let byte = base[index]
    if byte == UInt8(ascii: "\"") { return "'\"'" }
    if byte >= 0x20, byte <= 0x7E { return "\"\(Character(UnicodeScalar(byte)))\"" }
    var decoder = UTF8()
    var rest = UnsafeBufferPointer(start: base + index, count: count - index).makeIterator()
    var value = UInt32(0xFFFD)
    if case .scalarValue(let scalar) = decoder.decode(&rest) { value = scalar.value }
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
