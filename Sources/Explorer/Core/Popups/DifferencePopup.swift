/// The differences between two responses.
package struct DifferencePopup: ListPopupContent {
  package var title: String
  package var changes: [ValueChange]
  package var list = ListCursor()

  package init(title: String, changes: [ValueChange]) {
    self.title = title
    self.changes = changes
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.difference, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { changes.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupClose: return .close()
    case .popupAccept:
      guard changes.indices.contains(list.selected) else { return .stay() }
      return .stay(.choose(.responsePath(changes[list.selected].path)))
    default: return .passOn
    }
  }
}
