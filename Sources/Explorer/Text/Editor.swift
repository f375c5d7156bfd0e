/// A selection from an anchor to the cursor. If they are equal, nothing is selected.
package struct TextSelection: Equatable, Sendable {
  package var anchor: TextPosition
  package var cursor: TextPosition

  package init(anchor: TextPosition, cursor: TextPosition) {
    self.anchor = anchor
    self.cursor = cursor
  }

  package init(_ cursor: TextPosition) {
    self.init(anchor: cursor, cursor: cursor)
  }

  package var range: Range<TextPosition> { min(anchor, cursor)..<max(anchor, cursor) }
  package var isEmpty: Bool { anchor == cursor }
}

/// A text editor: the buffer, the selections, the history and the scroll position.
package struct Editor: Equatable, Sendable {
  package enum Language: Equatable, Sendable {
    case graphQL, json, plain

    /// The characters that begin a comment.
    var commentMarker: String {
      switch self {
      case .graphQL, .plain: "#"
      case .json: "//"
      }
    }
  }

  package let language: Language
  package private(set) var buffer: TextBuffer
  /// The primary selection: with several cursors, the one added last.
  package private(set) var selection: TextSelection
  package internal(set) var otherSelections: [TextSelection] = []
  package internal(set) var history = EditorHistory()
  /// The number of changes, to recognize results computed for an older text.
  package private(set) var version = 0
  package private(set) var syntax: SyntaxLines
  /// The start of the visible area: a line, and the number of cells that are scrolled out to the left. With wrapping,
  /// the column at which the first visible row starts.
  package var scroll = TextPosition.start
  /// The folded lines. Of each range, only the first line is visible.
  package var folds: [ClosedRange<Int>] = []
  /// Whether long lines are wrapped.
  package var wraps = false
  private var goalColumn: Int?
  /// The places of secrets that were not saved. They move with the text and end when their characters are deleted.
  package internal(set) var references: [Range<TextPosition>] = []
  /// Whether the text had references, so that one may return by undo or from a register.
  package internal(set) var hasHadReferences = false

  package init(_ text: String = "", language: Language, cursor: TextPosition = .start) {
    self.language = language
    buffer = TextBuffer(text)
    syntax = SyntaxLines(buffer.lines, language: language)
    selection = TextSelection(cursor)
    selection = TextSelection(buffer.clamp(cursor))
  }

  package var text: String { buffer.text }
  package var cursor: TextPosition { selection.cursor }
  package var cursorOffset: Int { buffer.offset(of: cursor) }
  package var hasSelection: Bool { !selection.isEmpty }

  var cursors: Cursors { Cursors(primary: selection, others: otherSelections) }

  mutating func set(_ cursors: Cursors) {
    select(cursors.primary)
    otherSelections = cursors.others.map {
      TextSelection(anchor: buffer.clamp($0.anchor), cursor: buffer.clamp($0.cursor))
    }
  }

  // MARK: Moving

  package mutating func move(_ movement: CursorMovement, selecting: Bool = false) {
    history.seal()
    otherSelections = []
    let from = selection.cursor
    if !selecting && !selection.isEmpty {
      // An arrow key ends a selection at its edge, as in other editors.
      if movement == .left { return select(TextSelection(selection.range.lowerBound)) }
      if movement == .right { return select(TextSelection(selection.range.upperBound)) }
    }
    let goal = goalColumn ?? buffer.characterColumn(of: from)
    var keepsGoal = false
    let target: TextPosition
    switch movement {
    case .left: target = buffer.position(before: from)
    case .right: target = buffer.position(after: from)
    case .wordLeft: target = buffer.wordStart(before: from)
    case .wordRight: target = buffer.wordEnd(after: from)
    case .up(let count):
      keepsGoal = from.line > 0
      target =
        keepsGoal ? buffer.position(line: max(0, shownLine(-count, from: from.line)), characterColumn: goal) : .start
    case .down(let count):
      let last = buffer.lineCount - 1
      keepsGoal = from.line < last
      target =
        keepsGoal
        ? buffer.position(line: min(last, shownLine(count, from: from.line)), characterColumn: goal) : buffer.end
    case .lineStart:
      let indentation = buffer.indentation(of: from.line)
      target = TextPosition(from.line, from.column == indentation ? 0 : indentation)
    case .lineEnd: target = TextPosition(from.line, buffer.line(from.line).utf8.count)
    case .documentStart: target = .start
    case .documentEnd: target = buffer.end
    }
    selection = TextSelection(anchor: selecting ? selection.anchor : target, cursor: target)
    goalColumn = keepsGoal ? goal : nil
  }

  package mutating func moveCursor(_ position: TextPosition, selecting: Bool = false) {
    let target = buffer.clamp(position)
    select(TextSelection(anchor: selecting ? selection.anchor : target, cursor: target))
  }

  package mutating func select(_ selection: TextSelection) {
    history.seal()
    goalColumn = nil
    otherSelections = []
    self.selection = TextSelection(anchor: buffer.clamp(selection.anchor), cursor: buffer.clamp(selection.cursor))
  }

  package mutating func selectAll() {
    select(TextSelection(anchor: .start, cursor: buffer.end))
  }

  package mutating func selectWord(at position: TextPosition) {
    let word = buffer.word(at: buffer.clamp(position))
    select(TextSelection(anchor: word.lowerBound, cursor: word.upperBound))
  }

  // MARK: Changing

  /// Replaces the entire text, for example with a file. Undo restores the old text.
  package mutating func setText(_ text: String) {
    change([(.start..<buffer.end, text)], kind: .other) { _ in TextSelection(.start) }
  }

  package mutating func replace(_ range: Range<TextPosition>, with text: String, kind: EditorHistory.Kind = .other) {
    change([(range, text)], kind: kind) { TextSelection($0[0]) }
  }

  /// Makes several replacements as one undo step. They must be in descending order, so that none moves another.
  mutating func change(
    _ replacements: [(Range<TextPosition>, String)], kind: EditorHistory.Kind,
    selecting: (_ ends: [TextPosition]) -> TextSelection
  ) {
    let before = Cursors(primary: selection)
    otherSelections = []
    var edits: [EditorHistory.Edit] = []
    var ends: [TextPosition] = []
    for (range, text) in replacements {
      let removed = buffer.text(in: range)
      ends.append(apply(range, text))
      edits.append(EditorHistory.Edit(start: range.lowerBound, removed: removed, inserted: text))
    }
    let after = selecting(ends)
    selection = TextSelection(anchor: buffer.clamp(after.anchor), cursor: buffer.clamp(after.cursor))
    goalColumn = nil
    history.record(edits, kind: kind, before: before, after: Cursors(primary: selection))
  }

  /// Continues the version numbers from another start, to make them unique among editors.
  package mutating func countVersions(from first: Int) { version = first + version & (1 << 32 - 1) }

  private mutating func apply(_ range: Range<TextPosition>, _ text: String) -> TextPosition {
    let removedLines = range.upperBound.line - range.lowerBound.line + 1
    let removed = hasHadReferences ? marks(in: range) : []
    let end = buffer.replace(range, with: text)
    if hasHadReferences { moveReferences(by: range, to: end, inserted: text, removed: removed) }
    version += 1
    folds = foldsMoved(by: range, to: end)
    syntax.replaceLines(
      range.lowerBound.line, removed: removedLines, inserted: end.line - range.lowerBound.line + 1, in: buffer.lines)
    return end
  }

  /// Makes all changes since the history had `count` entries one undo step.
  mutating func joinHistory(since count: Int) { history.join(since: count) }

  package mutating func undo() {
    guard let group = history.popUndo() else { return }
    for edit in group.edits.reversed() {
      guard holds(edit.inserted, at: edit.start) else { return history = EditorHistory() }
      _ = apply(edit.start..<edit.start.advanced(by: edit.inserted), edit.removed)
    }
    restoreReferences(at: group.edits.map(\.start))
    set(group.before)
  }

  /// Whether a text is at a position. A restored history may belong to another text.
  private func holds(_ text: String, at start: TextPosition) -> Bool {
    let end = start.advanced(by: text)
    guard buffer.clamp(start) == start, buffer.clamp(end) == end else { return false }
    return buffer.text(in: start..<end) == TextBuffer(text).text
  }

  package mutating func restore(_ history: EditorHistory) { self.history = history }

  package mutating func redo() {
    guard let group = history.takeRedo() else { return }
    for edit in group.edits {
      guard holds(edit.removed, at: edit.start) else { return history = EditorHistory() }
      _ = apply(edit.start..<edit.start.advanced(by: edit.removed), edit.inserted)
    }
    restoreReferences(at: group.edits.map(\.start))
    set(group.after)
  }
}

extension TextPosition {
  /// Returns the position after a text that starts here.
  package func advanced(by text: String) -> TextPosition {
    let buffer = TextBuffer(text)
    let end = buffer.end
    return end.line == 0 ? TextPosition(line, column + end.column) : TextPosition(line + end.line, end.column)
  }
}

extension Editor {
  /// Scrolls as little as needed to show the cursor's line.
  package mutating func revealCursor(rows: Int) {
    guard rows > 0 else { return }
    if cursor.line < scroll.line { scroll.line = cursor.line }
    if cursor.line >= scroll.line + rows { scroll.line = cursor.line - rows + 1 }
    scroll.line = min(scroll.line, max(0, buffer.lineCount - 1))
  }

  /// Scrolls so that a line is the first visible one.
  package mutating func scroll(toLine line: Int) {
    let line = min(max(0, line), max(0, buffer.lineCount - 1))
    if wraps, line != scroll.line { scroll.column = 0 }
    scroll.line = line
  }

  /// Moves the cursor into the visible area, after scrolling with the mouse wheel.
  package mutating func keepCursorInView(rows: Int) {
    let line = min(max(cursor.line, scroll.line), scroll.line + max(1, rows) - 1)
    guard line != cursor.line else { return }
    move(line > cursor.line ? .down(line - cursor.line) : .up(cursor.line - line))
  }
}
