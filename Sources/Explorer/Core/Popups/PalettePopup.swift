import ApusExplorerText

/// Every command by its name, narrowed by typing.
package struct PaletteState: ListPopupState {
  package var input = LineEditor()
  package var list = ListCursor()
  /// Whether it was opened as vim's command line, which knows more than names.
  package var isCommandLine: Bool

  package init(isCommandLine: Bool = false) {
    self.isCommandLine = isCommandLine
  }

  package var filter: String { input.text }
  package var popup: Popup { .palette(self) }
  package var commands: [Command] { Command.palette(matching: filter) }

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { contexts(of: .palette, typing: input) }
  package func rowCount(in state: ExplorerState) -> Int { commands.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    switch command {
    case .popupClose, .showPalette: return close(on: &state)
    case .popupAccept:
      _ = close(on: &state)
      if isCommandLine, let effects = state.doExCommand(filter) { return effects }
      let commands = commands
      return commands.indices.contains(list.selected) ? state.invoke(commands[list.selected]) : []
    default: return nil
    }
  }

  package func lineChanged(on state: inout ExplorerState) -> [Effect] {
    var palette = self
    palette.list = ListCursor()
    return palette.show(on: &state)
  }

  package func leaveEmptyLine(on state: inout ExplorerState) -> [Effect] {
    isCommandLine ? close(on: &state) : []
  }
}
