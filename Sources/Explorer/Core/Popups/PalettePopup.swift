import ApusExplorerText

/// Every command by its name, narrowed by typing.
package struct PaletteState: ListPopupState {
  package var input = LineEditor()
  package var list = ListCursor()
  /// Whether it was opened as vim's command line, which knows more than names.
  package var isCommandLine: Bool

  /// As they were ranked when something was last typed: rows do not move while one looks at them.
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

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupClose, .showPalette: return .close()
    case .popupAccept:
      if isCommandLine, let asked = ExCommand(filter) { return .close(.choose(.vimCommand(asked))) }
      return .close(commands.indices.contains(list.selected) ? [.choose(.command(commands[list.selected]))] : [])
    default: return .passOn
    }
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupAnswer {
    list = ListCursor()
    commands = Command.palette(matching: filter, in: state)
    return .stay()
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupAnswer {
    isCommandLine ? .close() : .stay()
  }
}
