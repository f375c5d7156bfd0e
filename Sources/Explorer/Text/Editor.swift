/// A selection: the place it was begun at, and the cursor. Equal places are a cursor alone.
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

/// A text being edited: the buffer, the selection, the history, and where it is scrolled to.
package struct Editor: Equatable, Sendable {
  package enum Language: Equatable, Sendable { case graphQL, json, plain }

  package let language: Language
  package private(set) var buffer: TextBuffer
  /// Of several cursors the one that was set last.
  package private(set) var selection: TextSelection
  package internal(set) var otherSelections: [TextSelection] = []
  package internal(set) var history = EditorHistory()
  /// Counts changes of the text, so that what was computed for an older one is known to be old.
  package private(set) var version = 0
  package private(set) var syntax: SyntaxLines
  /// Where what is in view begins: a line, and the cells of every line that lie left of the view. Where long lines are
  /// wrapped, a line and the column at which its first row in view begins.
  package var scroll = TextPosition.start
  /// Lines that are put away behind the first of them.
  package var folds: [ClosedRange<Int>] = []
  /// Long lines are shown on several rows.
  package var wraps = false
  private var goalColumn: Int?

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

  var cursors: Cursors { Cursors(own: selection, others: otherSelections) }

  mutating func set(_ cursors: Cursors) {
    select(cursors.own)
    otherSelections = cursors.others.map {
      TextSelection(anchor: buffer.clamp($0.anchor), cursor: buffer.clamp($0.cursor))
    }
  }

  // MARK: Moving

  package mutating func move(_ movement: Movement, selecting: Bool = false) {
    history.seal()
    otherSelections = []
    let from = selection.cursor
    if !selecting && !selection.isEmpty {
      // An arrow out of a selection goes to the selection's edge, as everywhere.
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

  package mutating func place(_ position: TextPosition, selecting: Bool = false) {
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

  /// Replaces everything, as a file that is opened does: undo brings the old text back.
  package mutating func setText(_ text: String) {
    change([(.start..<buffer.end, text)], kind: .other) { _ in TextSelection(.start) }
  }

  package mutating func replace(_ range: Range<TextPosition>, with text: String, kind: EditorHistory.Kind = .other) {
    change([(range, text)], kind: kind) { TextSelection($0[0]) }
  }

  /// Makes several replacements as one group, given from the last place in the text to the first, so that none moves another.
  mutating func change(
    _ replacements: [(Range<TextPosition>, String)], kind: EditorHistory.Kind,
    selecting: (_ ends: [TextPosition]) -> TextSelection
  ) {
    let before = Cursors(own: selection)
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
    history.record(edits, kind: kind, before: before, after: Cursors(own: selection))
  }

  /// Counts the versions from another number on, so that no other text has the same.
  package mutating func countVersions(from first: Int) { version = first + version & (1 << 32 - 1) }

  private mutating func apply(_ range: Range<TextPosition>, _ text: String) -> TextPosition {
    let removedLines = range.upperBound.line - range.lowerBound.line + 1
    let end = buffer.replace(range, with: text)
    version += 1
    folds = foldsMoved(by: range, to: end)
    syntax.replaceLines(
      range.lowerBound.line, removed: removedLines, inserted: end.line - range.lowerBound.line + 1, in: buffer.lines)
    return end
  }

  /// Makes all changes since the history was so long undo as one.
  mutating func joinHistory(since count: Int) { history.join(since: count) }

  package mutating func undo() {
    guard let group = history.takeUndo() else { return }
    for edit in group.edits.reversed() {
      guard holds(edit.inserted, at: edit.start) else { return history = EditorHistory() }
      _ = apply(edit.start..<edit.start.advanced(by: edit.inserted), edit.removed)
    }
    set(group.before)
  }

  /// A history that was kept may be of another text: what it would take away must be there.
  private func holds(_ text: String, at start: TextPosition) -> Bool {
    let end = start.advanced(by: text)
    guard buffer.clamp(start) == start, buffer.clamp(end) == end else { return false }
    return buffer.text(in: start..<end) == TextBuffer(text).text
  }

  /// Takes what could be undone when the text was kept.
  package mutating func restore(_ history: EditorHistory) { self.history = history }

  package mutating func redo() {
    guard let group = history.takeRedo() else { return }
    for edit in group.edits {
      guard holds(edit.removed, at: edit.start) else { return history = EditorHistory() }
      _ = apply(edit.start..<edit.start.advanced(by: edit.removed), edit.inserted)
    }
    set(group.after)
  }
}

extension TextPosition {
  /// The place behind a text that begins here.
  package func advanced(by text: String) -> TextPosition {
    let buffer = TextBuffer(text)
    let end = buffer.end
    return end.line == 0 ? TextPosition(line, column + end.column) : TextPosition(line + end.line, end.column)
  }
}

extension Editor {
  /// Scrolls as little as keeps the cursor's line in view.
  package mutating func revealCursor(rows: Int) {
    guard rows > 0 else { return }
    if cursor.line < scroll.line { scroll.line = cursor.line }
    if cursor.line >= scroll.line + rows { scroll.line = cursor.line - rows + 1 }
    scroll.line = min(scroll.line, max(0, buffer.lineCount - 1))
  }

  /// Begins the view with a line.
  package mutating func scroll(toLine line: Int) {
    let line = min(max(0, line), max(0, buffer.lineCount - 1))
    if wraps, line != scroll.line { scroll.column = 0 }
    scroll.line = line
  }

  /// After a wheel the cursor goes along with the view.
  package mutating func keepCursorInView(rows: Int) {
    let line = min(max(cursor.line, scroll.line), scroll.line + max(1, rows) - 1)
    guard line != cursor.line else { return }
    move(line > cursor.line ? .down(line - cursor.line) : .up(cursor.line - line))
  }
}
