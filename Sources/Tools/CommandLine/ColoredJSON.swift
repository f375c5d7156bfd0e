import ApusClientFormats
import ApusJSON

/// Indented JSON with colors by type, for a terminal. `TerminalSafeText` escapes control characters in the values.
enum ColoredJSON {
  /// SGR codes (ECMA-48, section 8.3.117): `\u{1B}[34m"name"\u{1B}[0m` is a blue key.
  private enum Color: String {
    case key = "34", string = "32", number = "36", word = "35"
  }

  static func of(_ value: JSONValue) -> String {
    var text = ""
    write(value, margin: "", into: &text)
    return text
  }

  private static func write(_ value: JSONValue, margin: String, into text: inout String) {
    let inner = margin + "  "
    switch value.kind {
    case .object where value.count > 0:
      var separator = "{\n"
      for (key, member) in value.members {
        text += separator + inner + painted(JSONValue(key), .key) + ": "
        write(member, margin: inner, into: &text)
        separator = ",\n"
      }
      text += "\n\(margin)}"
    case .array where value.count > 0:
      var separator = "[\n"
      for element in value.elements {
        text += separator + inner
        write(element, margin: inner, into: &text)
        separator = ",\n"
      }
      text += "\n\(margin)]"
    case .object, .array: text += JSONWriter.compact(value)
    case .string: text += painted(value, .string)
    case .number: text += painted(value, .number)
    case .bool, .null: text += painted(value, .word)
    }
  }

  private static func painted(_ value: JSONValue, _ color: Color) -> String {
    "\u{1B}[\(color.rawValue)m\(TerminalSafeText.of(JSONWriter.compact(value)))\u{1B}[0m"
  }
}
