import ApusExplorerText

/// A line of hover information.
package struct HoverLine: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case code, text, note }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind) {
    self.text = text
    self.kind = kind
  }
}

/// Hover information for the name under the cursor.
package struct HoverPopup: PopupContent {
  package var lines: [HoverLine]
  package var anchor: TextPosition
  package var pane: PaneID
  package var scroll = 0
  /// A related topic, opened by pressing the hover key again.
  var topic: Topic?

  package init(lines: [HoverLine], anchor: TextPosition, pane: PaneID) {
    self.lines = lines
    self.anchor = anchor
    self.pane = pane
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    [.hover] + (state.screen.focus == .query ? [.query] : []) + [.editors, .everywhere]
  }

  /// Scrolls; any other command closes the popup.
  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let step = command.popupStep {
      scroll = min(max(0, scroll + step), max(0, lines.count - 1))
      return .stay()
    }
    if command == .showHover { return .close(topic.map { [.present(Popup(TopicPopup($0)))] } ?? []) }
    return command == .popupClose ? .close() : .closeAndPassOn
  }

  package mutating func type(_ text: String, in state: ExplorerState) -> PopupResult { .closeAndPassOn }
}
