import ApusClientCore
import ApusClientRequestChain

/// The pages that lost data through changes of the cache, and the fetches that restore it one page at a time.
struct PageRefetcher<Position: Equatable & Sendable>: Sendable {
  /// The rules for refetching, shared with watched queries.
  var refetching: RefetchScheduler
  /// The positions of the pages, in the order in which they are fetched.
  private(set) var lost: [Position] = []
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
    guard !lost.contains(position) else { return false }
    lost.append(position)
    return true
  }

  mutating func remove(_ position: Position) { lost.removeAll { $0 == position } }

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
