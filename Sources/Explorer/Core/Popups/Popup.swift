import ApusExplorerText

/// A popup above the panes; the topmost one receives the keys. Any `PopupContent` can be one.
package struct Popup: Equatable, Sendable {
  package var state: any PopupContent

  package init(_ state: some PopupContent) { self.state = state }

  package static func == (left: Popup, right: Popup) -> Bool { left.state.isEqual(to: right.state) }
}

/// The state of one kind of popup: its list, input line and keys. A popup changes only itself. It reads the explorer's
/// state and requests changes elsewhere through its `PopupResult`. `ExplorerScreen` draws it.
package protocol PopupContent: Equatable, Sendable {
  /// Returns the contexts to look up keys in, innermost first.
  func contexts(in state: ExplorerState) -> [KeyContext]
  /// The input line; nil if the popup has none.
  var line: LineEditor? { get set }
  /// Returns the row at a line of the visible list; nil if the line has no selectable row.
  func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int?

  /// Performs a command or passes it on to the layer below.
  mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult
  /// Handles typed text if there is no input line, or passes it on to the editor below.
  mutating func type(_ text: String, in state: ExplorerState) -> PopupResult
  mutating func click(row: Int, in state: ExplorerState) -> PopupResult
  /// Reacts to a change of the input line, which already has its new text.
  mutating func lineChanged(in state: ExplorerState) -> PopupResult
  /// Handles Backspace in an empty input line.
  mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult
}

extension PopupContent {
  fileprivate func isEqual(to other: any PopupContent) -> Bool { other as? Self == self }

  package var line: LineEditor? {
    get { nil }
    set {}
  }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? { nil }
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupResult { .stay() }
  package mutating func click(row: Int, in state: ExplorerState) -> PopupResult { .stay() }
  package mutating func lineChanged(in state: ExplorerState) -> PopupResult { .stay() }
  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult { .stay() }

  /// Returns the key contexts: the input line's keys come first if it contains text, otherwise the popup's own.
  func contexts(of popupContext: KeyContext, typing line: LineEditor) -> [KeyContext] {
    (line.isEmpty ? [popupContext, .input] : [.input, popupContext]) + [.everywhere]
  }
}

/// A popup with a selectable list.
package protocol ListPopupContent: PopupContent {
  var list: ListCursor { get set }
  func rowCount(in state: ExplorerState) -> Int
}

extension ListPopupContent {
  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let count = rowCount(in: state)
    let row = list.firstRow(count: count, height: height) + line
    return row < count ? row : nil
  }

  package mutating func click(row: Int, in state: ExplorerState) -> PopupResult {
    list.select(row, count: rowCount(in: state))
    return .stay(.invoke(.popupAccept))
  }

  /// Moves the selection; returns nil if the command does not move it.
  mutating func move(_ command: Command, in state: ExplorerState) -> PopupResult? {
    guard let step = command.popupStep else { return nil }
    list.move(by: step, count: rowCount(in: state))
    return .stay()
  }
}

extension Command {
  /// The number of rows that the command moves a selection by; nil for other commands.
  var popupStep: Int? { Self.popupSteps[self] }

  private static let popupSteps: [Command: Int] = [
    .popupUp: -1, .popupDown: 1, .popupPageUp: -8, .popupPageDown: 8, .popupFirst: -1_000_000, .popupLast: 1_000_000,
  ]
}
