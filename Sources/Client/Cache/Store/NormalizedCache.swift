import ApusJSON

/// Gives a set that holds at least what a request leads to, as a cache will be once some steps of a change are made.
///
/// - Throws: What the cache throws where it cannot read: `CacheFileError` for one on disk.
public typealias RecordLookup = (_ request: RecordRequest, _ steps: [CacheMutation]) throws -> RecordSet

/// A store of records: what stands behind a `CacheStore`.
///
/// A cache answers in flat sets and changes in batches, so that one on disk needs one round trip where it holds many
/// records. It is an actor: its calls happen one after the other.
public protocol NormalizedCache: Actor {
  /// A set that holds at least the records that a request leads to. A cache in memory hands out all that it has, which
  /// costs nothing.
  ///
  /// - Throws: What keeps the cache from reading, under a name that a person can act upon, as `CacheFileError` does. A
  ///   client tells it as `GraphQLClientError.cacheFailure`. The same holds for all calls below.
  func records(for request: RecordRequest) async throws -> RecordSet

  /// Everything, as it is now.
  ///
  /// - Throws: What keeps the cache from reading, as `records(for:)` does.
  func snapshot() async throws -> CacheSnapshot

  /// Makes a change of several steps, all of it or none, and tells what it changed. `time` is in seconds since 1970.
  ///
  /// - Throws: What keeps the cache from writing; then none of the steps is made.
  func apply(_ mutations: [CacheMutation], at time: UInt32) async throws -> ChangedKeys

  /// Makes a change that depends on what is there, of which nobody, in this process or another, sees or changes anything
  /// in between.
  ///
  /// `body` asks `records` for what requests lead to, as it will be behind the first steps of the change: each time the
  /// same ones and perhaps more. It answers with all steps. What it throws leaves everything as it was and is thrown on. It
  /// may be called again when the file of a cache was damaged.
  ///
  /// - Throws: What `body` throws, and what keeps the cache from reading or writing.
  func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) async throws -> ChangedKeys

  /// The bytes of all values, without keys and indices.
  ///
  /// - Throws: What keeps the cache from reading, as `records(for:)` does.
  func byteCount() async throws -> Int

  /// Notes that records were read or written, for `trim` to go by.
  func note(_ use: RecordUse) async

  /// Removes the records that were used the longest ago, until at most `limit` bytes of values are left: all but those
  /// that the requests lead to, and those that were used in the last write or since. Tells what it changed.
  ///
  /// - Throws: What keeps the cache from writing, as `apply(_:at:)` does.
  func trim(to limit: Int, keeping requests: [RecordRequest]) async throws -> ChangedKeys

  /// Whether others may write to what this cache reads, so that `foreignChanges` is worth asking.
  nonisolated var isShared: Bool { get }

  /// A word each time that something may have been written, by anyone, for those who then ask for `foreignChanges`. Ends
  /// when nobody listens.
  nonisolated var writes: AsyncStream<Void> { get }

  /// What others changed since this was asked last.
  ///
  /// - Throws: What keeps the cache from reading, as `records(for:)` does.
  func foreignChanges() async throws -> [ChangedKeys]
}

extension NormalizedCache {
  /// False: nobody else writes to it.
  public nonisolated var isShared: Bool { false }
  /// None: the stream ends at once.
  public nonisolated var writes: AsyncStream<Void> { AsyncStream { $0.finish() } }
  /// None.
  public func foreignChanges() async -> [ChangedKeys] { [] }
}

/// The cache that keeps its records in memory, and knows for each of them who refers to it.
public actor InMemoryNormalizedCache: NormalizedCache {
  private var set = RecordSet(keepsReferrers: true)
  private var stamp: UInt32 = 0
  private var uses = RecordUses()

  /// An empty cache.
  public init() {}

  /// A cache with the records of an export.
  ///
  /// - Parameter json: What `CacheExport` wrote.
  /// - Throws: `CacheImportError` where the JSON is no export or one of another version.
  public init(importing json: JSONValue) throws(CacheImportError) {
    _ = set.apply([.merge(try CacheImport.records(json))], ChangeMoment(stamp: 1, time: 0))
    stamp = 1
  }

  public func records(for request: RecordRequest) -> RecordSet { set }

  public func snapshot() -> CacheSnapshot { CacheSnapshot(set, number: Int(stamp)) }

  public func apply(_ mutations: [CacheMutation], at time: UInt32) -> ChangedKeys {
    stamp += 1
    return set.apply(mutations, ChangeMoment(stamp: stamp, time: time))
  }

  public func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) throws -> ChangedKeys {
    let mutations = try steps(of: body, at: time)
    return mutations.isEmpty ? ChangedKeys() : apply(mutations, at: time)
  }

  /// What the records will be is tried on a copy, which is gone when the steps are made.
  private func steps(
    of body: (_ records: RecordLookup) throws -> [CacheMutation], at time: UInt32
  ) rethrows -> [CacheMutation] {
    var draft: RecordSet?
    var made = 0
    return try body { _, steps in
      guard !steps.isEmpty else { return set }
      var records = draft ?? set
      draft = nil
      _ = records.apply(Array(steps[made...]), ChangeMoment(stamp: stamp + 1, time: time))
      made = steps.count
      draft = records
      return records
    }
  }

  public func byteCount() -> Int { set.byteCount }

  public func note(_ use: RecordUse) { uses.note(use, after: stamp) }

  public func trim(to limit: Int, keeping requests: [RecordRequest]) -> ChangedKeys {
    let changed = set.trim(to: limit, keeping: requests, uses)
    uses.keepOnly(set)
    return changed
  }
}
