import ApusExplorerCore
import ApusExplorerTerminal

/// Turns key presses into actions and holds the start of a key sequence until it is complete.
package struct KeyReader: Sendable {
  /// The keys of an incomplete sequence.
  package private(set) var pending: [KeyPress] = []

  package init() {}

  /// Returns the actions for a key press; none while more keys are expected. A sequence without a binding is inserted
  /// as text where typing is possible.
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
      if let plainer = key.asMostTerminalsSendIt { return actions(for: plainer, in: state, table) }
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
  /// The equivalent key in terminals that do not distinguish the two; nil if all terminals do. Without its own binding,
  /// the key acts as this one.
  var asMostTerminalsSendIt: KeyPress? {
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
