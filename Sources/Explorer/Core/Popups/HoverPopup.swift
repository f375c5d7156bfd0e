import ApusExplorerText

/// A line of what is told about the thing under the cursor.
package struct HoverLine: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case code, text, note }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind) {
    self.text = text
    self.kind = kind
  }
}

/// What is told of the thing under the cursor.
package struct HoverState: PopupState {
  package var lines: [HoverLine]
  package var anchor: TextPosition
  package var pane: PaneID
  package var scroll = 0
  /// What can be read of it besides: the key that asked opens it.
  var topic: Topic?

  package init(lines: [HoverLine], anchor: TextPosition, pane: PaneID) {
    self.lines = lines
    self.anchor = anchor
    self.pane = pane
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    [.hover] + (state.screen.focus == .query ? [.query] : []) + [.editors, .everywhere]
  }

  /// Anything but moving in it closes it.
  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let step = command.popupStep {
      scroll = min(max(0, scroll + step), max(0, lines.count - 1))
      return .stay()
    }
    if command == .showHover { return .close(topic.map { [.present(Popup(TopicState($0)))] } ?? []) }
    return command == .popupClose ? .close() : .closeAndPassOn
  }

  package mutating func type(_ text: String, in state: ExplorerState) -> PopupAnswer { .closeAndPassOn }
}
