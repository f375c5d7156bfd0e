import ApusFormatting
import ApusJSON

/// Paging, from the key that requests a page to the page in the response.
extension ResponseFeature {
  // MARK: Requests

  /// Returns the list to page: the innermost one around the selected row if the response has the focus, otherwise the
  /// one paged last, otherwise the only one.
  package func listToPage(isFocused: Bool) -> PagedList? {
    guard let run else { return nil }
    if isFocused {
      let selected = tree.path(ofRow: tree.list.selected).components
      let around = run.lists.filter { selected.starts(with: $0.path.components) }
      if let inner = around.max(by: { $0.path.components.count < $1.path.components.count }) { return inner }
    }
    if let path = run.pagedPath, let list = run.lists.first(where: { $0.path == path }) { return list }
    return run.lists.count == 1 ? run.lists[0] : nil
  }

  mutating func loadPages(_ requested: PageRequest, isFocused: Bool) -> [FollowUp] {
    guard let run else { return [] }
    if requested == .first, let path = run.pagedPath { return load(requested, of: path) }
    if let list = listToPage(isFocused: isFocused), list.offers(requested) { return load(requested, of: list.path) }
    let offering = run.lists.filter { $0.offers(requested) }
    // Loading several pages falls back to the direction that has pages.
    if offering.isEmpty, let turned = requested.turned, run.lists.contains(where: { $0.offers(turned) }) {
      return loadPages(turned, isFocused: isFocused)
    }
    return offering.count == 1 ? load(requested, of: offering[0].path) : choosePagedList(requested)
  }

  func choosePagedList(_ requested: PageRequest) -> [FollowUp] {
    [.present(Popup(PagedListsPopup(lists: run?.lists ?? [], requested: requested)))]
  }

  mutating func load(_ requested: PageRequest, of path: ResponsePath) -> [FollowUp] {
    guard let current = run else { return [] }
    run?.paging = PagingState(requested, path: path)
    run?.pagedPath = requested == .first ? nil : path
    return [.effect(.run(current.id, .loadPages(requested, of: path))), .effect(.run(current.id, .startClock))]
  }

  // MARK: Results

  mutating func receivePage(_ result: RunResult) {
    guard let paging = run?.paging else { return }
    run?.paging?.pages += 1
    run?.pages += 1
    run?.byteCount += result.byteCount
    let list = result.changedPaths.first
    let before = list.flatMap { tree.data?.value(at: $0)?.count }
    show(result, highlighting: highlights(of: result))
    // A single requested page is scrolled into view; several pages are only counted.
    if !paging.requested.isAll, let list, let before {
      let first = paging.requested.isBackward ? 0 : before
      tree.reveal(ResponsePath(list.components + [.index(first)]))
    }
  }

  mutating func pagesCompleted() -> [FollowUp] {
    guard let current = run, let paging = current.paging else { return [] }
    run?.paging = nil
    let list = run?.lists.first { $0.path == paging.path }
    let items = list.map { " · \(DisplayFormat.plural($0.itemCount, "item"))" } ?? ""
    let words = "Loaded \(DisplayFormat.plural(paging.pages, "page"))\(items)"
    let notice =
      list?.shortfall.map { FollowUp.notice("\(words); \($0)", .warning) } ?? .notice(words)
    return [notice, .effect(.run(current.id, .stopClock))] + rereadResponse()
  }

  mutating func pagesReset(_ result: RunResult) -> [FollowUp] {
    guard let current = run, current.paging != nil else { return [] }
    run?.paging = nil
    run?.pages = 0
    show(result, highlighting: [])
    return [.notice("Returned to the first page"), .effect(.run(current.id, .stopClock))]
  }

  mutating func pagesFailed(_ message: String) -> [FollowUp] {
    guard let current = run, current.paging != nil else { return [] }
    run?.paging = nil
    return [.notice("Paging stopped: \(message)", .warning), .effect(.run(current.id, .stopClock))]
  }

  // MARK: Adding paging to a query

  func offered(_ offers: [PagingOffer]) -> [FollowUp] {
    if offers.isEmpty, run?.lists.isEmpty == false {
      return [.notice("The query already has everything that paging needs")]
    }
    if offers.isEmpty {
      return [.notice("The response has no pageable list: no connection, offset, skip or page", .warning)]
    }
    return [.present(Popup(PagingOffersPopup(offers: offers)))]
  }
}
