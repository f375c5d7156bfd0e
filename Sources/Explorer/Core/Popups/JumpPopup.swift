/// A clickable place on the screen with its label. Typing the label acts like a click.
package struct JumpTarget: Equatable, Sendable {
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

/// Labels on everything clickable, and the part of a label typed so far.
package struct JumpPopup: PopupContent {
  package var targets: [JumpTarget]
  package var typed = ""

  package init(targets: [JumpTarget]) { self.targets = targets }

  package var shown: [JumpTarget] { targets.filter { $0.label.hasPrefix(typed) } }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.jump] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    switch command {
    case .deleteBackward:
      typed = String(typed.dropLast())
      return .stay()
    case .popupClose, .showJumpLabels: return .close()
    default: return .closeAndPassOn
    }
  }

  package mutating func type(_ text: String, in state: ExplorerState) -> PopupResult {
    typed += text.lowercased()
    let left = shown
    if let target = left.first(where: { $0.label == typed }) { return .close(.send(target.action)) }
    return left.isEmpty ? .close() : .stay()
  }
}
