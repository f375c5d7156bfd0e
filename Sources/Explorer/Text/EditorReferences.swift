import ApusSecrets

/// References in the text of an editor, in place of secrets that were not saved.
///
/// 1. A reference is a range that moves with the text. What remains of its characters remains a reference, so that it is
///    filled in only when all of them are replaced.
/// 2. Text that returns by undo, from a register or by formatting brings its references back: in an editor that had
///    references, a whole mark that is inserted in one step is one. A mark that the user types is text.
extension Editor {
  /// Creates an editor with the references of stored text.
  package init(_ draft: DraftText, language: Language) {
    self.init(draft.text, language: language)
    hold(draft.references.map { buffer.position(of: $0.lowerBound)..<buffer.position(of: $0.upperBound) })
  }

  /// The text with its references.
  package var draft: DraftText {
    DraftText(text, references: references.map { buffer.offset(of: $0.lowerBound)..<buffer.offset(of: $0.upperBound) })
  }

  /// Replaces the references.
  package mutating func hold(_ references: [Range<TextPosition>]) {
    self.references = references.filter { buffer.clamp($0.upperBound) == $0.upperBound && !$0.isEmpty }
    if !self.references.isEmpty { hasHadReferences = true }
  }

  /// Replaces the text with that of a file, whose marks are text.
  package mutating func setFileText(_ text: String) {
    setText(text)
    references = []
  }

  /// Makes marks that are moved here from another editor references.
  package mutating func expectReferences() { hasHadReferences = true }

  /// Whether each mark in a range is a reference, in order.
  func marks(in range: Range<TextPosition>) -> [Bool] {
    Self.marks(in: buffer.text(in: range), from: range.lowerBound).map { references.contains($0) }
  }

  /// - Parameter removed: Whether each mark of the replaced text was a reference.
  mutating func moveReferences(
    by range: Range<TextPosition>, to end: TextPosition, inserted text: String, removed: [Bool]
  ) {
    func moved(_ position: TextPosition) -> TextPosition {
      position.line == range.upperBound.line
        ? TextPosition(end.line, end.column + position.column - range.upperBound.column)
        : TextPosition(position.line + end.line - range.upperBound.line, position.column)
    }
    var remaining: [Range<TextPosition>] = []
    for reference in references {
      if reference.lowerBound < range.lowerBound {
        remaining.append(reference.lowerBound..<min(reference.upperBound, range.lowerBound))
      }
      if reference.upperBound > range.upperBound {
        let start = moved(max(reference.lowerBound, range.upperBound))
        remaining.append(start..<moved(reference.upperBound))
      }
    }
    let inserted = Self.marks(in: text, from: range.lowerBound)
    // Formatted text has the same marks in the same order.
    let isReference = removed.count == inserted.count ? removed : inserted.map { _ in true }
    remaining += zip(inserted, isReference).filter(\.1).map(\.0)
    references = remaining.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Finds the references that undo or redo put together again, near changed positions.
  mutating func restoreReferences(at positions: [TextPosition]) {
    guard hasHadReferences else { return }
    for position in positions {
      for mark in Self.marks(in: buffer.line(position.line), from: TextPosition(position.line, 0))
      where mark.lowerBound <= position && position <= mark.upperBound {
        references.removeAll { $0.overlaps(mark) }
        references.append(mark)
      }
    }
    references.sort { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the places of marks in a text that starts at a position.
  private static func marks(in text: String, from start: TextPosition) -> [Range<TextPosition>] {
    guard text.contains(Redactor.mark) else { return [] }
    var found: [Range<TextPosition>] = []
    for (number, line) in TextBuffer(text).lines.enumerated() {
      let column = number == 0 ? start.column : 0
      for range in line.ranges(of: Redactor.mark) {
        let first = column + line.utf8.distance(from: line.startIndex, to: range.lowerBound)
        let line = start.line + number
        found.append(TextPosition(line, first)..<TextPosition(line, first + Redactor.mark.utf8.count))
      }
    }
    return found
  }
}
