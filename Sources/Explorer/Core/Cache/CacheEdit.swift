import ApusJSON

/// A change to the cache requested in the inspector. It is previewed, confirmed, applied and undone.
package enum CacheEdit: Equatable, Sendable {
  case evictRecords([String])
  case evictField(record: String, field: String)
  case evictType(String)
  case setValue(record: String, field: String, JSONValue)
  case collect
  case clear
  case undo

  /// The description shown to the user.
  package var title: String {
    switch self {
    case .evictRecords(let keys): keys.count == 1 ? "Evict \(keys[0])" : "Evict \(keys.count) marked records"
    case .evictField(_, let field): "Evict \(field)"
    case .evictType(let type): "Evict all \(type) records"
    case .setValue(let record, let field, _): "Set \(field) of \(record)"
    case .collect: "Remove unreachable records"
    case .clear: "Clear the cache"
    case .undo: "Undo"
    }
  }
}

/// The filter, order and snapshot of a record list.
package struct RecordListing: Equatable, Sendable {
  package var filter: String
  package var sort: RecordSort
  /// The snapshot to list; nil for the current cache.
  package var revision: CacheRevision?

  package init(filter: String = "", sort: RecordSort = RecordSort(), revision: CacheRevision? = nil) {
    self.filter = filter
    self.sort = sort
    self.revision = revision
  }
}

/// The sort order of the records; root records stay first.
package struct RecordSort: Equatable, Sendable {
  package enum Column: String, CaseIterable, Equatable, Sendable {
    case met, key, type, fields, bytes, age, referrers

    /// The title in the list header.
    package var title: String { self == .met ? "insertion order" : rawValue }
  }

  package var column = Column.met
  package var isReversed = false

  package init(_ column: Column = .met, isReversed: Bool = false) {
    self.column = column
    self.isReversed = isReversed
  }

  package var next: RecordSort {
    let all = Column.allCases
    return RecordSort(all[((all.firstIndex(of: column) ?? 0) + 1) % all.count], isReversed: isReversed)
  }
}

/// An entry of the write log: one write or another change of the cache.
package struct CacheWriteEntry: Equatable, Sendable {
  package var number: Int
  /// The operation's name, or a description of another change.
  package var title: String
  /// The run whose response was written.
  package var run: Int?
  /// The index of the payload in the response, from 0.
  package var payloadIndex: Int?
  package var recordCount: Int
  package var fieldCount: Int

  package init(number: Int, title: String, run: Int? = nil, payloadIndex: Int?, recordCount: Int, fieldCount: Int) {
    self.number = number
    self.title = title
    self.run = run
    self.payloadIndex = payloadIndex
    self.recordCount = recordCount
    self.fieldCount = fieldCount
  }
}

/// A write with every field that it changed, before and after.
package struct CacheWriteDetail: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    package var record: String
    package var field: String
    /// The previous value; `nil` if there was none.
    package var before: String?
    package var after: String?

    package init(record: String, field: String, before: String?, after: String?) {
      self.record = record
      self.field = field
      self.before = before
      self.after = after
    }
  }

  package var entry: CacheWriteEntry
  package var rows: [Row]

  package init(entry: CacheWriteEntry, rows: [Row]) {
    self.entry = entry
    self.rows = rows
  }
}
