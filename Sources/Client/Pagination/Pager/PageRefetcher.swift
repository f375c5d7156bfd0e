import ApusClientCore
import ApusClientRequestChain

/// The pages that lost data through changes of the cache or whose position changed, and the fetches that restore them one
/// page at a time.
struct PageRefetcher<Position: Hashable & Sendable>: Sendable {
  /// The rules for refetching, shared with watched queries.
  var refetching: RefetchScheduler
  /// The positions of the pages, in the order in which they are fetched.
  private(set) var lost: [Position] = []
  /// The pages whose lost data is not fetched, because the pager and a watch take it from each other.
  private(set) var contested: Set<Position> = []
  /// The lost pages that begin elsewhere in the list, because a refetched page next to them has other items than before.
  private(set) var outdated: Set<Position> = []
  var task: Task<Void, Never>?
  /// The delay after a failure.
  var timer: Task<Void, Never>?
  /// The refetch depth of the next fetches; `nil` while fetching is not allowed.
  var depth: Int?
  /// Whether the pager's current failure is from a refetch.
  var hasFailed = false

  private let options: RequestOptions

  init(_ options: RequestOptions) {
    self.options = options
    refetching = RefetchScheduler(options)
  }

  /// Adds a page. Returns whether it was not in the list yet.
  mutating func markLost(_ position: Position) -> Bool {
    contested.remove(position)
    guard !lost.contains(position) else { return false }
    lost.append(position)
    return true
  }

  /// Adds a page that has to be loaded again although its data is complete.
  mutating func markOutdated(_ position: Position) {
    outdated.insert(position)
    _ = markLost(position)
  }

  mutating func remove(_ position: Position) {
    lost.removeAll { $0 == position }
    contested.remove(position)
    outdated.remove(position)
  }

  /// Records that an outdated page arrived again.
  mutating func arrived(_ position: Position) { outdated.remove(position) }

  /// Removes a page whose data is in the cache again. It does not help a page that begins elsewhere.
  mutating func restored(_ position: Position) {
    if outdated.contains(position) { contested.remove(position) } else { remove(position) }
  }

  mutating func contest(_ position: Position) {
    restored(position)
    contested.insert(position)
  }

  /// Cancels the fetches and forgets all pages, because the pager has new ones.
  mutating func reset() {
    cancel()
    self = PageRefetcher(options)
  }

  func cancel() {
    task?.cancel()
    timer?.cancel()
  }
}
