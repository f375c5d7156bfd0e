import ApusAlgorithms

/// A header whose value ends with a value of a response: "`Authorization: Bearer`" and the token of a login operation.
package struct HeaderOfValue: Equatable, Sendable {
  package var name: String
  /// The text before the value, with its space.
  package var prefix: String

  /// Parses `NAME` or `NAME: PREFIX`; nil if this is not a header.
  package init?(_ text: String) {
    let text = text.trimming { $0 == " " }
    guard let line = HeaderLine(text.contains(":") ? String(text) : "\(text):") else { return nil }
    let words = line.value.split(separator: " ").joined(separator: " ")
    guard words.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    name = line.name
    prefix = words.isEmpty ? "" : words + " "
  }
}
