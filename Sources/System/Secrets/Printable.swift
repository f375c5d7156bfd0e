/// Returns untrusted text in a form that is safe to print in an error message, with at most 60 characters.
package func printable(_ text: String) -> String {
  let limit = 60
  return visible(String(text.unicodeScalars.prefix(limit))) + (text.unicodeScalars.count > limit ? "…" : "")
}

/// Makes text a single line that is safe on a terminal: line breaks, escape sequences and invisible characters become
/// U+FFFD.
package func visible(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
        default: scalar
        }
      }))
}
