import ApusClientNetwork

/// Text of others as Markdown shows it: as it stands, on one line, with nothing in it acting as markup, link or mention.
enum MarkdownText {
  /// Words in a sentence or a table's cell.
  static func plain(_ text: String, limit: Int = 300) -> String {
    var result = ""
    for scalar in PlainText.line(text, limit: limit).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "@": result += "&#64;"
      case "\\", "`", "*", "_", "{", "}", "[", "]", "#", "|", "~", "!": result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A name between backticks. GraphQL's have none, and a bar would end a table's cell.
  static func code(_ text: String) -> String {
    "`\(PlainText.line(text, limit: 300).replacing("`", with: "'").replacing("|", with: "\\|"))`"
  }
}
