import ApusASCII
import ApusJSON

/// JSON values as YAML 1.2 in block style, with one line per leaf. `{"birds":[{"name":"Owl"}]}` is
///
///     birds:
///     - name: Owl
package enum YAMLText {
  package static func of(_ value: JSONValue) -> String {
    var text = ""
    write(value, indentation: 0, isInLine: false, into: &text)
    return text
  }

  /// - Parameter isInLine: Whether the value follows `key:` or `-` on the same line.
  private static func write(_ value: JSONValue, indentation: Int, isInLine: Bool, into text: inout String) {
    let margin = String(repeating: " ", count: indentation)
    switch value.kind {
    case .object where value.count > 0:
      if isInLine { text += "\n" }
      for (key, member) in value.members {
        text += "\(margin)\(scalar(key)):"
        // A list is not indented below its key.
        let isList = member.kind == .array
        write(member, indentation: indentation + (isList ? 0 : 2), isInLine: true, into: &text)
      }
    case .array where value.count > 0:
      if isInLine { text += "\n" }
      for element in value.elements {
        var item = ""
        write(element, indentation: indentation + 2, isInLine: false, into: &item)
        // The first line of an item follows its dash.
        text += "\(margin)- " + item.drop { $0 == " " }
      }
    default:
      let leaf: String
      if let string = value.string {
        leaf = scalar(string)
      } else {
        leaf = JSONWriter.compact(value)
      }
      text += "\(isInLine ? " " : "")\(leaf)\n"
    }
  }

  /// Returns a string as a plain scalar if every YAML parser reads it as a string; otherwise in double quotes, with
  /// JSON escapes.
  private static func scalar(_ text: String) -> String {
    let bytes = text.utf8
    let isPlain =
      bytes.first?.isNameStart == true && bytes.last?.isNameByte == true
      && bytes.allSatisfy { $0.isNameByte || "-./ ".utf8.contains($0) }
      && !words.contains(text.lowercased())
    return isPlain ? text : JSONWriter.compact(JSONValue(text))
  }

  /// Plain scalars that some YAML parsers do not read as strings.
  private static let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
}
