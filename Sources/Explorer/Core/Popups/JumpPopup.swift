/// A place on the screen that can be gone to by typing its label: what a click on it would do.
package struct JumpTarget: Hashable, Sendable {
  package var label: String
  package var column: Int
  package var row: Int
  package var action: Action

  package init(label: String, column: Int, row: Int, action: Action) {
    self.label = label
    self.column = column
    self.row = row
    self.action = action
  }
}

/// Labels over all that can be clicked, and what was typed of one.
package struct JumpState: PopupState {
  package var targets: [JumpTarget]
  package var typed = ""

  package init(targets: [JumpTarget]) { self.targets = targets }

  package var shown: [JumpTarget] { targets.filter { $0.label.hasPrefix(typed) } }

  package var popup: Popup { .jump(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.jump] }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    switch command {
    case .deleteBackward:
      var jump = self
      jump.typed = String(typed.dropLast())
      return jump.show(on: &state)
    case .popupClose, .showJumpLabels: return close(on: &state)
    default:
      _ = close(on: &state)
      return nil
    }
  }

  package func type(_ text: String, on state: inout ExplorerState) -> [Effect]? {
    var jump = self
    jump.typed += text.lowercased()
    let left = jump.shown
    if let target = left.first(where: { $0.label == jump.typed }) {
      _ = close(on: &state)
      return state.distribute(target.action)
    }
    return left.isEmpty ? close(on: &state) : jump.show(on: &state)
  }
}
