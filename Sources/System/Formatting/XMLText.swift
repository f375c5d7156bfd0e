/// Text in XML, for SVG exports and for reports to build servers.
package enum XMLText {
  /// Escapes characters with a meaning in XML (`a < b` becomes `a &lt; b`) and drops those that XML 1.0 does not allow.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
