import ApusExplorerCore
import ApusExplorerTerminal

/// Turns key presses into actions, one by one: keeps the beginning of a sequence until the rest of it is pressed.
package struct KeyReader: Sendable {
  /// What was pressed of a sequence so far.
  package private(set) var pending: [KeyPress] = []

  package init() {}

  /// The actions of a press: none while more is awaited; a sequence that leads nowhere is taken as text where text is
  /// typed.
  package mutating func actions(for key: KeyPress, in state: ExplorerState, _ table: KeyTable) -> [Action] {
    let sequence = KeySequence(pending + [key])
    switch table.lookUp(sequence, in: state) {
    case .target(let target):
      pending = []
      return [target.action]
    case .beginning:
      pending = sequence.presses
      return []
    case .nothing where pending.isEmpty:
      if let plainer = key.asMostTerminalsTell { return actions(for: plainer, in: state, table) }
      return key.typed.map { [.textTyped(String($0))] } ?? []
    case .nothing:
      let begun = pending
      pending = []
      if key.key == .escape { return [] }
      let typed = begun.compactMap { press in press.typed.map { Action.textTyped(String($0)) } }
      return typed + actions(for: key, in: state, table)
    }
  }
}

extension KeyPress {
  /// The key that this one is in terminals that do not tell the two apart; nil where all do. What nothing is bound to does
  /// there what it does everywhere.
  fileprivate var asMostTerminalsTell: KeyPress? {
    switch key {
    case .enter where !modifiers.isEmpty && modifiers.isSubset(of: [.shift, .control]): KeyPress(.enter)
    case .character where modifiers.isSuperset(of: [.shift, .control]): KeyPress(key, modifiers.subtracting(.shift))
    case .character, .enter, .escape, .tab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end,
      .pageUp,
      .pageDown, .function:
      nil
    }
  }
}
