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
package struct JumpState: Hashable, Sendable {
  package var targets: [JumpTarget]
  package var typed = ""

  package init(targets: [JumpTarget]) { self.targets = targets }

  package var shown: [JumpTarget] { targets.filter { $0.label.hasPrefix(typed) } }
}

extension ExplorerState {
  mutating func typeInJump(_ text: String, _ given: JumpState) -> [Effect] {
    var jump = given
    jump.typed += text.lowercased()
    let left = jump.shown
    if let target = left.first(where: { $0.label == jump.typed }) {
      popups.removeLast()
      if case .tabClicked(let index) = target.action { return showTab(index) }
      return handlePointer(target.action)
    }
    if left.isEmpty { popups.removeLast() } else { popups[popups.count - 1] = .jump(jump) }
    return []
  }

  mutating func invokeInJump(_ command: Command, _ given: JumpState) -> [Effect]? {
    switch command {
    case .deleteBackward:
      var jump = given
      jump.typed = String(jump.typed.dropLast())
      popups[popups.count - 1] = .jump(jump)
    case .popupClose, .showJumpLabels: popups.removeLast()
    default:
      popups.removeLast()
      return nil
    }
    return []
  }
}
