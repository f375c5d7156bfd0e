/// A separate pretty printer for JSON, so that the program's output is not checked against its own code.
enum Pretty {
  static func text(_ compact: String) -> String {
    var text = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    func newLine() -> String { "\n" + String(repeating: "  ", count: depth) }
    for character in compact {
      if isInString {
        text.append(character)
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isInString = false
        }
        continue
      }
      switch character {
      case "{", "[":
        depth += 1
        text += "\(character)\(newLine())"
      case "}", "]":
        depth -= 1
        text += "\(newLine())\(character)"
      case ",": text += ",\(newLine())"
      case ":": text += ": "
      default:
        isInString = character == "\""
        text.append(character)
      }
    }
    return text
  }
}
