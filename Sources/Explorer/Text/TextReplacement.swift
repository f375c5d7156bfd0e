/// A piece of a text and what is to stand in its place.
package struct TextReplacement: Equatable, Sendable {
  package var range: Range<TextPosition>
  package var text: String

  package init(range: Range<TextPosition>, text: String) {
    self.range = range
    self.text = text
  }
}

extension TextPosition {
  /// Where the place is after the replacements, which do not overlap: what stands before it moves it along.
  package func moved(by edits: [TextReplacement]) -> TextPosition {
    var place = self
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) where edit.range.lowerBound < place {
      // Within what was replaced, it is at its beginning.
      guard edit.range.upperBound <= place else {
        place = edit.range.lowerBound
        continue
      }
      let end = edit.range.lowerBound.advanced(by: edit.text)
      let isSameLine = place.line == edit.range.upperBound.line
      place = TextPosition(
        place.line - edit.range.upperBound.line + end.line,
        isSameLine ? place.column - edit.range.upperBound.column + end.column : place.column)
    }
    return place
  }
}
