/// Converts untrusted text to a single line that is safe on a terminal.
package enum SingleLineText {
  /// Replaces control and bidirectional formatting characters by spaces, collapses white space, and truncates text
  /// longer than `limit` characters with an ellipsis: `a\n\tb` becomes `a b`.
  package static func line(_ text: String, limit: Int = 300) -> String {
    var result = ""
    var count = 0
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      if isBlank(scalar) {
        pendingSpace = !result.isEmpty
        continue
      }
      guard count < limit else { return result + "…" }
      if pendingSpace {
        result.append(" ")
        count += 1
        pendingSpace = false
      }
      result.unicodeScalars.append(scalar)
      count += 1
    }
    return result
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate: true
    default: false
    }
  }

  package static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
