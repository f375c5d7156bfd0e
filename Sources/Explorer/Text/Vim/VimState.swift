/// The state of the vim grammar: the mode, the pending command and the memory of previous ones.
package struct VimState: Equatable, Sendable {
  package enum Mode: Equatable, Sendable {
    case normal, insert, visual, visualLine

    package var title: String {
      switch self {
      case .normal: "NORMAL"
      case .insert: "INSERT"
      case .visual: "VISUAL"
      case .visualLine: "V-LINE"
      }
    }
  }

  /// Text that was yanked or deleted.
  package struct Register: Equatable, Sendable {
    package var text: String
    package var isLinewise: Bool
    /// Whether the text is from the headers, where `$` starts a variable.
    package var isFromHeaders = false
  }

  struct Find: Equatable, Sendable {
    var key: VimMotionKey
    var character: Character
  }

  package struct Search: Equatable, Sendable {
    package var text: String
    var isBackward: Bool
  }

  /// One input. The change that `.` repeats is a list of inputs.
  package enum Input: Equatable, Sendable {
    case key(VimKey)
    case character(Character)
    case typed(String)
    case command(TextCommand)
  }

  package internal(set) var mode = Mode.normal
  /// The count, the operator with its count, and the key that waits for a literal character.
  var count: Int?
  package internal(set) var operation: VimOperator?
  var operationCount: Int?
  package internal(set) var waiting: VimKey?
  var register: Character?

  package internal(set) var registers: [Character: Register] = [:]
  /// Whether the headers are edited, where `$` in text from elsewhere must be escaped.
  package var isInHeaders = false
  var marks: [Character: TextPosition] = [:]
  var find: Find?
  package internal(set) var search: Search?
  /// The start of visual mode. Its character is part of the selection.
  var anchor = TextPosition.start
  var lastVisual: (mode: Mode, anchor: TextPosition, cursor: TextPosition)? {
    get { storedVisual.map { ($0.mode, $0.anchor, $0.cursor) } }
    set { storedVisual = newValue.map { Visual(mode: $0.mode, anchor: $0.anchor, cursor: $0.cursor) } }
  }
  private var storedVisual: Visual?
  private struct Visual: Equatable, Sendable {
    var mode: Mode
    var anchor: TextPosition
    var cursor: TextPosition
  }

  /// Recorded inputs of the current command and of the last change.
  var recording: [Input] = []
  /// The text's version at the start of the recording. A command that changed the text can be repeated.
  var recordedVersion = 0
  var lastChange: [Input] = []
  var isRepeating = false
  /// The length of the editor's history at the start of insert mode, whose changes are one undo step.
  var historyMark: Int?
  /// The number of times that the typed text is inserted.
  var insertCount = 1
  /// Whether each repetition is on its own line.
  var insertOpensLines = false

  package init() {}

  package var isVisual: Bool { mode == .visual || mode == .visualLine }

  /// Keys of an incomplete command, as vim shows them: `"a2d`.
  package var pendingText: String {
    var text = register.map { "\"\($0)" } ?? ""
    if let operationCount { text += String(operationCount) }
    if let operation { text += VimKey.operation(operation).letter }
    if let count { text += String(count) }
    if let waiting { text += waiting.letter }
    return text
  }

  mutating func forgetPending() {
    count = nil
    operation = nil
    operationCount = nil
    waiting = nil
    register = nil
  }

  /// The product of both counts, as in vim: `2d3w` deletes six words.
  var fullCount: Int? {
    guard count != nil || operationCount != nil else { return nil }
    return min(100_000, (count ?? 1) * (operationCount ?? 1))
  }
}

extension VimKey {
  /// The character displayed for the key in an incomplete command.
  fileprivate var letter: String { Self.letters[self] ?? "" }

  private static let letters: [VimKey: String] = [
    .operation(.delete): "d", .operation(.change): "c", .operation(.yank): "y", .operation(.indent): ">",
    .operation(.outdent): "<", .operation(.comment): "gc", .operation(.switchCase): "g~",
    .operation(.lowercase): "gu", .operation(.uppercase): "gU", .motion(.findForward): "f",
    .motion(.findBackward): "F", .motion(.tillForward): "t", .motion(.tillBackward): "T", .motion(.goToMark): "`",
    .motion(.goToMarkLine): "'", .command(.replaceCharacter): "r", .control(.register): "\"", .control(.setMark): "m",
  ]
}
