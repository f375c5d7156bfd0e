/// What went over the wire for the run that is shown.
package struct TrafficState: PopupState {
  package var scroll = 0

  package init() {}

  package var popup: Popup { .traffic(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.traffic, .everywhere] }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let step = command.popupStep {
      var traffic = self
      traffic.scroll = max(0, scroll + step)
      return traffic.show(on: &state)
    }
    return [.popupAccept, .popupClose, .showTraffic].contains(command) ? close(on: &state) : nil
  }
}
