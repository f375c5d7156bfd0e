/// Which of several lists to load pages of.
package struct PagedListChoice: ListPopupState {
  package var lists: [PagedList]
  package var wanted: PagesWanted
  package var list = ListCursor()

  package init(lists: [PagedList], wanted: PagesWanted) {
    self.lists = lists
    self.wanted = wanted
  }

  package var selected: PagedList? { lists.indices.contains(list.selected) ? lists[list.selected] : nil }
  package var popup: Popup { .pagedLists(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { lists.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    switch command {
    case .popupAccept: return load(wanted, on: &state)
    case .nextPage: return load(.next, on: &state)
    case .previousPage: return load(.previous, on: &state)
    case .allPages: return load(.all(limit: nil), on: &state)
    case .tenPages: return load(.all(limit: 10), on: &state)
    case .popupClose: return close(on: &state)
    default: return nil
    }
  }

  private func load(_ wanted: PagesWanted, on state: inout ExplorerState) -> [Effect] {
    guard let selected else { return [] }
    guard selected.offers(wanted) else {
      state.screen.notice = Notice("\(selected.path) has no such page", .warning)
      return []
    }
    return close(on: &state) + state.follow(state.tab.response.load(wanted, of: selected.path))
  }
}
