/// Text of a file as an error may print it.
package func printable(_ text: String) -> String {
  let limit = 60
  return visible(String(text.unicodeScalars.prefix(limit))) + (text.unicodeScalars.count > limit ? "…" : "")
}

/// Text as one line that changes nothing on a terminal: what cannot be seen is shown as U+FFFD.
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
