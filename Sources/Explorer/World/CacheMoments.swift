import ApusClientAPI
import ApusClientCache
import ApusExplorerCore

/// One payload of a request's response.
struct CachePart: Hashable, Sendable {
  let request: RequestID
  let number: Int
}

/// The cache as it was after each result of a run; snapshots share what did not change between them.
struct CacheMoments: Sendable {
  /// Each costs some hundred KB of its own.
  private static let limit = 200

  /// The cache as it was when the run began.
  let start: CacheSnapshot?
  /// The payload that brought each result; nil for one that the cache gave. A subscription's oldest are forgotten.
  private var results: [CachePart?] = []
  private var forgottenResults = 0
  /// The newest payload of those that wrote something.
  private var forgottenWriter: CachePart?
  private var snapshots: [CachePart: CacheSnapshot] = [:]
  /// The payloads that wrote something, in their order.
  private var writers: [CachePart] = []
  private var hasForgotten = false

  init(start: CacheSnapshot?) { self.start = start }

  mutating func receive(part: CachePart?) {
    results.append(part)
    guard results.count > 20 * Self.limit else { return }
    let forgotten = 10 * Self.limit
    // Events that change nothing have no snapshot: behind them the cache is what the last one before made of it.
    let writer = results.prefix(forgotten).reversed().lazy.compactMap { $0 }.first { snapshots[$0] != nil }
    forgottenWriter = writer ?? forgottenWriter
    results.removeFirst(forgotten)
    forgottenResults += forgotten
  }

  /// A payload was written; that may be known before its result has been received.
  mutating func add(_ snapshot: CacheSnapshot, _ part: CachePart) {
    if snapshots.updateValue(snapshot, forKey: part) == nil { writers.append(part) }
    guard writers.count > Self.limit else { return }
    let forgotten = Self.limit / 10
    for part in writers.prefix(forgotten) { snapshots[part] = nil }
    writers.removeFirst(forgotten)
    hasForgotten = true
  }

  /// The cache as it was when a result had been written; nil when that is not remembered any more.
  func snapshot(ofResult number: Int) -> CacheSnapshot? {
    guard number >= forgottenResults else { return nil }
    for part in results.prefix(number - forgottenResults + 1).reversed() {
      if let part, let snapshot = snapshots[part] { return snapshot }
    }
    if let forgottenWriter, let snapshot = snapshots[forgottenWriter] { return snapshot }
    return hasForgotten ? nil : start
  }
}
