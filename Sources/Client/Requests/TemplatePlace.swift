/// A place in JSON or GraphQL, which decides how a value is written there.
///
/// | place | value |
/// |---|---|
/// | `a: {{x}}` | unchanged, as JSON |
/// | `a: "{{x}}"` | with the escapes of a string |
/// | `"""{{x}}"""` (GraphQL specification, String Value) | with `\"""` for three quotes, and a line end where a quote or backslash at its ends would join others; the language removes it at the ends of the string |
/// | `# {{x}}` | with the escapes of a string, so that the comment ends with its line |
package enum TemplatePlace: Hashable, Sendable {
  case code, string, blockString, comment

  private static let blockQuotes = Array(repeating: UInt8(ascii: "\""), count: 3)
  private static let escapedBlockQuotes = [UInt8(ascii: "\\")] + blockQuotes

  /// Moves to the end of some text.
  package mutating func advance(over text: String) {
    var rest = text.utf8[...]
    while let byte = rest.first {
      let next: TemplatePlace
      var count = 1
      switch (self, byte) {
      case (.code, UInt8(ascii: "\"")) where rest.starts(with: Self.blockQuotes): (next, count) = (.blockString, 3)
      case (.code, UInt8(ascii: "\"")): next = .string
      case (.code, UInt8(ascii: "#")): next = .comment
      case (.string, UInt8(ascii: "\\")): (next, count) = (.string, 2)
      case (.string, UInt8(ascii: "\"")): next = .code
      case (.blockString, _) where rest.starts(with: Self.escapedBlockQuotes): (next, count) = (.blockString, 4)
      case (.blockString, _) where rest.starts(with: Self.blockQuotes): (next, count) = (.code, 3)
      case (.comment, UInt8(ascii: "\n")), (.comment, UInt8(ascii: "\r")): next = .code
      default: next = self
      }
      self = next
      rest = rest.dropFirst(count)
    }
  }

  /// Returns a value with the escapes that this place needs after some text.
  func written(_ value: String, after text: String) -> String {
    switch self {
    case .code: value
    case .string, .comment: Self.escaped(value)
    case .blockString:
      (text.hasSuffix("\"") && value.hasPrefix("\"") ? "\n" : "")
        + value.replacing("\"\"\"", with: "\\\"\"\"") + (value.hasSuffix("\"") || value.hasSuffix("\\") ? "\n" : "")
    }
  }

  /// Returns a value with the escapes that JSON and GraphQL share.
  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "\\":
        result.append("\\")
        result.unicodeScalars.append(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      case _: result.unicodeScalars.append(scalar)
      }
    }
  }
}
