/// A choice of the list to load pages of.
package struct PagedListsPopup: ListPopupContent {
  package var lists: [PagedList]
  package var requested: PageRequest
  package var list = ListCursor()

  package init(lists: [PagedList], requested: PageRequest) {
    self.lists = lists
    self.requested = requested
  }

  package var selected: PagedList? { lists.indices.contains(list.selected) ? lists[list.selected] : nil }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { lists.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupAccept: return load(requested)
    case .nextPage: return load(.next)
    case .previousPage: return load(.previous)
    case .allPages: return load(.all(limit: nil))
    case .tenPages: return load(.all(limit: 10))
    case .popupClose: return .close()
    default: return .passOn
    }
  }

  private func load(_ requested: PageRequest) -> PopupResult {
    guard let selected else { return .stay() }
    guard selected.offers(requested) else {
      return .stay(.notice("\(selected.path) has no page in that direction", .warning))
    }
    return .close(.choose(.pages(requested, of: selected.path)))
  }
}
