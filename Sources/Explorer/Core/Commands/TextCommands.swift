import ApusExplorerText

/// Commands for moving and editing, in the editors and, if applicable, in input lines.
extension Command {
  static let editors: [Command] = [
    completeOrIndent, complete, toggleComment, outdent, insertNewline, undo, redo, cut, paste, selectAll,
    addCursorAtNextMatch, addCursorAbove, addCursorBelow, moveLeft, moveRight, moveUp, moveDown, moveWordLeft,
    moveWordRight, moveLineStart, moveLineEnd, movePageUp, movePageDown, moveDocumentStart, moveDocumentEnd,
    selectLeft, selectRight, selectUp, selectDown, selectWordLeft, selectWordRight, selectLineStart, selectLineEnd,
    selectPageUp, selectPageDown, selectDocumentStart, selectDocumentEnd, deleteBackward, deleteForward,
    deleteWordBackward, deleteWordForward, deleteToLineStart, deleteToLineEnd,
  ]

  package static let completeOrIndent = Command(
    "completeOrIndent", "Complete, otherwise indent",
    .keys(.query, "Tab", footer: "complete"),
    .keys(.editors, "Tab", help: "Complete after a word, otherwise indent"),
    inPalette: false
  ) { $0.completeOrIndent() }

  package static let complete = Command(
    "complete", "Complete",
    .keys(.editors, "Ctrl-Space"),
    unless: { $0.reasonInEditor { _ in nil } }
  ) { $0.askForCompletions(isAsked: true) }

  package static let toggleComment = Command(
    .toggleComment, "Comment or uncomment lines",
    .keys(.editors, "Ctrl-/", "Ctrl-_"),
    unless: {
      $0.reasonInEditor { $0.buffer.lines.allSatisfy { $0.allSatisfy(\.isWhitespace) } ? "There is no line" : nil }
    }
  )

  package static let outdent = Command(.outdent, "Outdent", .keys(.editors, "Shift-Tab"), inPalette: false)

  package static let insertNewline = Command(
    .insertNewline, "New line", .keys(.editors, "Enter", "Ctrl-J"), inPalette: false)

  package static let undo = Command(
    .undo, "Undo",
    .keys(.editors, "Ctrl-Z"),
    .keys(.form, "Ctrl-Z"),
    unless: { $0.reasonInEditor { $0.history.canUndo ? nil : "There is nothing to undo" } }
  )

  package static let redo = Command(
    .redo, "Redo",
    .keys(.editors, "Ctrl-Y", "Ctrl-Shift-z"),
    .keys(.form, "Ctrl-Y", "Ctrl-Shift-z"),
    unless: { $0.reasonInEditor { $0.history.canRedo ? nil : "There is nothing to redo" } }
  )

  package static let cut = Command(
    "cut", "Cut",
    .keys(.editors, "Ctrl-X"),
    unless: { $0.reasonInEditor { $0.selectedText.isEmpty ? "Nothing is selected" : nil } }
  ) { $0.cut() }

  package static let paste = Command(
    "paste", "Paste",
    .keys(.editors, "Ctrl-V"),
    .keys(.input, "Ctrl-V"),
    unless: { $0.reasonAgainstPasting }
  ) { $0.pasteFromClipboard() }

  package static let selectAll = Command(
    .selectAll, "Select all",
    .keys(.editors, "Ctrl-A"),
    unless: { $0.reasonInEditor { _ in nil } }
  )

  package static let addCursorAtNextMatch = Command(
    "addCursorAtNextMatch", "Select the word, then add a cursor at its next occurrence",
    .keys(.editors, "Ctrl-D"),
    unless: { $0.reasonAgainstCursors }
  ) { $0.addCursorAtNextMatch() }

  package static let addCursorAbove = Command(
    "addCursorAbove", "Add a cursor on the line above",
    .keys(.editors, "Ctrl-Up", "Ctrl-Alt-Up"),
    unless: { $0.reasonAgainstCursors }
  ) { $0.addCursor(above: true) }

  package static let addCursorBelow = Command(
    "addCursorBelow", "Add a cursor on the line below",
    .keys(.editors, "Ctrl-Down", "Ctrl-Alt-Down"),
    unless: { $0.reasonAgainstCursors }
  ) { $0.addCursor(above: false) }

  package static let moveLeft = Command(
    .moveLeft, "Left",
    .keys(.editors, "Left"),
    .keys(.input, "Left", "Ctrl-B"),
    inPalette: false
  )

  package static let moveRight = Command(
    .moveRight, "Right",
    .keys(.editors, "Right"),
    .keys(.input, "Right", "Ctrl-F"),
    inPalette: false
  )

  package static let moveUp = Command(.moveUp, "Up", .keys(.editors, "Up"), inPalette: false)

  package static let moveDown = Command(.moveDown, "Down", .keys(.editors, "Down"), inPalette: false)

  package static let moveWordLeft = Command(
    .moveWordLeft, "Word left",
    .keys(.editors, "Ctrl-Left", "Alt-b"),
    .keys(.input, "Ctrl-Left", "Alt-b"),
    inPalette: false
  )

  package static let moveWordRight = Command(
    .moveWordRight, "Word right",
    .keys(.editors, "Ctrl-Right", "Alt-w"),
    .keys(.input, "Ctrl-Right", "Alt-f"),
    inPalette: false
  )

  package static let moveLineStart = Command(
    .moveLineStart, "Start of the line",
    .keys(.editors, "Home"),
    .keys(.input, "Home", "Ctrl-A", help: "Go to the start"),
    inPalette: false
  )

  package static let moveLineEnd = Command(
    .moveLineEnd, "End of the line",
    .keys(.editors, "End", "Ctrl-E"),
    .keys(.input, "End", "Ctrl-E", help: "Go to the end"),
    inPalette: false
  )

  package static let movePageUp = Command(.movePageUp, "Page up", .keys(.editors, "PageUp"), inPalette: false)

  package static let movePageDown = Command(.movePageDown, "Page down", .keys(.editors, "PageDown"), inPalette: false)

  package static let moveDocumentStart = Command(
    .moveDocumentStart, "Start of the document",
    .keys(.editors, "Ctrl-Home"),
    inPalette: false
  )

  package static let moveDocumentEnd = Command(
    .moveDocumentEnd, "End of the document",
    .keys(.editors, "Ctrl-End"),
    inPalette: false
  )

  package static let selectLeft = Command(.selectLeft, "Select left", .keys(.editors, "Shift-Left"), inPalette: false)

  package static let selectRight = Command(
    .selectRight, "Select right", .keys(.editors, "Shift-Right"), inPalette: false)

  package static let selectUp = Command(.selectUp, "Select up", .keys(.editors, "Shift-Up"), inPalette: false)

  package static let selectDown = Command(.selectDown, "Select down", .keys(.editors, "Shift-Down"), inPalette: false)

  package static let selectWordLeft = Command(
    .selectWordLeft, "Select word left",
    .keys(.editors, "Ctrl-Shift-Left"),
    inPalette: false
  )

  package static let selectWordRight = Command(
    .selectWordRight, "Select word right",
    .keys(.editors, "Ctrl-Shift-Right"),
    inPalette: false
  )

  package static let selectLineStart = Command(
    .selectLineStart, "Select to the start of the line",
    .keys(.editors, "Shift-Home"),
    inPalette: false
  )

  package static let selectLineEnd = Command(
    .selectLineEnd, "Select to the end of the line",
    .keys(.editors, "Shift-End"),
    inPalette: false
  )

  package static let selectPageUp = Command(
    .selectPageUp, "Select page up",
    .keys(.editors, "Shift-PageUp"),
    inPalette: false
  )

  package static let selectPageDown = Command(
    .selectPageDown, "Select page down",
    .keys(.editors, "Shift-PageDown"),
    inPalette: false
  )

  package static let selectDocumentStart = Command(
    .selectDocumentStart, "Select to the start of the document",
    .keys(.editors, "Ctrl-Shift-Home"),
    inPalette: false
  )

  package static let selectDocumentEnd = Command(
    .selectDocumentEnd, "Select to the end of the document",
    .keys(.editors, "Ctrl-Shift-End"),
    inPalette: false
  )

  package static let deleteBackward = Command(
    .deleteBackward, "Delete backward",
    .keys(.editors, "Backspace", "Ctrl-H"),
    .keys(.input, "Backspace", "Ctrl-H"),
    .keys(.jump, "Backspace", "Ctrl-H"),
    .keys(.form, "Backspace", "Ctrl-H", help: "Delete the last typed character"),
    .keys(.schema, "Backspace", "Ctrl-H", help: "Shorten the search, otherwise go back"),
    inPalette: false
  )

  package static let deleteForward = Command(
    .deleteForward, "Delete forward",
    .keys(.editors, "Delete"),
    .keys(.input, "Delete", "Ctrl-D"),
    inPalette: false
  )

  package static let deleteWordBackward = Command(
    .deleteWordBackward, "Delete word backward",
    .keys(.editors, "Ctrl-W", "Ctrl-Backspace", "Alt-Backspace"),
    .keys(.input, "Ctrl-W", "Ctrl-Backspace", "Alt-Backspace"),
    inPalette: false
  )

  package static let deleteWordForward = Command(
    .deleteWordForward, "Delete word forward",
    .keys(.editors, "Ctrl-Delete", "Alt-d"),
    .keys(.input, "Alt-d", "Ctrl-Delete"),
    inPalette: false
  )

  package static let deleteToLineStart = Command(
    .deleteToLineStart, "Delete to the start",
    .keys(.input, "Ctrl-U"),
    inPalette: false
  )

  package static let deleteToLineEnd = Command(
    .deleteToLineEnd, "Delete to the end",
    .keys(.input, "Ctrl-K"),
    inPalette: false
  )
}

extension ExplorerState {
  func reasonInEditor(_ reason: (Editor) -> String?) -> String? {
    guard let editor else { return "Only in an editor" }
    return reason(editor)
  }

  fileprivate var reasonAgainstPasting: String? {
    reasonInEditor { _ in typing.clipboard.isEmpty ? "The clipboard is empty" : nil }
  }

  fileprivate var reasonAgainstCursors: String? {
    reasonInEditor { _ in
      typing.vim.map { $0.mode == .insert ? nil : "Vim has a single cursor outside insert mode" } ?? nil
    }
  }
}
