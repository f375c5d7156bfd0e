/// A range of a text and its replacement.
package struct TextReplacement: Equatable, Sendable {
  package var range: Range<TextPosition>
  package var text: String

  package init(range: Range<TextPosition>, text: String) {
    self.range = range
    self.text = text
  }
}

extension TextPosition {
  /// Returns the position after replacements that do not overlap.
  package func moved(by edits: [TextReplacement]) -> TextPosition {
    var place = self
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) where edit.range.lowerBound < place {
      // A position in a replaced range moves to its start.
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
