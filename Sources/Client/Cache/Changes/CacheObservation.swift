import Synchronization

/// A change with the cache as it was before and after it.
public struct ObservedCacheChange: Sendable {
  /// The change itself.
  public let change: CacheChange
  /// `nil` for what another process wrote: it is seen only when it is there.
  public let before: CacheSnapshot?
  /// The cache behind the change, optimistic layers included.
  public let after: CacheSnapshot
}

/// Keeps an observer of a cache told; when it is let go of, nothing more is told.
public final class CacheObservation: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

extension CacheStore {
  /// Tells of every change from now on, in order, and before whoever makes the change hears that it is made. The observer
  /// is called where the cache is changed: it must not wait. The two snapshots share what did not change between them;
  /// while one is kept, the next write copies what it changes.
  public nonisolated func observe(
    _ observer: @escaping @Sendable (ObservedCacheChange) -> Void
  ) -> CacheObservation {
    let id = observers.add(observer)
    Task { await followOthers() }
    return CacheObservation { [weak self, observers] in
      observers.remove(id)
      Task { await self?.stopFollowing() }
    }
  }
}

/// Those who are told of changes at once.
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

  func tell(_ change: ObservedCacheChange) {
    for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(change) }
  }
}

/// What a change of a cache came to.
struct MadeChange: Sendable {
  let changedKeys: ChangedKeys
  /// The cache around the change, where somebody wants to know.
  let before: CacheSnapshot?
  let after: CacheSnapshot?

  init(_ changedKeys: ChangedKeys, before: CacheSnapshot? = nil, after: CacheSnapshot? = nil) {
    self.changedKeys = changedKeys
    self.before = before
    self.after = after
  }
}

/// Changes with the cache around them: all of it in one turn of the cache, so that no other change comes between.
extension NormalizedCache {
  func apply(_ mutations: [CacheMutation], at time: UInt32, isObserved: Bool) async throws -> MadeChange {
    try await made(isObserved) { try await apply(mutations, at: time) }
  }

  func update(
    at time: UInt32, isObserved: Bool,
    _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) async throws -> MadeChange {
    try await made(isObserved) { try await update(at: time, body) }
  }

  func trim(to limit: Int, keeping requests: [RecordRequest], isObserved: Bool) async throws -> MadeChange {
    try await made(isObserved) { try await trim(to: limit, keeping: requests) }
  }

  private func made(_ isObserved: Bool, _ change: () async throws -> ChangedKeys) async throws -> MadeChange {
    guard isObserved else { return MadeChange(try await change()) }
    let before = try await snapshot()
    let changed = try await change()
    return MadeChange(changed, before: before, after: changed.isEmpty ? nil : try await snapshot())
  }
}
