import ApusClientNetwork

/// Escapes untrusted text for Markdown: one line, in which nothing acts as markup, a link or a mention.
enum MarkdownText {
  /// Escapes text in a sentence or a table cell: `@owl` becomes `&#64;owl`, `*` becomes `\*`.
  static func plain(_ text: String, limit: Int = 300) -> String {
    var result = ""
    for scalar in SingleLineText.line(text, limit: limit).unicodeScalars {
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

  /// Returns a name as inline code. GraphQL names contain no backticks, and a bar would end a table cell.
  static func code(_ text: String) -> String {
    "`\(SingleLineText.line(text, limit: 300).replacing("`", with: "'").replacing("|", with: "\\|"))`"
  }
}
