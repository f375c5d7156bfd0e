import ApusExplorerText

/// Every key, narrowed by typing.
package struct HelpState: PopupState {
  package var input = LineEditor()
  package var scroll = 0

  package init() {}

  package var filter: String { input.text }

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { contexts(of: .help, typing: input) }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let step = command.popupStep {
      scroll = max(0, scroll + step)
      return .stay()
    }
    return [.popupAccept, .popupClose, .showHelp].contains(command) ? .close() : .passOn
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupAnswer {
    scroll = 0
    return .stay()
  }
}
