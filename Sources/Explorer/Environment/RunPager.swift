import ApusClientAPI
import ApusClientPagination
import ApusJSON
import Synchronization

/// The pager of one list, with the page that each item came from. It is a shared object, so that loading a page costs
/// the same regardless of the number of pages loaded before.
final class RunPager: Sendable {
  let actor: DynamicQueryPager.Actor
  /// The identifier of its requests.
  let request: RequestID
  /// The list in its own operation's result. On the screen it may have another path: inside an item of a later page.
  let list: PageableList
  private struct Items {
    /// The page of each item on the screen. Items before the initial page are stored in reverse order.
    var before: [PageItem] = []
    var after: [PageItem]
  }

  private let items: Mutex<Items>

  init(actor: DynamicQueryPager.Actor, request: RequestID, list: PageableList, items: [PageItem]) {
    self.actor = actor
    self.request = request
    self.list = list
    self.items = Mutex(Items(after: items))
  }

  func item(at index: Int) -> PageItem? {
    items.withLock { items in
      let place = index - items.before.count
      if place < 0 { return index < 0 ? nil : items.before[items.before.count - 1 - index] }
      return place < items.after.count ? items.after[place] : nil
    }
  }

  func add(_ new: [PageItem], _ direction: PagingDirection) {
    items.withLock { items in
      if direction == .next { items.after += new } else { items.before += new.reversed() }
    }
  }
}

/// An item of a page, identified by its index in the page's own result.
struct PageItem: Sendable {
  let page: Page<DynamicOperation>
  let index: Int
}

/// A page that was merged into the displayed data.
struct LoadedPage: Sendable {
  let query: DynamicOperation
  let direction: PagingDirection
  let list: PageableList
  /// The list's path on the screen when the page arrived.
  let place: ResponsePath

  /// Returns the displayed data with the page's list in place of the merged one; null for a page without its list.
  func relocated(_ data: JSONValue?, in shown: JSONValue) -> JSONValue? {
    try? shown.replacing(at: place, with: data?.value(at: list.path) ?? .null)
  }
}
