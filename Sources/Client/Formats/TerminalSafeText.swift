/// Untrusted text in a form that is safe to show in a terminal.
package enum TerminalSafeText {
  /// Returns text of several lines with control characters replaced. Line feeds and tabs are kept.
  package static func lines(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x7F && $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\t" {
        result.unicodeScalars.append(scalar)
      } else {
        result.unicodeScalars.append(visible(scalar))
      }
    }
    return result
  }

  /// Returns text with control characters replaced by their pictures (U+2400 and following), so that it stays on one line.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isUnsafeInTerminal) else { return text }
    var result = ""
    for scalar in text.unicodeScalars { result.unicodeScalars.append(visible(scalar)) }
    return result
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.value < 0x20, let picture = UnicodeScalar(0x2400 + scalar.value) { return picture }
    return scalar.isUnsafeInTerminal ? "\u{FFFD}" : scalar
  }
}

extension Unicode.Scalar {
  /// Whether the character controls the terminal or changes the text direction. Joiners only affect adjacent letters.
  fileprivate var isUnsafeInTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: value != 0x200C && value != 0x200D && !(0xE0020...0xE007F).contains(value)
    default: false
    }
  }
}
