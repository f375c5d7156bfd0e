/// Editing with several cursors. Typing, deleting, pasting and moving affect all cursors and are one undo step.
///
/// The cursor added last is the editor's primary selection. All other commands affect only that one.
extension Editor {
  /// All selections in the order of the text.
  package var selections: [TextSelection] {
    (otherSelections + [selection]).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The selected text of all cursors, one line each.
  package var selectedText: String {
    selections.filter { !$0.isEmpty }.map { buffer.text(in: $0.range) }.joined(separator: "\n")
  }

  package mutating func leaveOneCursor() { otherSelections = [] }

  /// Performs a change at each cursor, from the last to the first.
  package mutating func atEachCursor(_ change: (inout Editor) -> Void) {
    guard !otherSelections.isEmpty else { return change(&self) }
    let before = cursors
    let mark = history.beginJoining()
    let textBefore = version
    // Offsets from the end of the text stay valid when the text before them changes.
    var changed: [(anchor: Int, cursor: Int, isPrimary: Bool)] = []
    var limit = buffer.end
    for original in selections.reversed() where original.range.upperBound <= limit {
      let isPrimary = original == before.primary
      let version = version
      select(original)
      change(&self)
      // The change may reach over earlier cursors.
      if self.version != version { limit = selection.range.lowerBound }
      let end = buffer.offset(of: buffer.end)
      changed.append((end - buffer.offset(of: selection.anchor), end - buffer.offset(of: selection.cursor), isPrimary))
    }
    let end = buffer.offset(of: buffer.end)
    let placed = changed.map { change in
      (
        selection: TextSelection(
          anchor: buffer.position(of: end - change.anchor), cursor: buffer.position(of: end - change.cursor)),
        isPrimary: change.isPrimary
      )
    }
    set(Cursors.merged(placed))
    if version != textBefore { history.join(mark, before: before, after: cursors) }
  }

  /// Pastes at each cursor: one line each if there are as many lines as cursors.
  package mutating func pasteAtEachCursor(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0) }
    guard lines.count == selections.count, lines.count > 1 else { return atEachCursor { $0.paste(text) } }
    var rest = lines
    atEachCursor { $0.paste(rest.removeLast()) }
  }

  /// Selects the word at the cursor; if text is selected, adds the next occurrence of it. Returns false if there is
  /// none.
  package mutating func addCursorAtNextMatch() -> Bool {
    guard !selection.isEmpty else {
      // At the end of a word, select that word and not the following text.
      let isInWord = buffer.character(at: cursor)?.isPartOfWord ?? false
      let position = isInWord ? cursor : buffer.position(before: cursor)
      guard buffer.character(at: position)?.isPartOfWord == true else { return false }
      selectWord(at: position)
      return true
    }
    let searchedText = buffer.text(in: selection.range)
    let isWord = buffer.word(at: selection.range.lowerBound) == selection.range
    let taken = selections.map(\.range)
    let matches = buffer.matches(of: searchedText, isExact: true).filter { match in
      !taken.contains { $0.overlaps(match) } && (!isWord || buffer.word(at: match.lowerBound) == match)
    }
    guard let next = matches.first(where: { $0.lowerBound > selection.range.lowerBound }) ?? matches.first else {
      return false
    }
    addCursor(TextSelection(anchor: next.lowerBound, cursor: next.upperBound))
    return true
  }

  /// Adds a cursor in the line above the first or below the last. Returns false if there is no such line.
  package mutating func addCursor(above isAbove: Bool) -> Bool {
    let all = selections.map(\.cursor)
    guard let edge = isAbove ? all.min() : all.max() else { return false }
    let line = shownLine(isAbove ? -1 : 1, from: edge.line)
    guard line != edge.line, line >= 0, line < buffer.lineCount else { return false }
    addCursor(TextSelection(buffer.position(line: line, characterColumn: buffer.characterColumn(of: edge))))
    return true
  }

  private mutating func addCursor(_ selection: TextSelection) {
    let others = otherSelections + [self.selection]
    set(Cursors(primary: selection, others: others))
  }
}

/// The selections of an editor.
package struct Cursors: Equatable, Sendable {
  package var primary: TextSelection
  package var others: [TextSelection]

  package init(primary: TextSelection, others: [TextSelection] = []) {
    self.primary = primary
    self.others = others
  }

  /// Merges overlapping selections.
  static func merged(_ selections: [(selection: TextSelection, isPrimary: Bool)]) -> Cursors {
    let primary = selections.first { $0.isPrimary } ?? selections[0]
    var cursors = Cursors(primary: primary.selection)
    for candidate in selections where !candidate.isPrimary {
      let isApart = ([cursors.primary] + cursors.others).allSatisfy { other in
        let (left, right) = (other.range, candidate.selection.range)
        return left != right && !left.overlaps(right)
      }
      if isApart { cursors.others.append(candidate.selection) }
    }
    return cursors
  }
}
