import ApusClientRecords

/// The records that a read or write used, for a cache with a size limit.
public struct RecordUse: Sendable {
  /// The hashes of their keys.
  private(set) var hashes: ContiguousArray<UInt64> = []
  private(set) var isWrite = false

  /// Creates the use of a read.
  init(read hashes: ContiguousArray<UInt64>) { self.hashes = hashes }

  /// Creates the use of a change. Unchanged values count as used too.
  init(_ mutations: [CacheMutation]) {
    for mutation in mutations {
      switch mutation {
      case .merge(let records):
        for record in records.storage.existing { hashes.append(records.storage.hash(of: record)) }
      case .modify(let key, _): hashes.append(KeyHash.of(key.text))
      case .removeRecord, .removeField, .removeRecords, .collect, .removeAll: continue
      }
      isWrite = true
    }
  }
}

/// The last use of each record.
///
/// A use is identified by the number of the preceding change and a counter. It can therefore be compared with the stamp of a
/// record, the only information about records that were written by another process or before this process started.
struct RecordUsageLog {
  /// Use numbers (`change << 32 | count`) by key hash.
  private var numbers: [UInt64: UInt64] = [:]
  private var count: UInt32 = 0
  /// The use number of the last write.
  private(set) var lastWrite = UInt64.max

  mutating func record(_ use: RecordUse, after change: UInt32) {
    count += 1
    let number = UInt64(change) << 32 | UInt64(count)
    for hash in use.hashes { numbers[hash] = number }
    if use.isWrite { lastWrite = number }
  }

  func last(of record: RecordID, in storage: StoredRecords) -> UInt64 {
    max(UInt64(storage[record].stamp) << 32, numbers[storage.hash(of: record)] ?? 0)
  }

  /// Returns the change after which a record was last used.
  func change(of record: RecordID, in storage: StoredRecords) -> UInt32 {
    UInt32(truncatingIfNeeded: last(of: record, in: storage) >> 32)
  }

  /// Removes the uses of records that no longer exist.
  mutating func keepOnly(_ set: RecordSet) {
    var retained: [UInt64: UInt64] = [:]
    retained.reserveCapacity(min(numbers.count, set.count))
    for id in set.storage.existing {
      let hash = set.storage.hash(of: id)
      if let number = numbers[hash] { retained[hash] = number }
    }
    numbers = retained
  }
}
