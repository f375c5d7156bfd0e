import ApusJSON

/// Returns a set with at least the records that a request can reach, with the given steps of a change applied.
///
/// - Throws: The error of the cache if it cannot be read, for example `CacheFileError`.
public typealias RecordLookup = (_ request: RecordRequest, _ steps: [CacheMutation]) throws -> RecordSet

/// A storage of records, used by a `CacheStore`.
///
/// Reads return sets of records and changes are batches, so that a cache on disk needs one round trip for many records. It
/// is an actor, and its calls execute one after another.
public protocol NormalizedCache: Actor {
  /// Returns a set with at least the records that a request can reach. A cache in memory returns all of its records.
  ///
  /// - Throws: An error with a description that the user can act on, such as `CacheFileError`. The client reports it as
  ///   `GraphQLClientError.cacheFailure`. This also applies to the other methods.
  func records(for request: RecordRequest) async throws -> RecordSet

  /// Returns a snapshot of all records.
  ///
  /// - Throws: An error if the cache cannot be read; see `records(for:)`.
  func snapshot() async throws -> CacheSnapshot

  /// Applies mutations, all or none, and returns the changed keys. `time` is in seconds since 1970.
  ///
  /// - Throws: An error if the cache cannot be written; no mutation is applied then.
  func apply(_ mutations: [CacheMutation], at time: UInt32) async throws -> ChangedKeys

  /// Applies mutations that depend on the records, as one atomic operation for this and other processes.
  ///
  /// `body` calls `records` to get the records that a request can reach after the given steps. Each call passes the steps of
  /// the previous call, possibly with more at the end. `body` returns all steps. If it throws, nothing is changed. It may be
  /// called again if a cache file turns out to be damaged.
  ///
  /// - Throws: The error of `body`, or an error if the cache cannot be read or written.
  func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) async throws -> ChangedKeys

  /// Returns the byte count of all values, without keys and indexes.
  ///
  /// - Throws: An error if the cache cannot be read; see `records(for:)`.
  func byteCount() async throws -> Int

  /// Records that records were read or written, for `trim(to:keeping:)`.
  func recordUse(_ use: RecordUse) async

  /// Removes the least recently used records until the values have at most `limit` bytes, and returns the changed keys.
  /// Records that the requests can reach, and records used in or after the last write, are kept.
  ///
  /// - Throws: An error if the cache cannot be written; see `apply(_:at:)`.
  func trim(to limit: Int, keeping requests: [RecordRequest]) async throws -> ChangedKeys

  /// Whether other processes can change the records, so that `externalChanges()` must be called.
  nonisolated var isShared: Bool { get }

  /// A stream with an element after each write by any process; the consumer then calls `externalChanges()`. Elements can be
  /// spurious. The stream ends when its consumer stops.
  nonisolated var writes: AsyncStream<Void> { get }

  /// Returns the changes by other processes since the last call.
  ///
  /// - Throws: An error if the cache cannot be read; see `records(for:)`.
  func externalChanges() async throws -> [ChangedKeys]
}

extension NormalizedCache {
  /// False by default.
  public nonisolated var isShared: Bool { false }
  /// An empty stream by default.
  public nonisolated var writes: AsyncStream<Void> { AsyncStream { $0.finish() } }
  /// Returns no changes by default.
  public func externalChanges() async -> [ChangedKeys] { [] }
}

/// A normalized cache in memory.
public actor InMemoryNormalizedCache: NormalizedCache {
  private var set = RecordSet(keepsReferrers: true)
  private var stamp: UInt32 = 0
  private var uses = RecordUsageLog()

  /// Creates an empty cache.
  public init() {}

  /// Creates a cache with the records of an export.
  ///
  /// - Parameter json: A document written by `CacheExport`.
  /// - Throws: `CacheImportError` if the JSON is not an export, has another version, or contains an invalid record.
  public init(importing json: JSONValue) throws(CacheImportError) {
    _ = set.apply([.merge(try CacheImport.records(json))], ChangeStamp(stamp: 1, time: 0))
    stamp = 1
  }

  public func records(for request: RecordRequest) -> RecordSet { set }

  public func snapshot() -> CacheSnapshot { CacheSnapshot(set, number: Int(stamp)) }

  public func apply(_ mutations: [CacheMutation], at time: UInt32) -> ChangedKeys {
    stamp += 1
    return set.apply(mutations, ChangeStamp(stamp: stamp, time: time))
  }

  public func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) throws -> ChangedKeys {
    let mutations = try steps(of: body, at: time)
    return mutations.isEmpty ? ChangedKeys() : apply(mutations, at: time)
  }

  /// Applies the steps to a copy while `body` reads. The copy is released before the steps are applied.
  private func steps(
    of body: (_ records: RecordLookup) throws -> [CacheMutation], at time: UInt32
  ) rethrows -> [CacheMutation] {
    var draft: RecordSet?
    var made = 0
    return try body { _, steps in
      guard !steps.isEmpty else { return set }
      var records = draft ?? set
      draft = nil
      _ = records.apply(Array(steps[made...]), ChangeStamp(stamp: stamp + 1, time: time))
      made = steps.count
      draft = records
      return records
    }
  }

  public func byteCount() -> Int { set.byteCount }

  public func recordUse(_ use: RecordUse) { uses.record(use, after: stamp) }

  public func trim(to limit: Int, keeping requests: [RecordRequest]) -> ChangedKeys {
    let changed = set.trim(to: limit, keeping: requests, uses)
    uses.keepOnly(set)
    return changed
  }
}
