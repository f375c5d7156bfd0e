import ApusClientFormats
import FuzzHarness

/// Printed untrusted text contains nothing that controls the terminal, and no character is lost.
@main enum TerminalSafeTextTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let shown = TerminalSafeText.of(text)
    expect(shown.unicodeScalars.count == text.unicodeScalars.count, "characters were lost or added: \(shown)")
    for (before, after) in zip(text.unicodeScalars, shown.unicodeScalars) {
      switch after.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: fatalError("a control character remains: \(after.value)")
      case .uppercaseLetter, .lowercaseLetter, .otherLetter: expect(before == after, "\(before) became \(after)")
      default: break
      }
    }
    expect(TerminalSafeText.of(shown) == shown, "displaying again changes the text: \(shown)")
  }
}
