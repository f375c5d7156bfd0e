/// The differences of two responses, looked at.
package struct DifferenceState: ListPopupState {
  package var title: String
  package var changes: [ValueChange]
  package var list = ListCursor()

  package init(title: String, changes: [ValueChange]) {
    self.title = title
    self.changes = changes
  }

  package var popup: Popup { .difference(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.difference, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { changes.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    switch command {
    case .popupClose: return close(on: &state)
    case .popupAccept:
      guard changes.indices.contains(list.selected) else { return [] }
      state.tab.response.tree.reveal(changes[list.selected].path)
      return state.focus(on: .response)
    default: return nil
    }
  }
}
