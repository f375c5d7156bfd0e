import ApusASCII
import ApusJSON

/// Parsing of PowerShell strings: single-quoted, double-quoted and here-strings.
extension PowerShellScript {
  mutating func literal() -> String {
    var text: [UInt8] = []
    while let next = byte() {
      offset += 1
      if next == UInt8(ascii: "'") {
        guard byte() == next else { break }
        offset += 1
      }
      text.append(next)
    }
    return String(decoding: text, as: UTF8.self)
  }

  static let escapes: [UInt8: String] = [
    UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t", UInt8(ascii: "0"): "\0",
    UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "v"): "\u{B}",
    UInt8(ascii: "e"): "\u{1B}",
  ]

  /// Reads a string to its double quote, or to the end of a here-string.
  mutating func quoted(end: String) -> String {
    var text: [UInt8] = []
    var units: [UInt16] = []
    func flush() {
      text += Array(String(decoding: units, as: UTF16.self).utf8)
      units = []
    }
    while let next = byte() {
      if next == end.utf8.first, isNext(end) {
        offset += end.utf8.count
        guard end == "\"", byte() == next else { break }
      }
      switch next {
      case UInt8(ascii: "`"):
        flush()
        offset += 1
        text += Array(escape().utf8)
      case UInt8(ascii: "$"):
        let start = offset
        if byte(1) == UInt8(ascii: "(") {
          offset += 2
          if let unit = characterCode() {
            units.append(unit)
            continue
          }
          offset = start
        }
        flush()
        if byte(1).map({ $0.isNameStart || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "(") }) == true {
          text += Array(interpolated().utf8)
        } else {
          offset += 1
          text.append(next)
        }
      default:
        flush()
        offset += 1
        text.append(next)
      }
    }
    flush()
    let string = String(decoding: text, as: UTF8.self)
    return end.hasPrefix("\n") && string.last == "\r" ? String(string.dropLast()) : string
  }

  /// Reads a variable or subexpression in a double-quoted string. Members are accessed only in subexpressions.
  mutating func interpolated() -> String {
    let start = offset
    offset += 1
    if consume("(") {
      if let value = variableInParentheses() { return Self.text(value) }
      skipParentheses()
      return Self.text(unevaluatedValue(from: start))
    }
    let name = takeName()
    return variables.value(name.lowercased()).map(Self.text) ?? "{{\(Self.environmentName(name))}}"
  }

  /// Returns the character of an escape sequence after the backtick.
  mutating func escape() -> String {
    guard let next = byte() else { return "`" }
    offset += 1
    if next == UInt8(ascii: "u"), byte() == UInt8(ascii: "{") {
      let digits = bytes[(offset + 1)...].prefix { $0 != UInt8(ascii: "}") }
      offset = min(bytes.count, digits.endIndex + 1)
      let scalar = UInt32(String(decoding: digits.prefix(6), as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
      return scalar.map { String(Character($0)) } ?? "\u{FFFD}"
    }
    if let existing = Self.escapes[next] { return existing }
    // Copy all bytes of a multibyte character.
    var character = [next]
    while let more = byte(), next >= 0xC0, more & 0xC0 == 0x80 {
      character.append(more)
      offset += 1
    }
    return String(decoding: character, as: UTF8.self)
  }
}
