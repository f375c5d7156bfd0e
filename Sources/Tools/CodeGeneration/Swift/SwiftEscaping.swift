import ApusAlgorithms
import ApusASCII

// The only place where text of a schema or document becomes Swift source. Such text is untrusted: it must not be able
// to end the comment or literal that contains it.

/// Untrusted text as the lines of a comment.
///
/// All characters that any tool treats as a line break end a line, and characters that affect editors or terminals are
/// replaced.
struct SwiftComment {
  /// Lines, without blank ones at either end. Long lines are wrapped.
  let lines: [String]

  init(_ text: String) {
    if UntrustedTextEscaping.isPlain(text) {
      // Most texts are one short line.
      if text.utf8.count <= 100, text.utf8.last != 0x20 {
        lines = text.isEmpty ? [] : [text]
        return
      }
      lines = Self.broken(text)
    } else {
      lines = Self.broken(UntrustedTextEscaping.withSafeLines(text))
    }
  }

  /// Returns untrusted text as part of a single line.
  static func inline(_ text: String) -> String {
    UntrustedTextEscaping.withSafeLines(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func broken(_ text: String) -> [String] {
    var lines: [String] = []
    for paragraph in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      // Works on bytes, because characters do not matter for wrapping.
      var start = paragraph.startIndex
      var end = start
      var length = 0
      for word in paragraph.split(separator: 0x20, omittingEmptySubsequences: false) {
        if length > 0, length + word.count > 100 {
          lines.append(String(Substring(paragraph[start..<end].trimmingSuffix { $0 == 0x20 || $0 == 0x09 })))
          start = word.startIndex
          length = 0
        }
        length += length == 0 ? word.count : 1 + word.count
        end = word.endIndex
      }
      lines.append(String(Substring(paragraph[start..<end].trimmingSuffix { $0 == 0x20 || $0 == 0x09 })))
    }
    lines.removeSubrange(..<(lines.firstIndex { !$0.isEmpty } ?? lines.endIndex))
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// Untrusted values as Swift literals: a right-to-left override is `"\u{202e}"`.
enum SwiftLiteral {
  static func string(_ text: String) -> String {
    let isPlain =
      UntrustedTextEscaping.isPlain(text)
      && !text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    if isPlain { return "\"\(text)\"" }
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        if UntrustedTextEscaping.isUnsafe(scalar) {
          literal += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }

  static func strings(_ texts: some Sequence<String>) -> String {
    "[" + texts.map(string).joined(separator: ", ") + "]"
  }

  /// Returns the number signs for a multiline string literal with this text: `#`, or `##` if the text contains `"""#`;
  /// nil if the literal would have another value.
  static func signs(around text: String) -> String? {
    guard text.unicodeScalars.allSatisfy({ $0 == "\n" || $0 == "\t" || !UntrustedTextEscaping.isUnsafe($0) }) else {
      return nil
    }
    // Enough number signs that nothing in the text ends the literal.
    var signs = "#"
    if text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      while text.contains("\"\"\"" + signs) || text.contains("\\" + signs) { signs += "#" }
    }
    return signs
  }

  /// Returns a number literal of a document; a string if Swift cannot represent the number, such as `1e400`.
  static func number(_ text: String) -> String {
    if Int(text) != nil { return text }
    if let number = Double(text), number.isFinite, text.utf8.contains(where: { !isIntegerByte($0) }) { return text }
    return string(text)
  }

  private static func isIntegerByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte.isDigit
  }
}

private enum UntrustedTextEscaping {
  /// Whether a text is printable ASCII, as most are.
  static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  /// Whether a character ends a line, affects a terminal or changes the direction of text. Joiners are safe, because
  /// they only affect adjacent letters.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }

  /// Returns the text with line breaks as line feeds and unsafe characters replaced.
  static func withSafeLines(_ text: String) -> String {
    var safe = ""
    for character in text {
      if character.isNewline {
        safe += "\n"
      } else {
        for scalar in character.unicodeScalars {
          safe.unicodeScalars.append(isUnsafe(scalar) && scalar != "\t" ? "\u{FFFD}" : scalar)
        }
      }
    }
    return safe
  }
}
