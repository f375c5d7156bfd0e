import ApusJSON

/// A value of the response, whole.
package struct ValueState: PopupState {
  package var path: ResponsePath
  package var reading: ValueReading
  package var scroll = 0

  package init(path: ResponsePath, _ value: JSONValue) {
    self.path = path
    reading = ValueReading(value)
  }

  package var popup: Popup { .value(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.value, .everywhere] }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let step = command.popupStep {
      var value = self
      value.scroll = min(max(0, scroll + step), max(0, reading.lines.count * 40))
      return value.show(on: &state)
    }
    return [.popupAccept, .popupClose].contains(command) ? close(on: &state) : nil
  }
}
