import ApusClientOperation
import ApusJSON

/// The most recent reads, returned again as long as nothing they depend on changes.
struct ReadMemo {
  struct Request {
    let operation: CompiledOperation
    /// The key of the record that a fragment is read on; `nil` for an operation.
    let key: CacheKey?
    let variables: JSONValue
    let allowPartial: Bool
    let allowStale: Bool
    /// The number of times that the store's rules had been replaced.
    let rules: Int

    func isSame(as other: Request) -> Bool {
      operation === other.operation && key == other.key && allowPartial == other.allowPartial
        && allowStale == other.allowStale && rules == other.rules && variables == other.variables
    }
  }

  private static let limit = 8
  private var entries: [(request: Request, read: CacheRead)] = []

  subscript(request: Request, time: UInt32) -> CacheRead? {
    entries.first {
      ($0.read.expires == 0 || time < $0.read.expires) && $0.request.isSame(as: request)
    }?.read
  }

  mutating func remember(_ read: CacheRead, for request: Request) {
    entries.removeAll { $0.request.isSame(as: request) }
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append((request, read))
  }

  mutating func remove(_ changed: ChangedKeys) {
    guard !changed.isEverything else { return forgetEverything() }
    // A changed expiry time without other changes is not among the changed keys.
    if !changed.refreshed.isEmpty { return forgetEverything() }
    guard !entries.isEmpty else { return }
    let hashes = KeyHashSet(changed.hashes)
    entries.removeAll { $0.read.dependentKeys.intersects(hashes) }
  }

  mutating func forgetEverything() { entries = [] }
}
