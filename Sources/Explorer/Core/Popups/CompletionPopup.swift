/// What could stand at the cursor.
package struct CompletionState: ListPopupState {
  package var items: [Completion]
  package var list = ListCursor()
  package var pane: PaneID
  /// It was asked for, or one has moved in it: then Enter takes what is selected.
  package var isAsked: Bool

  package init(items: [Completion], pane: PaneID = .query, isAsked: Bool = true) {
    self.items = items
    self.pane = pane
    self.isAsked = isAsked
  }

  package var selected: Completion? { items.indices.contains(list.selected) ? items[list.selected] : nil }
  package var popup: Popup { .completion(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    let insert: [KeyContext] = state.typing.vim == nil ? [] : [.vimInsert]
    return insert + [.completion] + (state.screen.focus == .query ? [.query] : []) + [.editors, .everywhere]
  }

  package func rowCount(in state: ExplorerState) -> Int { items.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if command.popupStep != nil {
      var asked = self
      asked.isAsked = true
      return asked.move(command, on: &state)
    }
    switch command {
    case .popupAccept: return accept(on: &state)
    case .acceptOrNewline:
      if isAsked { return accept(on: &state) }
      _ = close(on: &state)
      return state.edit(.insertNewline)
    case .popupClose: return close(on: &state)
    default: return nil
    }
  }

  private func accept(on state: inout ExplorerState) -> [Effect] {
    _ = close(on: &state)
    return selected.map { state.accept($0) } ?? []
  }

  /// Typing goes on in the text.
  package func type(_ text: String, on state: inout ExplorerState) -> [Effect]? { nil }
}
