import ApusClientRecords

/// Finds the fields of one record in any order. The storage searches a record from its first field on where a field is not at
/// the expected index; with many fields in another order that would take quadratic time.
struct FieldFinder {
  /// The number of fields up to which a search is quicker than a dictionary.
  static let searchLimit = 32

  private let record: RecordID
  private var indexes: [FieldID: Int] = [:]

  init(_ record: RecordID) { self.record = record }

  /// The index of a field; `hint` is the index at which it is expected.
  mutating func index(of field: FieldID, in storage: StoredRecords, near hint: Int) -> Int? {
    let count = storage.fieldCount(of: record)
    if count <= Self.searchLimit { return storage.index(of: field, in: record, near: hint) }
    if hint < count, storage.field(at: hint, of: record).field == field { return hint }
    if indexes.count != count {
      indexes = [:]
      for index in 0..<count { indexes[storage.field(at: index, of: record).field] = index }
    }
    return indexes[field]
  }

  /// Notes a field that was added as the last one.
  mutating func added(_ field: FieldID) {
    if !indexes.isEmpty { indexes[field] = indexes.count }
  }
}
