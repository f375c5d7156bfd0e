import ApusClientRecords

/// An immutable state of a cache. It can be read while the cache changes.
///
/// It shares its storage with the cache, so creating it is cheap for any number of records.
public struct CacheSnapshot: Sendable {
  let records: RecordSet
  /// Records without optimistic layers; `nil` if there are no layers.
  private let belowLayers: RecordSet?
  /// The number of the change after which the snapshot was taken.
  public let number: Int

  /// Creates a snapshot for an implementation of `NormalizedCache`.
  ///
  /// - Parameters:
  ///   - records: The records of the cache.
  ///   - number: The number of changes so far.
  public init(_ records: RecordSet, number: Int) {
    self.init(records, belowLayers: nil, number: number)
  }

  init(_ records: RecordSet, belowLayers: RecordSet?, number: Int) {
    self.records = records
    self.belowLayers = belowLayers
    self.number = number
  }

  /// The snapshot without its optimistic layers.
  var withoutLayers: CacheSnapshot { CacheSnapshot(belowLayers ?? records, number: number) }

  /// Creates a snapshot of an empty cache.
  public init() { self.init(RecordSet(keepsReferrers: true), number: 0) }

  /// The number of records.
  public var count: Int { records.count }
  /// The byte count of all values, without keys and indexes.
  public var byteCount: Int { records.byteCount }

  /// Returns the record with a key, or `nil` if there is none.
  public func record(_ key: CacheKey) -> Record? { records[key] }

  /// Returns a summary of the record with a key, or `nil` if there is none.
  public func summary(of key: CacheKey) -> RecordSummary? {
    records.findRecord(key).map { records.storage.summary($0) }
  }

  /// Returns the referrers of a key, newest first. The record itself need not exist.
  public func referrers(of key: CacheKey, limit: Int = .max) -> [Referrer] {
    guard let id = records.find(key), limit > 0 else { return [] }
    return records.storage.referrers(of: id, limit: limit)
  }

  /// Returns the dangling references (those to missing records) with the keys that they refer to.
  public func danglingReferences(limit: Int = .max) -> [(referrer: Referrer, target: CacheKey)] {
    let storage = records.storage
    var found: [(referrer: Referrer, target: CacheKey)] = []
    for record in storage.keys where !storage.exists(record) && storage.referrerCount(of: record) > 0 {
      let target = storage.key(record)
      for referrer in storage.referrers(of: record, limit: limit - found.count) { found.append((referrer, target)) }
      if found.count >= limit { break }
    }
    return found
  }

  /// The number of records that are reachable from the roots.
  public var reachableCount: Int { records.reachable().count }

  /// Returns summaries of the records that match a pattern.
  public func summaries(matching pattern: RecordPattern) -> [RecordSummary] {
    let storage = records.storage
    return storage.existing.filter { pattern.matches($0, in: storage) }.map { storage.summary($0) }
  }

  /// Typenames in the cache and their record counts, highest count first.
  public var typenames: [(name: String, count: Int)] {
    var counts: [TypeID: Int] = [:]
    for record in records.storage.existing {
      if let type = records.storage[record].type { counts[type, default: 0] += 1 }
    }
    return counts.map { (name: records.storage.typenames[$0.key], count: $0.value) }
      .sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }

  /// Returns the keys that mutations would change, without applying them.
  public func changes(of mutations: [CacheMutation]) -> ChangedKeys {
    var copy = records
    return copy.apply(mutations, ChangeStamp(stamp: .max, time: 0))
  }

  /// Returns whether a read with the given dependent keys accessed a record.
  public func isRead(_ key: CacheKey, by dependent: DependentKeys) -> Bool {
    guard let id = records.find(key) else { return false }
    return dependent.hashes.contains(KeyHash.dependency(records.storage.hash(of: id), ChangedKeys.wholeRecord))
  }
}
