/// A response of the terminal to a query of its capabilities.
package enum TerminalResponse: Equatable, Sendable {
  /// The Kitty keyboard protocol is supported; the flags are those that are set.
  case keyboardFlags(Int)
  /// The state of a private mode (DECRPM): 0 unknown, 1 set, 2 reset, 3 and 4 permanent. `ESC [ ? 2026 ; 2 $ y` is
  /// `mode(2026, setting: 2)`.
  case mode(Int, setting: Int)
  /// The primary device attributes, which every terminal reports. All earlier queries are then answered, or will not
  /// be.
  case attributes
  /// The terminal's color scheme has changed (mode 2031).
  case colorScheme(isDark: Bool)
}

/// Optional modes of the terminal, which are restored at the end: the Kitty keyboard protocol, focus reports (1004),
/// reports of the color scheme (2031), synchronized output (2026), and Escape as the prefix of keys with Alt (1036 and
/// 1039 of xterm).
///
/// 1. `questions` is written once. A mode is used only after the terminal reported it, and nothing waits for that.
/// 2. Each response may enable a mode; `take` returns the bytes to write for it.
/// 3. `leaving` and `entering` disable and enable these modes whenever another program gets the terminal.
package struct TerminalModes: Sendable {
  /// Requested keyboard flags: disambiguate keys, and report the shifted key.
  private static let keyboardFlags = 1 | 4

  private(set) var usesKeyboardProtocol = false
  private(set) var reportsFocus = false
  private(set) var reportsColorScheme = false
  package private(set) var synchronizes = false
  /// Modes for Alt that were enabled.
  private(set) var escapeModes: [Int] = []
  /// Whether responses may still arrive.
  package private(set) var isAwaitingAnswers = false

  package init() {}

  /// Returns the queries, to be written before the first frame, which clears anything that a terminal prints for an
  /// unknown query.
  package mutating func questions() -> String {
    isAwaitingAnswers = true
    return "\u{1B}[?u\u{1B}[?2026$p\u{1B}[?1004$p\u{1B}[?2031$p\u{1B}[?1036$p\u{1B}[?1039$p\u{1B}[c"
  }

  /// Processes a response; returns the bytes to write for it.
  package mutating func handle(_ answer: TerminalResponse) -> String {
    switch answer {
    case .attributes: isAwaitingAnswers = false
    case .keyboardFlags:
      guard isAwaitingAnswers, !usesKeyboardProtocol else { break }
      usesKeyboardProtocol = true
      return pushesKeyboardFlags
    case .mode(2026, let setting): synchronizes = synchronizes || setting == 1 || setting == 2
    // A mode that was already set stays set.
    case .mode(1004, setting: 2): return reportFocus()
    case .mode(2031, setting: 2):
      guard !reportsColorScheme else { break }
      reportsColorScheme = true
      return "\u{1B}[?2031h"
    case .mode(let mode, setting: 2) where mode == 1036 || mode == 1039:
      guard isAwaitingAnswers, !escapeModes.contains(mode) else { break }
      escapeModes.append(mode)
      return "\u{1B}[?\(mode)h"
    case .mode, .colorScheme: break
    }
    return ""
  }

  /// Enables focus reports. tmux supports them, but does not answer the query.
  package mutating func reportFocus() -> String {
    guard !reportsFocus else { return "" }
    reportsFocus = true
    return "\u{1B}[?1004h"
  }

  /// Stops waiting for responses.
  package mutating func stopAwaiting() { isAwaitingAnswers = false }

  /// Bytes to write when the program gets the terminal again.
  package var entering: String {
    (usesKeyboardProtocol ? pushesKeyboardFlags : "") + setReports("h") + setEscapeModes("h")
  }

  /// Bytes to write after a stop during which the modes were not disabled. The pushed keyboard flags still exist,
  /// and are only set again.
  package var renewing: String {
    (usesKeyboardProtocol ? "\u{1B}[=\(Self.keyboardFlags);1u" : "") + setReports("h") + setEscapeModes("h")
  }

  private func setReports(_ final: String) -> String {
    (reportsFocus ? "\u{1B}[?1004\(final)" : "") + (reportsColorScheme ? "\u{1B}[?2031\(final)" : "")
  }

  private func setEscapeModes(_ final: String) -> String {
    escapeModes.map { "\u{1B}[?\($0)\(final)" }.joined()
  }

  /// Bytes to write before another program gets the terminal, while the alternate screen is shown, which has its
  /// own keyboard flags.
  package var leaving: String {
    (synchronizes ? ControlSequences.synchronizedEnd : "") + setEscapeModes("l")
      + setReports("l") + (usesKeyboardProtocol ? "\u{1B}[<u" : "")
  }

  private var pushesKeyboardFlags: String { "\u{1B}[>\(Self.keyboardFlags)u" }
}
