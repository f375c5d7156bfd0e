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

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.value, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let step = command.popupStep {
      // How many rows there are depends on the room: the screen says where the last one is.
      scroll = max(0, scroll + step)
      return .stay()
    }
    return [.popupAccept, .popupClose].contains(command) ? .close() : .passOn
  }
}
