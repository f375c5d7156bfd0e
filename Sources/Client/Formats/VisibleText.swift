/// Text from outside as a terminal may show it: whole, but for what would act on the terminal.
package enum VisibleText {
  /// Control characters as pictures of themselves, so that a text stays one line and moves no cursor.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isUnsafeInTerminal) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20, let picture = UnicodeScalar(0x2400 + scalar.value) {
        result.unicodeScalars.append(picture)
      } else {
        result.unicodeScalars.append(scalar.isUnsafeInTerminal ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether it acts on the terminal or turns the line around; joiners only shape the letters beside them.
  fileprivate var isUnsafeInTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: value != 0x200C && value != 0x200D && !(0xE0020...0xE007F).contains(value)
    default: false
    }
  }
}
