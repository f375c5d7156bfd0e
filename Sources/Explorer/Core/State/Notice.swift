/// A message in the status line, shown until the next key press.
package struct Notice: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case information, warning }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind = .information) {
    self.text = text
    self.kind = kind
  }
}
