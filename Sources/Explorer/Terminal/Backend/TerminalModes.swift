/// What a terminal answered when it was asked what it can do.
package enum TerminalAnswer: Equatable, Sendable {
  /// It knows the Kitty keyboard protocol; the flags are those that are set.
  case keyboardFlags(Int)
  /// How a private mode stands (DECRPM): 0 unknown, 1 set, 2 not set, 3 and 4 fixed.
  case mode(Int, setting: Int)
  /// The primary device attributes, which every terminal answers: whatever was asked before has its answer, or none.
  case attributes
}

/// The modes of the terminal that are used where it offers them, and left as they were found: the Kitty keyboard protocol,
/// reports of the focus (1004) and synchronized output (2026).
///
/// 1. `questions` are written once. Nothing waits for answers: until one comes, its mode is not used.
/// 2. Each answer may turn a mode on; it returns what is to be written for that.
/// 3. `leaving` and `entering` undo and redo what was turned on, as often as the terminal changes hands.
package struct TerminalModes: Sendable {
  /// The keyboard flags that are asked for: keys that were ambiguous, and what a key gives with Shift.
  private static let keyboardFlags = 1 | 4

  private(set) var usesKeyboardProtocol = false
  private(set) var reportsFocus = false
  package private(set) var synchronizes = false
  /// Whether answers may still be on their way.
  package private(set) var isAwaitingAnswers = false

  package init() {}

  /// To be written before the first frame, which clears what a terminal may print of a question that it does not know.
  package mutating func questions() -> String {
    isAwaitingAnswers = true
    return "\u{1B}[?u\u{1B}[?2026$p\u{1B}[?1004$p\u{1B}[c"
  }

  /// Takes an answer; returns what is to be written because of it.
  package mutating func take(_ answer: TerminalAnswer) -> String {
    switch answer {
    case .attributes: isAwaitingAnswers = false
    case .keyboardFlags:
      guard isAwaitingAnswers, !usesKeyboardProtocol else { break }
      usesKeyboardProtocol = true
      return pushesKeyboardFlags
    case .mode(2026, let setting): synchronizes = synchronizes || setting == 1 || setting == 2
    // One that was set stays set.
    case .mode(1004, setting: 2): return reportFocus()
    case .mode: break
    }
    return ""
  }

  /// Asks for reports of the focus; tmux knows them, though it does not answer the question.
  package mutating func reportFocus() -> String {
    guard !reportsFocus else { return "" }
    reportsFocus = true
    return "\u{1B}[?1004h"
  }

  /// Nothing more is expected.
  package mutating func stopAwaiting() { isAwaitingAnswers = false }

  /// To be written when the terminal is taken again.
  package var entering: String {
    (usesKeyboardProtocol ? pushesKeyboardFlags : "") + (reportsFocus ? "\u{1B}[?1004h" : "")
  }

  /// The same after a stop in which nothing was given back: what was pushed is still there, and only set anew.
  package var renewing: String {
    (usesKeyboardProtocol ? "\u{1B}[=\(Self.keyboardFlags);1u" : "") + (reportsFocus ? "\u{1B}[?1004h" : "")
  }

  /// To be written before the terminal is given back, on its second screen, which has keyboard flags of its own.
  package var leaving: String {
    (synchronizes ? ControlSequences.synchronizedEnd : "") + (reportsFocus ? "\u{1B}[?1004l" : "")
      + (usesKeyboardProtocol ? "\u{1B}[<u" : "")
  }

  private var pushesKeyboardFlags: String { "\u{1B}[>\(Self.keyboardFlags)u" }
}
