import ApusExplorerText

/// What lies over the panes; the innermost one takes the keys. Any `PopupState` can be one: nothing lists them.
package struct Popup: Equatable, Sendable {
  package var state: any PopupState

  package init(_ state: some PopupState) { self.state = state }

  package static func == (left: Popup, right: Popup) -> Bool { left.state.isEqual(to: right.state) }
}

/// One popup: a value in a file of its own with its list, its line, its keys and its answers. It changes itself alone. It is
/// handed the state to read; what it wants of the rooms beneath it, it says in its `PopupAnswer`. `ExplorerScreen` has a file
/// that draws it.
package protocol PopupState: Equatable, Sendable {
  /// The contexts that its keys are looked up in, the innermost first.
  func contexts(in state: ExplorerState) -> [KeyContext]
  /// The line that is typed into; nil where there is none.
  var line: LineEditor? { get set }
  /// Which of its rows is in a line of its list, where so many are in view; nil for none that can be chosen.
  func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int?

  /// Does what is asked, or leaves it to whatever lies beneath.
  mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer
  /// Takes what is typed where there is no line, or leaves it to the text beneath.
  mutating func type(_ text: String, in state: ExplorerState) -> PopupAnswer
  mutating func click(row: Int, in state: ExplorerState) -> PopupAnswer
  /// The line, which is already changed, says something else.
  mutating func lineChanged(in state: ExplorerState) -> PopupAnswer
  /// Backspace was pressed where nothing is typed.
  mutating func leaveEmptyLine(in state: ExplorerState) -> PopupAnswer
}

extension PopupState {
  fileprivate func isEqual(to other: any PopupState) -> Bool { other as? Self == self }

  package var line: LineEditor? {
    get { nil }
    set {}
  }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? { nil }
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupAnswer { .stay() }
  package mutating func click(row: Int, in state: ExplorerState) -> PopupAnswer { .stay() }
  package mutating func lineChanged(in state: ExplorerState) -> PopupAnswer { .stay() }
  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupAnswer { .stay() }

  /// Where something is typed, its keys come first; else those of what it is typed for.
  func contexts(of own: KeyContext, typing line: LineEditor) -> [KeyContext] {
    (line.isEmpty ? [own, .input] : [.input, own]) + [.everywhere]
  }
}

/// A popup with a list to choose from.
package protocol ListPopupState: PopupState {
  var list: ListCursor { get set }
  func rowCount(in state: ExplorerState) -> Int
}

extension ListPopupState {
  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let count = rowCount(in: state)
    let row = list.firstRow(count: count, height: height) + line
    return row < count ? row : nil
  }

  package mutating func click(row: Int, in state: ExplorerState) -> PopupAnswer {
    list.select(row, count: rowCount(in: state))
    return .stay(.invoke(.popupAccept))
  }

  /// Moves in the list; nil for another command.
  mutating func move(_ command: Command, in state: ExplorerState) -> PopupAnswer? {
    guard let step = command.popupStep else { return nil }
    list.move(by: step, count: rowCount(in: state))
    return .stay()
  }
}

extension Command {
  /// How many rows of a popup it goes on; nil for what moves in no list.
  var popupStep: Int? { Self.popupSteps[self] }

  private static let popupSteps: [Command: Int] = [
    .popupUp: -1, .popupDown: 1, .popupPageUp: -8, .popupPageDown: 8, .popupFirst: -1_000_000, .popupLast: 1_000_000,
  ]
}
