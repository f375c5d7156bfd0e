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
    var keys: ItemKeys
  }

  private let items: Mutex<Items>

  /// Creates a pager that continues from a page, whose items are the first ones on the screen.
  init(actor: DynamicQueryPager.Actor, request: RequestID, list: PageableList, origin: Page<DynamicOperation>) {
    self.actor = actor
    self.request = request
    self.list = list
    let count = origin.data?.value(at: list.listPaths[0])?.count ?? 0
    items = Mutex(
      Items(
        after: (0..<count).map { PageItem(page: origin, index: $0) },
        keys: ItemKeys(of: list, in: origin.data ?? .null)))
  }

  func item(at index: Int) -> PageItem? {
    items.withLock { items in
      let offset = index - items.before.count
      if offset < 0 { return index < 0 ? nil : items.before[items.before.count - 1 - index] }
      return offset < items.after.count ? items.after[offset] : nil
    }
  }

  /// Merges a page into the data on the screen, where the list has the given path. `relocated` is the page's data with the
  /// list at that path.
  func merge(
    _ page: Page<DynamicOperation>, relocated: JSONValue, into shown: JSONValue, at path: ResponsePath,
    _ direction: PagingDirection
  ) -> MergedPage {
    items.withLock { items in
      let merged = list.moved(to: path).merging(relocated, into: shown, direction, keys: &items.keys)
      let new = merged.newItems.map { PageItem(page: page, index: $0) }
      if direction == .next { items.after += new } else { items.before += new.reversed() }
      return merged
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
  let path: ResponsePath

  /// Returns the displayed data with the page's list in place of the merged one; null for a page without its list.
  func relocated(_ data: JSONValue?, in shown: JSONValue) -> JSONValue? {
    try? shown.replacing(at: path, with: data?.value(at: list.path) ?? .null)
  }
}
