import ApusExplorerText

/// Every key, narrowed by typing.
package struct HelpState: PopupState {
  package var input = LineEditor()
  package var scroll = 0

  package init() {}

  package var filter: String { input.text }
  package var popup: Popup { .help(self) }

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { contexts(of: .help, typing: input) }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let step = command.popupStep {
      var help = self
      help.scroll = max(0, help.scroll + step)
      return help.show(on: &state)
    }
    return [.popupAccept, .popupClose, .showHelp].contains(command) ? close(on: &state) : nil
  }

  package func lineChanged(on state: inout ExplorerState) -> [Effect] {
    var help = self
    help.scroll = 0
    return help.show(on: &state)
  }
}
