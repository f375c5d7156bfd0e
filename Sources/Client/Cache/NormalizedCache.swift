/// A store of records: what stands behind a `CacheStore`.
///
/// A cache answers in flat sets and changes in batches, so that one on disk needs one round trip where it holds many
/// records. It is an actor: its calls happen one after the other.
public protocol NormalizedCache: Actor {
  /// A set that holds at least the records under these keys, so far as there are any. A cache in memory hands out all
  /// that it has, which costs nothing.
  func records(for keys: [CacheKey]) async throws -> RecordSet

  /// Everything, as it is now.
  func snapshot() async throws -> CacheSnapshot

  /// Makes a change of several steps, all of it or none, and tells what it changed.
  func apply(_ mutations: [CacheMutation]) async throws -> ChangedKeys
}

/// The cache that keeps its records in memory, and knows for each of them who refers to it.
public actor InMemoryNormalizedCache: NormalizedCache {
  private var set = RecordSet(keepsReferrers: true)
  private var stamp: UInt32 = 0

  /// An empty cache.
  public init() {}

  public func records(for keys: [CacheKey]) -> RecordSet { set }

  public func snapshot() -> CacheSnapshot { CacheSnapshot(set, number: Int(stamp)) }

  public func apply(_ mutations: [CacheMutation]) -> ChangedKeys {
    stamp += 1
    return set.apply(mutations, stamp: stamp)
  }
}
