/// What went over the wire for the run that is shown.
package struct TrafficState: PopupState {
  package var scroll = 0

  package init() {}

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.traffic, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let step = command.popupStep {
      scroll = max(0, scroll + step)
      return .stay()
    }
    return [.popupAccept, .popupClose, .showTraffic].contains(command) ? .close() : .passOn
  }
}
