/// Encodes values as string literals: `"a \"b\""`, or a block string for a description.
package enum StringEncoder {
  /// Returns the value in quotation marks, escaped.
  package static func quoted(_ value: String) -> String {
    var literal: [UInt8] = [UInt8(ascii: "\"")]
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": literal.append(contentsOf: "\\\"".utf8)
      case "\\": literal.append(contentsOf: "\\\\".utf8)
      case "\u{8}": literal.append(contentsOf: "\\b".utf8)
      case "\u{C}": literal.append(contentsOf: "\\f".utf8)
      case "\n": literal.append(contentsOf: "\\n".utf8)
      case "\r": literal.append(contentsOf: "\\r".utf8)
      case "\t": literal.append(contentsOf: "\\t".utf8)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        literal.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
      default: literal.append(contentsOf: String(scalar).utf8)
      }
    }
    literal.append(UInt8(ascii: "\""))
    return String(decoding: literal, as: UTF8.self)
  }

  /// Returns the value as a description: a block string with indented lines, on one line if it is short, or a quoted
  /// string if a block string would change the value. The layout is that of the document printer.
  package static func description(_ value: String, indent: Int) -> String {
    guard isBlockable(value) else { return quoted(value) }
    let margin = String(repeating: " ", count: indent)
    let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count == 1, value.utf16.count <= 70, value.last != "\"", value.last != "\\" {
      return "\"\"\"\(escapingTripleQuotes(lines[0]))\"\"\""
    }
    let body = lines.map { $0.isEmpty ? "" : margin + escapingTripleQuotes($0) }
    return "\"\"\"\n\(body.joined(separator: "\n"))\n\(margin)\"\"\""
  }

  /// Escapes triple quotes. Written by hand, because the standard library's `replacing` adds its regular expressions to
  /// the binary.
  private static func escapingTripleQuotes(_ line: Substring) -> String {
    guard line.contains("\"") else { return String(line) }
    var escaped: [UInt8] = []
    let quote = UInt8(ascii: "\"")
    var rest = Array(line.utf8)[...]
    while let byte = rest.first {
      if rest.starts(with: [quote, quote, quote]) {
        escaped.append(contentsOf: [UInt8(ascii: "\\"), quote, quote, quote])
        rest = rest.dropFirst(3)
      } else {
        escaped.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Whether a block string preserves the value: no blank first or last line, no common indentation, and no character
  /// that needs an escape sequence.
  private static func isBlockable(_ value: String) -> Bool {
    var common = Int.max
    var isFirst = true
    var lastIsBlank = true
    guard !value.isEmpty else { return false }
    for line in value.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let blanks = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
      lastIsBlank = blanks == line.count
      if isFirst, lastIsBlank { return false }
      isFirst = false
      if !lastIsBlank { common = min(common, blanks) } else if blanks > 0 { return false }
    }
    return !lastIsBlank && common == 0 && !value.unicodeScalars.contains { $0 == "\r" || isControl($0) }
  }

  private static func isControl(_ scalar: UnicodeScalar) -> Bool {
    scalar != "\n" && scalar != "\t" && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
  }
}
