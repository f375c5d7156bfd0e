import ApusExplorerText

/// The command palette, filtered by typing.
package struct PalettePopup: ListPopupContent {
  package var input = LineEditor()
  package var list = ListCursor()
  /// Whether it is vim's command line, which also accepts ex commands.
  package var isCommandLine: Bool

  /// The commands in the order computed at the last keystroke, so that rows do not move in between.
  package private(set) var commands: [Command]

  package init(in state: ExplorerState, isCommandLine: Bool = false) {
    self.isCommandLine = isCommandLine
    commands = Command.palette(matching: "", in: state)
  }

  package var filter: String { input.text }

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { contexts(of: .palette, typing: input) }
  package func rowCount(in state: ExplorerState) -> Int { commands.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupClose, .showPalette: return .close()
    case .popupAccept:
      if isCommandLine, let requested = ExCommand(filter) { return .close(.choose(.vimCommand(requested))) }
      return .close(commands.indices.contains(list.selected) ? [.choose(.command(commands[list.selected]))] : [])
    default: return .passOn
    }
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    list = ListCursor()
    commands = Command.palette(matching: filter, in: state)
    return .stay()
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult {
    isCommandLine ? .close() : .stay()
  }
}
