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

/// The names in a user's key file.
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
    case .bigWordForward: "Next word between blanks"
    case .wordEnd: "End of the word"
    case .bigWordEnd: "End of the word between blanks"
    case .wordBackward: "Word before"
    case .bigWordBackward: "Word between blanks before"
    case .wordEndBackward: "End of the word before"
    case .lineStart: "Start of the line"
    case .lineText: "First character of the line"
    case .lineEnd: "End of the line"
    case .documentStart: "First line, or the line of the count"
    case .documentEnd: "Last line, or the line of the count"
    case .paragraphForward: "Next empty line"
    case .paragraphBackward: "Empty line before"
    case .matchingBracket: "Bracket that matches"
    case .findForward: "To a character"
    case .findBackward: "To a character before"
    case .tillForward: "Up to a character"
    case .tillBackward: "Up to a character before"
    case .findAgain: "To that character again"
    case .findAgainBackward: "To that character, the other way"
    case .searchForward: "Search"
    case .searchBackward: "Search backward"
    case .searchNext: "Next match"
    case .searchPrevious: "Match before"
    case .searchWord: "Search the word under the cursor"
    case .searchWordBackward: "Search that word backward"
    case .screenTop: "First line in view"
    case .screenMiddle: "Middle line in view"
    case .screenBottom: "Last line in view"
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
    case .comment: "Comment in or out"
    case .switchCase: "Switch case"
    case .lowercase: "Lower case"
    case .uppercase: "Upper case"
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
    case .innerWord: "The word"
    case .aroundWord: "The word and the blanks behind it"
    case .innerBigWord: "The word between blanks"
    case .aroundBigWord: "That word and the blanks behind it"
    case .innerQuotes: "What is in quotes"
    case .aroundQuotes: "Quotes and what is in them"
    case .innerParentheses: "What is in parentheses"
    case .aroundParentheses: "Parentheses and what is in them"
    case .innerBraces: "What is in braces"
    case .aroundBraces: "Braces and what is in them"
    case .innerBrackets: "What is in brackets"
    case .aroundBrackets: "Brackets and what is in them"
    case .innerParagraph: "The lines between empty ones"
    case .aroundParagraph: "Those lines and the empty ones behind"
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
    case .deleteCharacterBackward: "Delete the character before"
    case .deleteToLineEnd: "Delete to the end of the line"
    case .changeToLineEnd: "Change to the end of the line"
    case .yankLine: "Yank the line"
    case .substituteCharacter: "Change the character"
    case .substituteLine: "Change the line"
    case .replaceCharacter: "Replace the character"
    case .switchCharacterCase: "Switch the character's case"
    case .joinLines: "Join with the line below"
    case .pasteAfter: "Put behind the cursor"
    case .pasteBefore: "Put before the cursor"
    case .insert: "Insert"
    case .insertAtLineText: "Insert at the line's first character"
    case .append: "Append"
    case .appendAtLineEnd: "Append at the end of the line"
    case .openBelow: "Open a line below"
    case .openAbove: "Open a line above"
    case .undoChange: "Undo"
    case .redoChange: "Redo"
    case .repeatChange: "Do the last change again"
    case .visual: "Select characters"
    case .visualLine: "Select lines"
    case .visualAgain: "Select again what was selected"
    case .swapEnds: "Go to the other end"
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
    case .leave: "Back to normal"
    case .commandLine: "Command line"
    }
  }
}
