import ApusJSON

/// From the key that asks for a page to the page in the response.
extension ExplorerState {
  // MARK: Asking

  /// The list that a person means: the innermost one around the selected row, else the one paged last, else the only one.
  package var listToPage: PagedList? {
    guard let run else { return nil }
    if focus == .response {
      let selected = response.path(ofRow: response.list.selected).components
      let around = run.lists.filter { selected.starts(with: $0.path.components) }
      if let inner = around.max(by: { $0.path.components.count < $1.path.components.count }) { return inner }
    }
    if let path = run.pagedPath, let list = run.lists.first(where: { $0.path == path }) { return list }
    return run.lists.count == 1 ? run.lists[0] : nil
  }

  mutating func loadPages(_ wanted: PagesWanted) -> [Effect] {
    guard let run else { return [] }
    if wanted == .first, let path = run.pagedPath { return load(wanted, of: path) }
    if run.lists.isEmpty { return [.offerPaging(query.buffer, offset: query.cursorOffset)] }
    if let list = listToPage, list.offers(wanted) { return load(wanted, of: list.path) }
    let offering = run.lists.filter { $0.offers(wanted) }
    return offering.count == 1 ? load(wanted, of: offering[0].path) : choosePagedList(wanted)
  }

  mutating func choosePagedList(_ wanted: PagesWanted) -> [Effect] {
    popups.append(.pagedLists(PagedListChoice(lists: run?.lists ?? [], wanted: wanted)))
    return []
  }

  mutating func load(_ wanted: PagesWanted, of path: ResponsePath) -> [Effect] {
    guard let current = run else { return [] }
    run?.paging = Paging(wanted, path: path)
    run?.pagedPath = wanted == .first ? nil : path
    return [.loadPages(run: current.id, wanted, of: path), .startClock(run: current.id)]
  }

  // MARK: Receiving

  mutating func receivePages(_ action: Action) -> [Effect] {
    switch action {
    case .pageReceived(let id, let result):
      guard run?.id == id, let paging = run?.paging else { return [] }
      run?.paging?.pages += 1
      run?.parts += 1
      run?.byteCount += result.byteCount
      let list = result.changedPaths.first
      let before = list.flatMap { response.data?.value(at: $0)?.count }
      show(result, highlighting: highlights(of: result))
      // One page that was asked for is gone to; all of them are only counted.
      if !paging.wanted.isAll, let list, let before {
        let first = paging.wanted == .previous ? 0 : before
        response.reveal(ResponsePath(list.components + [.index(first)]))
      }
      return []
    case .pagesCompleted(let id):
      guard run?.id == id, let paging = run?.paging else { return [] }
      run?.paging = nil
      let items = run?.lists.first { $0.path == paging.path }.map { " · \($0.itemCount) items" } ?? ""
      notice = Notice("Loaded \(paging.pages) \(paging.pages == 1 ? "page" : "pages")\(items)")
      return [.stopClock] + readingEffects()
    case .pagesReset(let id, let result):
      guard run?.id == id, run?.paging != nil else { return [] }
      run?.paging = nil
      show(result, highlighting: [])
      notice = Notice("Back to the first page")
      return [.stopClock]
    case .pagesFailed(let id, let message):
      guard run?.id == id, run?.paging != nil else { return [] }
      run?.paging = nil
      notice = Notice("Paging stopped: \(message)", .warning)
      return [.stopClock]
    default: return []
    }
  }

  // MARK: Making a list one with pages

  mutating func receiveOffers(_ offers: [PagingOffer]) -> [Effect] {
    if offers.isEmpty, run?.lists.isEmpty == false {
      notice = Notice("The query asks for everything that paging needs")
    } else if offers.isEmpty {
      notice = Notice("The response has no list with pages: no connection, and no offset, skip or page", .warning)
    } else {
      popups.append(.pagingOffers(PagingOfferChoice(offers: offers)))
    }
    return []
  }

  /// Takes the offered text and runs it.
  mutating func accept(_ offer: PagingOffer) -> [Effect] {
    query.replace(.start..<query.buffer.end, with: offer.text)
    return analysisEffects(for: .query) + runOperation()
  }
}
