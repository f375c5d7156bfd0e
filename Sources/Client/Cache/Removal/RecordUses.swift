import ApusClientRecords

/// The records that were read or written at one moment, for a cache that has a limit.
public struct RecordUse: Sendable {
  /// The hashes of their keys.
  private(set) var hashes: ContiguousArray<UInt64> = []
  private(set) var isWrite = false

  /// What a read looked at.
  init(read hashes: ContiguousArray<UInt64>) { self.hashes = hashes }

  /// What a change writes, the same values as before too.
  init(_ mutations: [CacheMutation]) {
    for mutation in mutations {
      switch mutation {
      case .merge(let records):
        for record in records.storage.existing { hashes.append(records.storage.hash(of: record)) }
      case .modify(let key, _): hashes.append(KeyHash.of(key.text))
      default: continue
      }
      isWrite = true
    }
  }
}

/// When records were used, so that those which nobody has used for the longest time go first.
///
/// A use is numbered by the change that it comes after, and counted on from there: so it can be compared with the stamp of
/// a record, which is all that is known of one that another process wrote, or that was there before this one began.
struct RecordUses {
  /// By the hash of the key: `change << 32 | count`.
  private var numbers: [UInt64: UInt64] = [:]
  private var count: UInt32 = 0
  /// The use that the last write was.
  private(set) var lastWrite = UInt64.max

  mutating func note(_ use: RecordUse, after change: UInt32) {
    count += 1
    let number = UInt64(change) << 32 | UInt64(count)
    for hash in use.hashes { numbers[hash] = number }
    if use.isWrite { lastWrite = number }
  }

  func last(of record: RecordID, in storage: StoredRecords) -> UInt64 {
    max(UInt64(storage[record].stamp) << 32, numbers[storage.hash(of: record)] ?? 0)
  }

  /// The change after which a record was used last.
  func change(of record: RecordID, in storage: StoredRecords) -> UInt32 {
    UInt32(truncatingIfNeeded: last(of: record, in: storage) >> 32)
  }

  /// Forgets records that are not there any more.
  mutating func keepOnly(_ set: RecordSet) {
    var kept: [UInt64: UInt64] = [:]
    kept.reserveCapacity(min(numbers.count, set.count))
    for id in set.storage.existing {
      let hash = set.storage.hash(of: id)
      if let number = numbers[hash] { kept[hash] = number }
    }
    numbers = kept
  }
}
