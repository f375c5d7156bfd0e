import ApusClientRecords

/// A cache as it was at one moment, to be looked through at leisure while others write.
///
/// It shares its storage with the cache, so that taking one costs next to nothing, however many records there are.
public struct CacheSnapshot: Sendable {
  let records: RecordSet
  /// The records beneath optimistic layers, where some lie over them.
  private let beneathLayers: RecordSet?
  /// The number of the change after which it was taken.
  public let number: Int

  /// What a cache of your own holds, after so many changes.
  public init(_ records: RecordSet, number: Int) {
    self.init(records, beneathLayers: nil, number: number)
  }

  init(_ records: RecordSet, beneathLayers: RecordSet?, number: Int) {
    self.records = records
    self.beneathLayers = beneathLayers
    self.number = number
  }

  /// What is kept: the same without the optimistic layers over it.
  var withoutLayers: CacheSnapshot { CacheSnapshot(beneathLayers ?? records, number: number) }

  /// Nothing.
  public init() { self.init(RecordSet(keepsReferrers: true), number: 0) }

  /// How many records there are.
  public var count: Int { records.count }
  /// The bytes of all values, without keys and indices.
  public var byteCount: Int { records.byteCount }

  /// The record under a key; `nil` where there is none.
  public func record(_ key: CacheKey) -> Record? { records[key] }

  /// A line about the record under a key; `nil` where there is none.
  public func summary(of key: CacheKey) -> RecordSummary? {
    records.findRecord(key).map { records.storage.summary($0) }
  }

  /// Who refers to a key, the newest first; also to one whose record is gone.
  public func referrers(of key: CacheKey, limit: Int = .max) -> [Referrer] {
    guard let id = records.find(key), limit > 0 else { return [] }
    return records.storage.referrers(of: id, limit: limit)
  }

  /// Every reference that leads to no record, with the key that it names.
  public func dangling(limit: Int = .max) -> [(referrer: Referrer, target: CacheKey)] {
    let storage = records.storage
    var found: [(referrer: Referrer, target: CacheKey)] = []
    for record in storage.keys where !storage.exists(record) && storage.referrerCount(of: record) > 0 {
      let target = storage.key(record)
      for referrer in storage.referrers(of: record, limit: limit - found.count) { found.append((referrer, target)) }
      if found.count >= limit { break }
    }
    return found
  }

  /// How many records the roots lead to.
  public var reachableCount: Int { records.reachable().count }

  /// Lines about the records that a pattern takes in.
  public func summaries(matching pattern: RecordPattern) -> [RecordSummary] {
    let storage = records.storage
    return storage.existing.filter { pattern.matches($0, in: storage) }.map { storage.summary($0) }
  }

  /// The typenames in the cache with the number of their records, the most frequent first.
  public var typenames: [(name: String, count: Int)] {
    var counts: [TypeID: Int] = [:]
    for record in records.storage.existing {
      if let type = records.storage[record].type { counts[type, default: 0] += 1 }
    }
    return counts.map { (name: records.storage.typenames[$0.key], count: $0.value) }
      .sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }

  /// What a change would touch, without making it.
  public func changes(of mutations: [CacheMutation]) -> ChangedKeys {
    var copy = records
    return copy.apply(mutations, ChangeMoment(stamp: .max, time: 0))
  }

  /// Whether a read looked at a record.
  public func isRead(_ key: CacheKey, by dependent: DependentKeys) -> Bool {
    guard let id = records.find(key) else { return false }
    return dependent.hashes.contains(KeyHash.dependency(records.storage.hash(of: id), ChangedKeys.wholeRecord))
  }
}
