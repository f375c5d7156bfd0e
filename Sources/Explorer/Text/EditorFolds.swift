/// Folding of lines, and several edits as one step.
extension Editor {
  /// Folds lines into the first one. The cursor moves out of the hidden lines.
  package mutating func fold(_ lines: ClosedRange<Int>) {
    guard lines.count > 1, lines.upperBound < buffer.lineCount else { return }
    folds.removeAll { $0 == lines }
    folds.append(lines)
    if isHidden(cursor.line) { moveCursor(TextPosition(lines.lowerBound, buffer.line(lines.lowerBound).utf8.count)) }
  }

  package func isHidden(_ line: Int) -> Bool {
    folds.contains { $0.lowerBound < line && line <= $0.upperBound }
  }

  /// Returns the number of lines folded into a line, or nil if none are.
  package func foldedLines(after line: Int) -> Int? {
    folds.filter { $0.lowerBound == line }.map { $0.count - 1 }.max()
  }

  /// Unfolds the range that hides a line.
  package mutating func unfold(at line: Int) {
    folds.removeAll { $0.lowerBound < line && line <= $0.upperBound }
  }

  /// Returns the line that is a number of visible lines after or before another.
  func shownLine(_ distance: Int, from line: Int) -> Int {
    guard !folds.isEmpty else { return line + distance }
    var line = line
    var left = abs(distance)
    let step = distance > 0 ? 1 : -1
    while left > 0 {
      var next = line + step
      while next >= 0, next < buffer.lineCount, isHidden(next) { next += step }
      guard next >= 0, next < buffer.lineCount else { break }
      line = next
      left -= 1
    }
    return line
  }

  /// Returns the folds after a change. Folds that the change touches are opened.
  func foldsMoved(by range: Range<TextPosition>, to end: TextPosition) -> [ClosedRange<Int>] {
    guard !folds.isEmpty else { return folds }
    let distance = end.line - range.upperBound.line
    return folds.compactMap { fold in
      if range.upperBound.line < fold.lowerBound { return fold.lowerBound + distance...fold.upperBound + distance }
      return range.lowerBound.line > fold.upperBound ? fold : nil
    }
  }

  /// Applies edits that do not overlap as one undo step. The cursor moves to the end of the last one.
  package mutating func apply(_ edits: [TextReplacement]) {
    let ordered = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset)
    }
    guard !ordered.isEmpty else { return }
    let replacements = ordered.map { ($0.element.range, $0.element.text) }
    change(replacements, kind: .other) { ends in TextSelection(ends[ends.count - 1]) }
  }
}
