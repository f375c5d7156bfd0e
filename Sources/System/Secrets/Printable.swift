/// Text of a file as an error may print it.
package func printable(_ text: String) -> String {
  let limit = 60
  let safe = text.unicodeScalars.prefix(limit).map { scalar -> Character in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: Character(scalar)
    }
  }
  return String(safe) + (text.unicodeScalars.count > limit ? "…" : "")
}
