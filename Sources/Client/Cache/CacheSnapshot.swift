/// A cache as it was at one moment, to be looked through at leisure while others write.
///
/// It shares its storage with the cache, so that taking one costs next to nothing, however many records there are.
public struct CacheSnapshot: Sendable {
  private let records: RecordSet
  /// The number of the change after which it was taken.
  public let number: Int

  init(_ records: RecordSet, number: Int) {
    self.records = records
    self.number = number
  }

  /// Nothing.
  public init() { self.init(RecordSet(keepsReferrers: true), number: 0) }

  public var count: Int { records.count }
  /// The bytes of all values, without keys and indices.
  public var byteCount: Int { records.byteCount }

  public func record(_ key: CacheKey) -> Record? { records[key] }

  public func summary(of key: CacheKey) -> RecordSummary? {
    guard let id = records.find(key), records.table.entries[id].exists else { return nil }
    return records.table.summary(id)
  }

  /// Who refers to a key, the newest first; also to one whose record is gone.
  public func referrers(of key: CacheKey, limit: Int = .max) -> [Referrer] {
    guard let id = records.find(key), limit > 0 else { return [] }
    return records.table.referrers(of: id, limit: limit)
  }

  /// The typenames in the cache with the number of their records, the most frequent first.
  public var typenames: [(name: String, count: Int)] {
    var counts: [UInt32: Int] = [:]
    records.table.entries.forEachPage { _, page in
      for entry in page where entry.exists && entry.type != RecordTable.none { counts[entry.type, default: 0] += 1 }
    }
    return counts.map { (name: records.table.typenames.name($0.key), count: $0.value) }
      .sorted { $0.count != $1.count ? $0.count > $1.count : $0.name < $1.name }
  }

  /// Lines about the records that a filter lets through: the roots first, then in the order in which their keys were
  /// first met.
  public func summaries(
    _ filter: RecordFilter = RecordFilter(), offset: Int = 0, limit: Int = .max
  ) -> [RecordSummary] {
    let table = records.table
    var found: [RecordSummary] = []
    var skipped = 0
    let types = filter.typename.map { table.typenames.index(of: $0) ?? RecordTable.none }
    func take(_ id: UInt32) -> Bool {
      if let types, types == RecordTable.none || table.entries[id].type != types { return true }
      if !filter.text.isEmpty, !filter.matches(table.keyText(id)), !filter.matches(table.typename(id) ?? "") {
        return true
      }
      if skipped < offset {
        skipped += 1
        return true
      }
      found.append(table.summary(id))
      return found.count < limit
    }
    guard limit > 0 else { return [] }
    let roots = [CacheKey.queryRoot, .mutationRoot, .subscriptionRoot].compactMap { records.find($0) }
    for root in roots where table.entries[root].exists {
      if !take(root) { return found }
    }
    for number in 0..<table.entries.count {
      let id = UInt32(number)
      guard table.entries[number].exists, !roots.contains(id) else { continue }
      if !take(id) { return found }
    }
    return found
  }
}

/// Which records someone wants to see.
public struct RecordFilter: Sendable, Hashable {
  /// What the key or the typename contains; upper and lower case are the same.
  public var text: String
  /// The one type whose records are shown.
  public var typename: String?

  private let needle: [UInt8]

  public init(text: String = "", typename: String? = nil) {
    self.text = text
    self.typename = typename
    needle = Array(text.lowercased().utf8)
  }

  func matches(_ candidate: String) -> Bool {
    guard !needle.isEmpty else { return true }
    var candidate = candidate.utf8.allSatisfy({ $0 < 0x80 }) ? candidate : candidate.lowercased()
    return candidate.withUTF8 { bytes in
      guard bytes.count >= needle.count else { return false }
      for start in 0...(bytes.count - needle.count) {
        var length = 0
        while length < needle.count, Self.lower(bytes[start + length]) == needle[length] { length += 1 }
        if length == needle.count { return true }
      }
      return false
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
