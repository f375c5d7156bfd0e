/// A piece of a text and what is to stand in its place.
package struct TextReplacement: Hashable, Sendable {
  package var range: Range<TextPosition>
  package var text: String

  package init(range: Range<TextPosition>, text: String) {
    self.range = range
    self.text = text
  }
}
