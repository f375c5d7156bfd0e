/// A range of a text and its replacement. An empty range inserts text, an empty text deletes the range.
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
    var position = self
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) where edit.range.lowerBound < position {
      // A position in a replaced range moves to its start.
      guard edit.range.upperBound <= position else {
        position = edit.range.lowerBound
        continue
      }
      let end = edit.range.lowerBound.advanced(by: edit.text)
      let isSameLine = position.line == edit.range.upperBound.line
      position = TextPosition(
        position.line - edit.range.upperBound.line + end.line,
        isSameLine ? position.column - edit.range.upperBound.column + end.column : position.column)
    }
    return position
  }
}
