import PeopleAPI

/// A cache over a set of records that counts its reads.
actor PlainCache: NormalizedCache {
  private var records = RecordSet(keepsReferrers: true)
  private var number: UInt32 = 0
  private(set) var readCount = 0

  func records(for request: RecordRequest) -> RecordSet {
    readCount += 1
    return records
  }

  func snapshot() -> CacheSnapshot { CacheSnapshot(records, number: Int(number)) }

  func apply(_ mutations: [CacheMutation], at time: UInt32) -> ChangedKeys {
    number += 1
    return records.apply(mutations, number: number, time: time)
  }

  func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) throws -> ChangedKeys {
    let steps = try body { _, steps in
      var draft = records
      if !steps.isEmpty { _ = draft.apply(steps, number: number + 1, time: time) }
      return draft
    }
    return steps.isEmpty ? ChangedKeys() : apply(steps, at: time)
  }

  func byteCount() -> Int { records.byteCount }
  func recordUse(_ use: RecordUse) {}
  func trim(to limit: Int, keeping requests: [RecordRequest]) -> ChangedKeys { ChangedKeys() }
}
