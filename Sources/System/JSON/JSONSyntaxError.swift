import CApusSimdjson

/// The reason why a text is not valid JSON, and its location: "unexpected '}' at line 2, column 5".
public struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, without the location.
  public let message: String
  /// The location as a byte offset from the start of the text.
  public let offset: Int
  /// The line, from 1.
  public let line: Int
  /// The column in characters, from 1.
  public let column: Int
  /// Whether the text exceeds a limit of this parser and may otherwise be valid JSON.
  public let isLimit: Bool

  /// Whether the text ended within a value.
  package let isEndOfText: Bool
  package let isNotUTF8: Bool

  public var description: String { "\(message) at line \(line), column \(column)" }

  init(code: Int32, offset: Int, in text: [UInt8], depth: Int) {
    self.offset = offset
    let before = text[..<min(offset, text.count)]
    line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    column = before[lineStart...].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    isLimit = [APUS_JSON_TOO_LARGE, APUS_JSON_TOO_DEEP].contains { Int($0) == Int(code) }
    isEndOfText = offset >= text.count || Int(code) == Int(APUS_JSON_UNCLOSED_STRING)
    isNotUTF8 = Int(code) == Int(APUS_JSON_INVALID_UTF8)
    message =
      switch Int(code) {
      case Int(APUS_JSON_EMPTY): "the text is empty"
      case Int(APUS_JSON_TOO_LARGE): "larger than the limit of 4 GiB"
      case Int(APUS_JSON_TOO_DEEP): "nested deeper than the limit of \(depth) levels"
      case Int(APUS_JSON_INVALID_UTF8): "not UTF-8"
      case Int(APUS_JSON_UNCLOSED_STRING): "a string is not closed"
      case Int(APUS_JSON_CONTROL_CHARACTER): "a control character in a string"
      case Int(APUS_JSON_INVALID_ESCAPE): "an escape that JSON does not have"
      case Int(APUS_JSON_INVALID_NUMBER): "not a number"
      case Int(APUS_JSON_TRAILING): "more after the end of the value"
      case Int(APUS_JSON_OUT_OF_MEMORY): "out of memory"
      default: Self.unexpected(at: offset, in: text)
      }
  }

  private static func unexpected(at offset: Int, in text: [UInt8]) -> String {
    guard offset < text.count else { return "the text ends too early" }
    let start = text[offset...].prefix(4)
    guard let scalar = String(decoding: start, as: UTF8.self).unicodeScalars.first else { return "unexpected byte" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
      let code = String(scalar.value, radix: 16, uppercase: true)
      return "unexpected character U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    default: return "unexpected '\(scalar)'"
    }
  }
}
