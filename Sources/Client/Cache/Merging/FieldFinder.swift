import ApusClientRecords

/// Finds the fields of a record in any order. If a field is not at the expected index, the storage searches the record
/// from its first field, which takes quadratic time for many fields in a different order.
struct FieldFinder {
  /// Up to this number of fields, a linear search is faster than a dictionary.
  static let searchLimit = 32

  private let record: RecordID
  private var indexes: [FieldID: Int] = [:]

  init(_ record: RecordID) { self.record = record }

  /// Returns the index of a field. `hint` is the expected index.
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

  /// Records that a field was appended.
  mutating func added(_ field: FieldID) {
    if !indexes.isEmpty { indexes[field] = indexes.count }
  }
}
