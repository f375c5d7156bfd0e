/// An element of the vim grammar. Keys are bound to these elements in the vim contexts of the key table. Counts,
/// registers and literal characters are read in between.
package enum VimKey: Hashable, Sendable {
  case motion(VimMotionKey)
  case operation(VimOperator)
  case object(VimObject)
  case command(VimCommand)
  case control(VimControl)

  /// Whether a literal character must follow.
  var takesCharacter: Bool {
    [
      .motion(.findForward), .motion(.findBackward), .motion(.tillForward), .motion(.tillBackward),
      .motion(.goToMark), .motion(.goToMarkLine), .command(.replaceCharacter), .control(.register), .control(.setMark),
    ].contains(self)
  }

  /// The title in the help.
  package var title: String {
    switch self {
    case .motion(let key): key.title
    case .operation(let key): key.title
    case .object(let key): key.title
    case .command(let key): key.title
    case .control(let key): key.title
    }
  }
}

/// The names in a user's key file, such as `wordForward`.
extension VimKey: CaseIterable, RawRepresentable {
  package static let allCases: [VimKey] =
    VimMotionKey.allCases.map { .motion($0) } + VimOperator.allCases.map { .operation($0) }
    + VimObject.allCases.map { .object($0) } + VimCommand.allCases.map { .command($0) }
    + VimControl.allCases.map { .control($0) }

  package var rawValue: String {
    switch self {
    case .motion(let key): key.rawValue
    case .operation(let key): key.rawValue
    case .object(let key): key.rawValue
    case .command(let key): key.rawValue
    case .control(let key): key.rawValue
    }
  }

  package init?(rawValue: String) {
    guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = key
  }
}

/// A cursor motion.
package enum VimMotionKey: String, CaseIterable, Hashable, Sendable {
  case left, right, up, down, lineBelow, lineAbove
  case wordForward, bigWordForward, wordEnd, bigWordEnd, wordBackward, bigWordBackward, wordEndBackward
  case lineStart, lineText, lineEnd, documentStart, documentEnd, paragraphForward, paragraphBackward
  case matchingBracket, findForward, findBackward, tillForward, tillBackward, findAgain, findAgainBackward
  case searchForward, searchBackward, searchNext, searchPrevious, searchWord, searchWordBackward
  case screenTop, screenMiddle, screenBottom, goToMark, goToMarkLine

  var title: String {
    switch self {
    case .left: "Left"
    case .right: "Right"
    case .up: "Up"
    case .down: "Down"
    case .lineBelow: "First character of the line below"
    case .lineAbove: "First character of the line above"
    case .wordForward: "Next word"
    case .bigWordForward: "Next WORD"
    case .wordEnd: "End of the word"
    case .bigWordEnd: "End of the WORD"
    case .wordBackward: "Previous word"
    case .bigWordBackward: "Previous WORD"
    case .wordEndBackward: "End of the previous word"
    case .lineStart: "Start of the line"
    case .lineText: "First character of the line"
    case .lineEnd: "End of the line"
    case .documentStart: "First line, or the line given by the count"
    case .documentEnd: "Last line, or the line given by the count"
    case .paragraphForward: "Next empty line"
    case .paragraphBackward: "Previous empty line"
    case .matchingBracket: "Matching bracket"
    case .findForward: "To a character"
    case .findBackward: "To a character, backward"
    case .tillForward: "Up to a character"
    case .tillBackward: "Up to a character, backward"
    case .findAgain: "Repeat the character search"
    case .findAgainBackward: "Repeat the character search in the other direction"
    case .searchForward: "Search"
    case .searchBackward: "Search backward"
    case .searchNext: "Next match"
    case .searchPrevious: "Previous match"
    case .searchWord: "Search for the word under the cursor"
    case .searchWordBackward: "Search backward for the word under the cursor"
    case .screenTop: "First visible line"
    case .screenMiddle: "Middle visible line"
    case .screenBottom: "Last visible line"
    case .goToMark: "Go to a mark"
    case .goToMarkLine: "Go to the line of a mark"
    }
  }
}

/// An operation on the text covered by a motion or a text object.
package enum VimOperator: String, CaseIterable, Hashable, Sendable {
  case delete, change, yank, indent, outdent, comment, switchCase, lowercase, uppercase

  var title: String {
    switch self {
    case .delete: "Delete"
    case .change: "Change"
    case .yank: "Yank"
    case .indent: "Indent"
    case .outdent: "Outdent"
    case .comment: "Comment or uncomment"
    case .switchCase: "Switch case"
    case .lowercase: "Convert to lower case"
    case .uppercase: "Convert to upper case"
    }
  }
}

/// A text object at the cursor.
package enum VimObject: String, CaseIterable, Hashable, Sendable {
  case innerWord, aroundWord, innerBigWord, aroundBigWord, innerQuotes, aroundQuotes
  case innerParentheses, aroundParentheses, innerBraces, aroundBraces, innerBrackets, aroundBrackets
  case innerParagraph, aroundParagraph

  var title: String {
    switch self {
    case .innerWord: "Word"
    case .aroundWord: "Word and the blanks after it"
    case .innerBigWord: "WORD"
    case .aroundBigWord: "WORD and the blanks after it"
    case .innerQuotes: "Inside quotes"
    case .aroundQuotes: "Quotes and their content"
    case .innerParentheses: "Inside parentheses"
    case .aroundParentheses: "Parentheses and their content"
    case .innerBraces: "Inside braces"
    case .aroundBraces: "Braces and their content"
    case .innerBrackets: "Inside brackets"
    case .aroundBrackets: "Brackets and their content"
    case .innerParagraph: "Paragraph"
    case .aroundParagraph: "Paragraph and the empty lines after it"
    }
  }
}

/// A command that does not need a motion.
package enum VimCommand: String, CaseIterable, Hashable, Sendable {
  case deleteCharacter, deleteCharacterBackward, deleteToLineEnd, changeToLineEnd, yankLine
  case substituteCharacter, substituteLine, replaceCharacter, switchCharacterCase, joinLines, pasteAfter, pasteBefore
  case insert, insertAtLineText, append, appendAtLineEnd, openBelow, openAbove
  case undoChange, redoChange, repeatChange
  case visual, visualLine, visualAgain, swapEnds
  case halfPageDown, halfPageUp, pageDown, pageUp, scrollDown, scrollUp, lineToMiddle, lineToTop, lineToBottom

  var title: String {
    switch self {
    case .deleteCharacter: "Delete the character"
    case .deleteCharacterBackward: "Delete the character before the cursor"
    case .deleteToLineEnd: "Delete to the end of the line"
    case .changeToLineEnd: "Change to the end of the line"
    case .yankLine: "Yank the line"
    case .substituteCharacter: "Change the character"
    case .substituteLine: "Change the line"
    case .replaceCharacter: "Replace the character"
    case .switchCharacterCase: "Switch the character's case"
    case .joinLines: "Join with the line below"
    case .pasteAfter: "Paste after the cursor"
    case .pasteBefore: "Paste before the cursor"
    case .insert: "Insert"
    case .insertAtLineText: "Insert at the line's first character"
    case .append: "Append"
    case .appendAtLineEnd: "Append at the end of the line"
    case .openBelow: "Open a line below"
    case .openAbove: "Open a line above"
    case .undoChange: "Undo"
    case .redoChange: "Redo"
    case .repeatChange: "Repeat the last change"
    case .visual: "Select characters"
    case .visualLine: "Select lines"
    case .visualAgain: "Restore the last selection"
    case .swapEnds: "Go to the other end of the selection"
    case .halfPageDown: "Half a page down"
    case .halfPageUp: "Half a page up"
    case .pageDown: "Page down"
    case .pageUp: "Page up"
    case .scrollDown: "Scroll down"
    case .scrollUp: "Scroll up"
    case .lineToMiddle: "Scroll the line to the middle"
    case .lineToTop: "Scroll the line to the top"
    case .lineToBottom: "Scroll the line to the bottom"
    }
  }
}

/// A key that prepares the next one, or ends a mode.
package enum VimControl: String, CaseIterable, Hashable, Sendable {
  case register, setMark, leave, commandLine

  var title: String {
    switch self {
    case .register: "Use a register"
    case .setMark: "Set a mark"
    case .leave: "Return to normal mode"
    case .commandLine: "Command line"
    }
  }
}
