import ApusClientOperation
import ApusJSON

/// The last reads, so that reading again what did not change costs nothing.
struct ReadMemo {
  struct Request {
    let operation: CompiledOperation
    /// The record that a fragment is read on.
    let key: CacheKey?
    let variables: JSONValue
    let allowPartial: Bool
    let allowStale: Bool
    /// How often the store had been given other rules when the read was asked for.
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

  mutating func forget(_ changed: ChangedKeys) {
    guard !changed.isEverything else { return forgetEverything() }
    // When something expires that stayed as it was is not among the changed keys.
    if !changed.refreshed.isEmpty { return forgetEverything() }
    guard !entries.isEmpty else { return }
    let hashes = KeyHashSet(changed.hashes)
    entries.removeAll { $0.read.dependentKeys.areTouched(by: hashes) }
  }

  mutating func forgetEverything() { entries = [] }
}
