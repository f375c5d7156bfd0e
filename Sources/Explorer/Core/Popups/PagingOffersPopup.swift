/// Edits that would make lists in the query pageable.
package struct PagingOffersPopup: ListPopupContent {
  package var offers: [PagingOffer]
  package var list = ListCursor()

  package init(offers: [PagingOffer]) { self.offers = offers }

  package var selected: PagingOffer? { offers.indices.contains(list.selected) ? offers[list.selected] : nil }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.choice, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { offers.count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupAccept: return .close(selected.map { [.choose(.pagingOffer($0))] } ?? [])
    case .popupClose: return .close()
    default: return .passOn
    }
  }
}
