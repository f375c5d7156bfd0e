import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusJSON

/// The dependencies of a pager's pages on the cache, so that a change updates only the affected pages.
struct PageWatcher<Position: Hashable & Sendable>: Sendable {
  private struct Entry {
    let position: Position
    /// The request that fetched the page, whose changes the page already contains.
    let request: RequestID?
    /// The hash of the page's data as last read from the cache.
    var fingerprint: Int
    /// Whether the published page was read from the cache. Until then, the cache's data may contain changes from during the
    /// fetch that the page does not.
    var isKnown = false
    /// The extent of the page's data that the cache is expected to have. Anything missing beyond it was lost.
    var holding: CacheReadSummary
    /// The number of the latest change when the fetch began. Losses up to that change were repaired by the fetch.
    let fetchBegan: Int
    /// Whether lost data may be fetched. False for a page that was loaded with `cacheOnly`.
    let mayFetch: Bool
    /// The number of times that the page was read from the cache.
    var rereadCount = 0
  }

  /// The result of reading an affected page from the cache.
  enum RereadOutcome {
    case same, other
    /// The page lost data. The published page is kept until it is fetched again.
    case lost(mayFetch: Bool)
  }

  private var entries: [Entry] = []
  private var numbers: [Position: Int] = [:]
  private var index = DependencyIndex()

  /// Stores the cached state of a page that was just loaded.
  mutating func loaded<Data: Sendable>(
    _ position: Position, _ result: GraphQLResult<Data>, _ read: CacheRead, fetchBegan: Int, mayFetch: Bool
  ) {
    let entry = Entry(
      position: position, request: result.request, fingerprint: Self.fingerprint(read),
      holding: CacheReadSummary(read, after: result), fetchBegan: fetchBegan, mayFetch: mayFetch)
    if let number = numbers[position] {
      entries[number] = entry
    } else {
      numbers[position] = entries.count
      entries.append(entry)
    }
    index.insert(UInt32(numbers[position] ?? 0), dependingOn: read.dependentKeys)
  }

  /// Returns the pages that a change may affect, except pages that the same request fetched: they already contain it.
  func pages(touchedBy change: CacheChange) -> [Position] {
    index.readers(touchedBy: change.changedKeys).lazy.map { entries[Int($0)] }
      .filter { $0.request == nil || $0.request != change.request }.map(\.position)
  }

  /// Returns how often a page was read, to detect that another read completed in the meantime.
  func rereadCount(_ position: Position) -> Int { numbers[position].map { entries[$0].rereadCount } ?? 0 }

  /// Compares a page with its current cached data, because of a change (`nil` if there was none).
  mutating func reread(_ position: Position, _ read: CacheRead, _ change: CacheChange?) -> RereadOutcome {
    guard let number = numbers[position] else { return .same }
    entries[number].rereadCount += 1
    let isNews = change.map { $0.number > entries[number].fetchBegan } ?? true
    // A loss can be visible before its change is published. The expected extent is kept until then, to detect the loss.
    if read.hasLost(since: entries[number].holding) {
      return isNews ? .lost(mayFetch: entries[number].mayFetch) : .same
    }
    let fingerprint = Self.fingerprint(read)
    let isSame = fingerprint == entries[number].fingerprint
    if isSame, entries[number].isKnown || change == nil { return .same }
    if !isSame {
      entries[number].fingerprint = fingerprint
      entries[number].holding = CacheReadSummary(read)
      index.insert(UInt32(number), dependingOn: read.dependentKeys)
    }
    entries[number].isKnown = true
    return .other
  }

  func has(_ position: Position) -> Bool { numbers[position] != nil }

  /// Returns whether a page may be fetched again.
  func mayFetch(_ position: Position) -> Bool { numbers[position].map { entries[$0].mayFetch } ?? true }

  mutating func removeAll() { self = PageWatcher() }

  private static func fingerprint(_ read: CacheRead) -> Int {
    var hasher = Hasher()
    hasher.combine(read.data)
    hasher.combine(read.isComplete)
    hasher.combine(read.missing)
    for fragment in read.fragments { hasher.combine(fragment.state) }
    return hasher.finalize()
  }
}
