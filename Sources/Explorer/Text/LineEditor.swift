/// One line that is typed: its text, and the cursor in it. Every field, filter, search and prompt is one.
package struct LineEditor: Equatable, Sendable {
  private var buffer: TextBuffer
  private var cursor: TextPosition
  /// Whether the text is only offered: what is typed first takes its place, anything else keeps it.
  package private(set) var isOffered: Bool

  /// The cursor stands behind the text.
  package init(_ text: String = "", isOffered: Bool = false) {
    buffer = TextBuffer(text)
    cursor = buffer.end
    self.isOffered = isOffered
  }

  /// A request that is imported may have several lines; anything else has one.
  package var text: String { buffer.text }
  package var isEmpty: Bool { buffer.isEmpty }
  /// UTF-8 bytes before the cursor, which stands between two characters as a reader sees them.
  package var cursorOffset: Int { buffer.offset(of: cursor) }

  package mutating func insert(_ text: String) {
    if isOffered { self = LineEditor() }
    let end = buffer.replace(cursor..<cursor, with: text)
    cursor = buffer.clamp(end)
  }

  /// Puts the cursor behind so many UTF-8 bytes.
  package mutating func place(_ offset: Int) {
    isOffered = false
    cursor = buffer.clamp(buffer.position(of: offset))
  }

  /// Does what a command means in a line; false for one that means nothing there.
  package mutating func perform(_ command: TextCommand) -> Bool {
    switch command {
    case .moveLeft: cursor = buffer.position(before: cursor)
    case .moveRight: cursor = buffer.position(after: cursor)
    case .moveWordLeft: cursor = buffer.wordStart(before: cursor)
    case .moveWordRight: cursor = buffer.wordEnd(after: cursor)
    case .moveLineStart: cursor = .start
    case .moveLineEnd: cursor = buffer.end
    case .deleteBackward: delete(to: buffer.position(before: cursor))
    case .deleteForward: delete(to: buffer.position(after: cursor))
    case .deleteWordBackward: delete(to: buffer.wordStart(before: cursor))
    case .deleteWordForward: delete(to: buffer.wordEnd(after: cursor))
    case .deleteToLineStart: delete(to: .start)
    case .deleteToLineEnd: delete(to: buffer.end)
    case .moveUp, .moveDown, .movePageUp, .movePageDown, .moveDocumentStart, .moveDocumentEnd, .selectLeft,
      .selectRight, .selectWordLeft, .selectWordRight, .selectUp, .selectDown, .selectPageUp, .selectPageDown,
      .selectLineStart, .selectLineEnd, .selectDocumentStart, .selectDocumentEnd, .selectAll, .insertNewline, .indent,
      .outdent, .toggleComment, .undo, .redo:
      return false
    }
    isOffered = false
    return true
  }

  private mutating func delete(to place: TextPosition) {
    let start = min(cursor, place)
    buffer.replace(start..<max(cursor, place), with: "")
    cursor = buffer.clamp(start)
  }
}
