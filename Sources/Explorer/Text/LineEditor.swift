/// A line of text being edited, and its cursor. All fields, filters, searches and prompts use it.
package struct LineEditor: Equatable, Sendable {
  private var buffer: TextBuffer
  private var cursor: TextPosition
  /// Whether the text is a suggestion, which typing and deleting replace and any other key accepts.
  package private(set) var isOffered: Bool

  /// Creates an editor with the cursor after the text.
  package init(_ text: String = "", isOffered: Bool = false) {
    buffer = TextBuffer(text)
    cursor = buffer.end
    self.isOffered = isOffered
  }

  /// The text. It may have several lines if a request is imported; otherwise it is one line.
  package var text: String { buffer.text }
  package var isEmpty: Bool { buffer.isEmpty }
  /// The offset of the cursor in UTF-8 bytes.
  package var cursorOffset: Int { buffer.offset(of: cursor) }

  package mutating func insert(_ text: String) {
    if isOffered { self = LineEditor() }
    let end = buffer.replace(cursor..<cursor, with: text)
    cursor = buffer.clamp(end)
  }

  /// Moves the cursor to an offset in UTF-8 bytes.
  package mutating func moveCursor(_ offset: Int) {
    isOffered = false
    cursor = buffer.clamp(buffer.position(of: offset))
  }

  /// Performs a command. Returns false if it does not apply to a line.
  package mutating func perform(_ command: TextCommand) -> Bool {
    switch command {
    case .deleteBackward where isOffered, .deleteForward where isOffered: self = LineEditor()
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

  private mutating func delete(to target: TextPosition) {
    let start = min(cursor, target)
    buffer.replace(start..<max(cursor, target), with: "")
    cursor = buffer.clamp(start)
  }
}
