/// Where the vim grammar stands: the mode, what was typed of a command, and what it remembers.
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

  /// A text that was yanked or deleted.
  package struct Register: Equatable, Sendable {
    package var text: String
    package var isLinewise: Bool
    /// Whether it was taken from the headers, where `$` has a meaning.
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

  /// One thing that was done to a text: what `.` does again is a list of them.
  package enum Input: Equatable, Sendable {
    case key(VimKey)
    case character(Character)
    case typed(String)
    case command(TextCommand)
  }

  package internal(set) var mode = Mode.normal
  /// The count, the operator with its own count, and the key that waits for a literal character.
  var count: Int?
  package internal(set) var operation: VimOperator?
  var operationCount: Int?
  package internal(set) var waiting: VimKey?
  var register: Character?

  package internal(set) var registers: [Character: Register] = [:]
  /// Whether the text that is worked on is the headers: what was taken from elsewhere is literal there.
  package var isInHeaders = false
  var marks: [Character: TextPosition] = [:]
  var find: Find?
  package internal(set) var search: Search?
  /// Where the visual mode began; the character there is selected too.
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

  /// What is being recorded for `.`, and the last change that was recorded.
  var recording: [Input] = []
  /// The text's version when the recording began: a command that changed it is one to repeat.
  var recordedVersion = 0
  var lastChange: [Input] = []
  var isRepeating = false
  /// How long the editor's history was when the insert mode began: what is typed in it undoes as one.
  var historyMark: Int?
  /// How often what is typed in the insert mode shall stand in the text.
  var insertCount = 1
  /// Whether each time is in a line of its own.
  var insertOpensLines = false

  package init() {}

  package var isVisual: Bool { mode == .visual || mode == .visualLine }

  /// What was typed of a command so far, as vim shows it.
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

  /// Both counts multiply, as in vim: `2d3w` deletes six words.
  var fullCount: Int? {
    guard count != nil || operationCount != nil else { return nil }
    return min(100_000, (count ?? 1) * (operationCount ?? 1))
  }
}

extension VimKey {
  /// The letter that stands for it while more is awaited.
  fileprivate var letter: String { Self.letters[self] ?? "" }

  private static let letters: [VimKey: String] = [
    .operation(.delete): "d", .operation(.change): "c", .operation(.yank): "y", .operation(.indent): ">",
    .operation(.outdent): "<", .operation(.comment): "gc", .operation(.switchCase): "g~",
    .operation(.lowercase): "gu", .operation(.uppercase): "gU", .motion(.findForward): "f",
    .motion(.findBackward): "F", .motion(.tillForward): "t", .motion(.tillBackward): "T", .motion(.goToMark): "`",
    .motion(.goToMarkLine): "'", .command(.replaceCharacter): "r", .control(.register): "\"", .control(.setMark): "m",
  ]
}
