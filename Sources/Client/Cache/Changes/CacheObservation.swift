import Synchronization

/// A change with snapshots of the cache before and after it.
public struct ObservedCacheChange: Sendable {
  /// The change.
  public let change: CacheChange
  /// The cache before the change; `nil` for writes of other processes, which are noticed only afterwards.
  public let before: CacheSnapshot?
  /// The cache after the change, including optimistic layers.
  public let after: CacheSnapshot
}

/// The registration of a cache observer. Releasing it stops the notifications.
public final class CacheObservation: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

extension CacheStore {
  /// Calls `observer` with every change from now on, in order, before the call that makes the change returns.
  ///
  /// The observer runs in the cache's isolation and must not block. Both snapshots share all unchanged data. While one of
  /// them is retained, the next write copies the pages that it changes.
  public nonisolated func observe(
    _ observer: @escaping @Sendable (ObservedCacheChange) -> Void
  ) -> CacheObservation {
    let id = observers.add(observer)
    Task { await monitorExternalChanges() }
    return CacheObservation { [weak self, observers] in
      observers.remove(id)
      Task { await self?.stopFollowing() }
    }
  }
}

/// The observers that are called synchronously with each change.
final class CacheObservers: Sendable {
  private struct State {
    var observers: [Int: @Sendable (ObservedCacheChange) -> Void] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  func add(_ observer: @escaping @Sendable (ObservedCacheChange) -> Void) -> Int {
    state.withLock { state in
      state.count += 1
      state.observers[state.count] = observer
      return state.count
    }
  }

  func remove(_ id: Int) { _ = state.withLock { $0.observers.removeValue(forKey: id) } }

  func notify(_ change: ObservedCacheChange) {
    for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(change) }
  }
}

/// The changed keys of a change, with snapshots for observers.
struct AppliedChange: Sendable {
  let changedKeys: ChangedKeys
  /// The cache before the change; `nil` if there are no observers.
  let before: CacheSnapshot?
  let after: CacheSnapshot?

  init(_ changedKeys: ChangedKeys, before: CacheSnapshot? = nil, after: CacheSnapshot? = nil) {
    self.changedKeys = changedKeys
    self.before = before
    self.after = after
  }
}

/// Changes with snapshots before and after them. Each runs without suspension in the cache's isolation, so that no other
/// change comes between.
extension NormalizedCache {
  func apply(_ mutations: [CacheMutation], at time: UInt32, isObserved: Bool) async throws -> AppliedChange {
    try await made(isObserved) { try await apply(mutations, at: time) }
  }

  func update(
    at time: UInt32, isObserved: Bool,
    _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) async throws -> AppliedChange {
    try await made(isObserved) { try await update(at: time, body) }
  }

  func trim(to limit: Int, keeping requests: [RecordRequest], isObserved: Bool) async throws -> AppliedChange {
    try await made(isObserved) { try await trim(to: limit, keeping: requests) }
  }

  private func made(_ isObserved: Bool, _ change: () async throws -> ChangedKeys) async throws -> AppliedChange {
    guard isObserved else { return AppliedChange(try await change()) }
    let before = try await snapshot()
    let changed = try await change()
    return AppliedChange(changed, before: before, after: changed.isEmpty ? nil : try await snapshot())
  }
}
