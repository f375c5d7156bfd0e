/// A sequence of one or more key presses, written with spaces between them: `F5`, `g g`, `Ctrl-W h`.
package struct KeySequence: Hashable, Sendable {
  package let presses: [KeyPress]

  package init(_ presses: [KeyPress]) {
    self.presses = presses
  }

  /// Parses the text form; nil if a part of it is invalid.
  package init?(_ text: String) {
    var presses: [KeyPress] = []
    for word in text.utf8.split(separator: UInt8(ascii: " ")) {
      guard let press = KeyPress(String(Substring(word))) else { return nil }
      presses.append(press)
    }
    guard !presses.isEmpty else { return nil }
    self.presses = presses
  }

  package func begins(with other: KeySequence) -> Bool { presses.starts(with: other.presses) }
}

extension KeySequence: CustomStringConvertible {
  package var description: String { presses.map(\.description).joined(separator: " ") }
}

extension KeySequence: ExpressibleByStringLiteral {
  /// Creates a key sequence for key tables in code. An invalid literal traps.
  package init(stringLiteral text: String) {
    guard let sequence = KeySequence(text) else { preconditionFailure("\(text) names no key") }
    self = sequence
  }
}
