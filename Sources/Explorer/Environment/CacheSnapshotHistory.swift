import ApusClientAPI
import ApusClientCache
import ApusExplorerCore

/// One payload of a request's response.
struct PayloadID: Hashable, Sendable {
  let request: RequestID
  let number: Int
}

/// Snapshots of the cache after each result of a run. Snapshots share unchanged data.
struct CacheSnapshotHistory: Sendable {
  /// The number of snapshots to keep. Each adds a few hundred KB.
  private static let limit = 200

  /// The cache when the run began.
  let start: CacheSnapshot?
  /// The payload of each result; nil if the result came from the cache. The oldest entries of a subscription are
  /// dropped.
  private var results: [PayloadID?] = []
  private var forgottenResults = 0
  /// The newest dropped payload that wrote to the cache.
  private var forgottenWriter: PayloadID?
  private var snapshots: [PayloadID: CacheSnapshot] = [:]
  /// The payloads that wrote to the cache, oldest first.
  private var writers: [PayloadID] = []
  private var hasForgotten = false

  init(start: CacheSnapshot?) { self.start = start }

  mutating func receive(_ payload: PayloadID?) {
    results.append(payload)
    guard results.count > 20 * Self.limit else { return }
    let forgotten = 10 * Self.limit
    // Events that change nothing have no snapshot: after them, the cache equals the last snapshot before them.
    let writer = results.prefix(forgotten).reversed().lazy.compactMap { $0 }.first { snapshots[$0] != nil }
    forgottenWriter = writer ?? forgottenWriter
    results.removeFirst(forgotten)
    forgottenResults += forgotten
  }

  /// Adds the snapshot after a payload was written. This can happen before the payload's result is received.
  mutating func add(_ snapshot: CacheSnapshot, _ payload: PayloadID) {
    if snapshots.updateValue(snapshot, forKey: payload) == nil { writers.append(payload) }
    guard writers.count > Self.limit else { return }
    let forgotten = Self.limit / 10
    for payload in writers.prefix(forgotten) { snapshots[payload] = nil }
    writers.removeFirst(forgotten)
    hasForgotten = true
  }

  /// Returns the cache after a result was written; nil if that snapshot was dropped.
  func snapshot(ofResult number: Int) -> CacheSnapshot? {
    guard number >= forgottenResults else { return nil }
    for payload in results.prefix(number - forgottenResults + 1).reversed() {
      if let payload, let snapshot = snapshots[payload] { return snapshot }
    }
    if let forgottenWriter, let snapshot = snapshots[forgottenWriter] { return snapshot }
    return hasForgotten ? nil : start
  }
}
