/// Changes to the query that would make lists of it ones with pages.
package struct PagingOfferChoice: ListPopupState {
  package var offers: [PagingOffer]
  package var list = ListCursor()

  package init(offers: [PagingOffer]) { self.offers = offers }

  package var selected: PagingOffer? { offers.indices.contains(list.selected) ? offers[list.selected] : nil }
  package var popup: Popup { .pagingOffers(self) }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { offers.count }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    if let effects = move(command, on: &state) { return effects }
    switch command {
    case .popupAccept:
      _ = close(on: &state)
      return selected.map { state.accept($0) } ?? []
    case .popupClose: return close(on: &state)
    default: return nil
    }
  }
}
