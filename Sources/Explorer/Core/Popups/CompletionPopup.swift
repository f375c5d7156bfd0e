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

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    let insert: [KeyContext] = state.typing.vim == nil ? [] : [.vimInsert]
    return insert + [.completion] + (state.screen.focus == .query ? [.query] : []) + [.editors, .everywhere]
  }

  package func rowCount(in state: ExplorerState) -> Int { items.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupAnswer {
    if let answer = move(command, in: state) {
      isAsked = true
      return answer
    }
    switch command {
    case .popupAccept: return accepted
    case .acceptOrNewline: return isAsked ? accepted : .close(.choose(.text(.insertNewline)))
    case .popupClose: return .close()
    default: return .passOn
    }
  }

  private var accepted: PopupAnswer { .close(selected.map { [.choose(.completion($0))] } ?? []) }

  /// Typing goes on in the text.
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupAnswer { .passOn }
}
