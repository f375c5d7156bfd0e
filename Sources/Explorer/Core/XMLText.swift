/// Text as it stands in XML, in what is exported as SVG and in reports for build servers.
package enum XMLText {
  /// What means something there is written out; what XML 1.0 cannot have at all is left out.
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
