import ApusASCII
import ApusJSON

/// JSON written as YAML 1.2 in block style: a line for each leaf.
package enum YAMLText {
  package static func of(_ value: JSONValue) -> String {
    var text = ""
    write(value, indentation: 0, isInLine: false, into: &text)
    return text
  }

  /// - Parameter isInLine: Something stands before it on its line: `key:` or `-`.
  private static func write(_ value: JSONValue, indentation: Int, isInLine: Bool, into text: inout String) {
    let margin = String(repeating: " ", count: indentation)
    switch value.kind {
    case .object where value.count > 0:
      if isInLine { text += "\n" }
      for (key, member) in value.members {
        text += "\(margin)\(scalar(key)):"
        // A list stands under its key without being moved.
        let isList = member.kind == .array
        write(member, indentation: indentation + (isList ? 0 : 2), isInLine: true, into: &text)
      }
    case .array where value.count > 0:
      if isInLine { text += "\n" }
      for element in value.elements {
        var item = ""
        write(element, indentation: indentation + 2, isInLine: false, into: &item)
        // The first line of what is in an item begins behind its dash.
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

  /// A text as it is where every reader takes it for a text, else in double quotes, whose escapes are those of JSON.
  private static func scalar(_ text: String) -> String {
    let bytes = text.utf8
    let isPlain =
      bytes.first?.isNameStart == true && bytes.last?.isNameByte == true
      && bytes.allSatisfy { $0.isNameByte || "-./ ".utf8.contains($0) }
      && !words.contains(text.lowercased())
    return isPlain ? text : JSONWriter.compact(JSONValue(text))
  }

  /// What some reader takes for something else than a text.
  private static let words: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
}
