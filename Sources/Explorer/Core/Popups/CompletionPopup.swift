package struct CompletionPopup: ListPopupContent {
  package var items: [Completion]
  package var list = ListCursor()
  package var pane: PaneID
  /// Whether the user requested the popup or moved in it; Enter then accepts the selected item.
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

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
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

  private var accepted: PopupResult { .close(selected.map { [.choose(.completion($0))] } ?? []) }

  /// Typed text goes to the editor.
  package mutating func type(_ text: String, in state: ExplorerState) -> PopupResult { .passOn }
}
