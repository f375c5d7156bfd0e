import ApusJSON

/// A complete value of the response.
package struct ValuePopup: PopupContent {
  package var path: ResponsePath
  package var reading: ValueDetail
  package var scroll = 0

  package init(path: ResponsePath, _ value: JSONValue) {
    self.path = path
    reading = ValueDetail(value)
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.value, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let step = command.popupStep {
      // The number of rows depends on the width, so the screen limits the scroll offset.
      scroll = max(0, scroll + step)
      return .stay()
    }
    return [.popupAccept, .popupClose].contains(command) ? .close() : .passOn
  }
}
