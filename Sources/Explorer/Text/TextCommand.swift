/// A named editing command, which can be bound to a key.
package enum TextCommand: String, CaseIterable, Equatable, Sendable {
  case moveLeft, moveRight, moveWordLeft, moveWordRight, moveUp, moveDown, movePageUp, movePageDown
  case moveLineStart, moveLineEnd, moveDocumentStart, moveDocumentEnd
  case selectLeft, selectRight, selectWordLeft, selectWordRight, selectUp, selectDown, selectPageUp, selectPageDown
  case selectLineStart, selectLineEnd, selectDocumentStart, selectDocumentEnd, selectAll
  case insertNewline, indent, outdent, toggleComment
  case deleteBackward, deleteForward, deleteWordBackward, deleteWordForward, deleteToLineStart, deleteToLineEnd
  case undo, redo

  /// Returns the movement of the command and whether it selects; nil if it is not a movement.
  func movement(pageHeight: Int) -> (movement: CursorMovement, selects: Bool)? {
    switch self {
    case .moveLeft: (.left, false)
    case .moveRight: (.right, false)
    case .moveWordLeft: (.wordLeft, false)
    case .moveWordRight: (.wordRight, false)
    case .moveUp: (.up(1), false)
    case .moveDown: (.down(1), false)
    case .movePageUp: (.up(pageHeight), false)
    case .movePageDown: (.down(pageHeight), false)
    case .moveLineStart: (.lineStart, false)
    case .moveLineEnd: (.lineEnd, false)
    case .moveDocumentStart: (.documentStart, false)
    case .moveDocumentEnd: (.documentEnd, false)
    case .selectLeft: (.left, true)
    case .selectRight: (.right, true)
    case .selectWordLeft: (.wordLeft, true)
    case .selectWordRight: (.wordRight, true)
    case .selectUp: (.up(1), true)
    case .selectDown: (.down(1), true)
    case .selectPageUp: (.up(pageHeight), true)
    case .selectPageDown: (.down(pageHeight), true)
    case .selectLineStart: (.lineStart, true)
    case .selectLineEnd: (.lineEnd, true)
    case .selectDocumentStart: (.documentStart, true)
    case .selectDocumentEnd: (.documentEnd, true)
    case .selectAll, .insertNewline, .indent, .outdent, .toggleComment, .deleteBackward, .deleteForward,
      .deleteWordBackward, .deleteWordForward, .deleteToLineStart, .deleteToLineEnd, .undo, .redo:
      nil
    }
  }

  /// Whether the command only moves the cursor.
  package var isMovement: Bool { movement(pageHeight: 1) != nil }

  /// Whether the command is part of typing, so that vim's repeat command replays it.
  var isTyping: Bool {
    switch self {
    case .insertNewline, .indent, .outdent, .deleteBackward, .deleteForward, .deleteWordBackward, .deleteWordForward,
      .deleteToLineStart, .deleteToLineEnd:
      true
    case .moveLeft, .moveRight, .moveWordLeft, .moveWordRight, .moveUp, .moveDown, .movePageUp, .movePageDown,
      .moveLineStart, .moveLineEnd, .moveDocumentStart, .moveDocumentEnd, .selectLeft, .selectRight, .selectWordLeft,
      .selectWordRight, .selectUp, .selectDown, .selectPageUp, .selectPageDown, .selectLineStart, .selectLineEnd,
      .selectDocumentStart, .selectDocumentEnd, .selectAll, .toggleComment, .undo, .redo:
      false
    }
  }
}

extension Editor {
  /// Performs a command, at each cursor if it applies to several.
  package mutating func perform(_ command: TextCommand, pageHeight: Int) {
    if let (movement, selects) = command.movement(pageHeight: pageHeight) {
      return atEachCursor { $0.move(movement, selecting: selects) }
    }
    switch command {
    case .selectAll: selectAll()
    case .insertNewline: atEachCursor { $0.insertNewline() }
    case .indent: atEachCursor { $0.indentLines() }
    case .outdent: outdentLines()
    case .toggleComment: toggleComment()
    case .deleteBackward: atEachCursor { $0.deleteBackward() }
    case .deleteForward: atEachCursor { $0.deleteForward() }
    case .deleteWordBackward: atEachCursor { $0.deleteBackward(by: .wordLeft) }
    case .deleteWordForward: atEachCursor { $0.deleteForward(by: .wordRight) }
    case .deleteToLineStart: atEachCursor { $0.deleteBackward(by: .lineStart) }
    case .deleteToLineEnd: atEachCursor { $0.deleteForward(by: .lineEnd) }
    case .undo: undo()
    case .redo: redo()
    case .moveLeft, .moveRight, .moveWordLeft, .moveWordRight, .moveUp, .moveDown, .movePageUp, .movePageDown,
      .moveLineStart, .moveLineEnd, .moveDocumentStart, .moveDocumentEnd, .selectLeft, .selectRight, .selectWordLeft,
      .selectWordRight, .selectUp, .selectDown, .selectPageUp, .selectPageDown, .selectLineStart, .selectLineEnd,
      .selectDocumentStart, .selectDocumentEnd:
      break
    }
  }
}
