import ApusSecrets

/// Untrusted text in a form that is safe to show in a terminal.
package enum TerminalSafeText {
  /// Returns text of several lines with control characters replaced. Line feeds and tabs are kept.
  package static func lines(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x7F && $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 }) else { return text }
    return shown(text) { $0 == "\n" || $0 == "\t" ? $0 : visible($0) }
  }

  /// Replaces control characters by their pictures (U+2400 and following), so that text stays on one line: an escape
  /// character becomes `␛`.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.isUnsafeInTerminal || TagCharacter.contains($0) }) else {
      return text
    }
    return shown(text, visible)
  }

  /// Returns the text with its scalars replaced, and with tag characters outside flags made visible.
  private static func shown(_ text: String, _ visible: (Unicode.Scalar) -> Unicode.Scalar) -> String {
    var result = ""
    for character in text {
      let hasHidden = TagCharacter.isHidden(in: character.unicodeScalars)
      for scalar in character.unicodeScalars {
        result.unicodeScalars.append(hasHidden && TagCharacter.contains(scalar) ? "\u{FFFD}" : visible(scalar))
      }
    }
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
    // Whether a tag character is visible depends on the character that it belongs to.
    case .format: value != 0x200C && value != 0x200D && !TagCharacter.contains(self)
    default: false
    }
  }
}
