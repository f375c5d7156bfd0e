import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusJSON

/// What a pager knows of its pages' places in the cache, so that a change republishes those that show it and no other.
struct PageWatch<Position: Hashable & Sendable>: Sendable {
  private struct Entry {
    let position: Position
    /// What fetched it: the changes that it made are in the page.
    let request: RequestID?
    /// Stands for the data as the cache had it last.
    var fingerprint: Int
    /// Whether those who listen have seen the data as the cache has it. Until then a change that others made while the
    /// page was fetched may be in the cache's data and not in the page's.
    var isKnown = false
    /// How much the cache is to have of the page: what is missing beyond that was lost.
    var holding: CacheHolding
    /// The number of the newest change when the page's fetch began: what was lost before, that made good.
    let fetchBegan: Int
    /// Whether what is lost may be fetched again: not for a page that was to come from the cache alone.
    let mayFetch: Bool
    /// How often it was read anew.
    var rereadCount = 0
  }

  /// What a touched page has become.
  enum Reread {
    case same, other
    /// Something was taken from it: the page that was given out stays until it is fetched again.
    case lost(mayFetch: Bool)
  }

  private var entries: [Entry] = []
  private var numbers: [Position: Int] = [:]
  private var index = DependencyIndex()

  /// Remembers what the cache has of a page that was just loaded.
  mutating func loaded<Data: Sendable>(
    _ position: Position, _ result: GraphQLResult<Data>, _ read: CacheRead, fetchBegan: Int, mayFetch: Bool
  ) {
    let entry = Entry(
      position: position, request: result.request, fingerprint: Self.fingerprint(read),
      holding: CacheHolding(read, after: result), fetchBegan: fetchBegan, mayFetch: mayFetch)
    if let number = numbers[position] {
      entries[number] = entry
    } else {
      numbers[position] = entries.count
      entries.append(entry)
    }
    index.insert(UInt32(numbers[position] ?? 0), dependingOn: read.dependentKeys)
  }

  /// The pages that somebody else's change touches, and seldom one that it does not. What a page's own fetch wrote, it
  /// shows; what else is different by then, others did, and are about to tell.
  func pages(touchedBy change: CacheChange) -> [Position] {
    index.readers(touchedBy: change.changedKeys).lazy.map { entries[Int($0)] }
      .filter { $0.request == nil || $0.request != change.request }.map(\.position)
  }

  /// How often a page was read anew: a read that began before another one ended may be the older of the two.
  func rereadCount(_ position: Position) -> Int { numbers[position].map { entries[$0].rereadCount } ?? 0 }

  /// Takes what a touched page reads now, because of a change, or of none where it is only looked at again.
  mutating func reread(_ position: Position, _ read: CacheRead, _ change: CacheChange?) -> Reread {
    guard let number = numbers[position] else { return .same }
    entries[number].rereadCount += 1
    let isNews = change.map { $0.number > entries[number].fetchBegan } ?? true
    // A loss may be seen before it is told of: what the page held stays until then, or nobody would know of the loss.
    if read.hasLost(since: entries[number].holding) {
      return isNews ? .lost(mayFetch: entries[number].mayFetch) : .same
    }
    let fingerprint = Self.fingerprint(read)
    let isSame = fingerprint == entries[number].fingerprint
    if isSame, entries[number].isKnown || change == nil { return .same }
    if !isSame {
      entries[number].fingerprint = fingerprint
      entries[number].holding = CacheHolding(read)
      index.insert(UInt32(number), dependingOn: read.dependentKeys)
    }
    entries[number].isKnown = true
    return .other
  }

  func has(_ position: Position) -> Bool { numbers[position] != nil }

  mutating func removeAll() { self = PageWatch() }

  private static func fingerprint(_ read: CacheRead) -> Int {
    var hasher = Hasher()
    hasher.combine(read.data)
    hasher.combine(read.isComplete)
    hasher.combine(read.missing)
    for fragment in read.fragments { hasher.combine(fragment.state) }
    return hasher.finalize()
  }
}
