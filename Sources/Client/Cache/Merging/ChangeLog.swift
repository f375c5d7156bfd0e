import ApusClientRecords

/// The effects of one change on a record set, recorded while it is applied.
struct ChangeLog: Sendable {
  /// Whether the set was empty before, in which case all records are new and not listed individually.
  var isFirst = false
  var fields: ContiguousArray<FieldLocation> = []
  /// Fields of removed records. They are not hashed for readers, which depend on the record as well.
  var removedFields: ContiguousArray<FieldLocation> = []
  var wholeRecords: [RecordID] = []
  var absent: [(key: CacheKey, field: String?)] = []
  /// Records in which only the write or expiry time changed.
  var refreshed: [RecordID] = []

  /// Whether no change is visible to readers.
  var isEmpty: Bool { !isFirst && fields.isEmpty && wholeRecords.isEmpty && absent.isEmpty }

  /// Whether nothing changed at all.
  var isUneventful: Bool { isEmpty && removedFields.isEmpty && refreshed.isEmpty }

  mutating func record(_ record: RecordID, _ field: FieldID) { fields.append(FieldLocation(record, field)) }

  /// Returns the changed fields, including those of a first change. `storage` is the storage after the change.
  func fields(in storage: StoredRecords) -> ContiguousArray<FieldLocation> {
    guard isFirst else { return fields }
    var all: ContiguousArray<FieldLocation> = []
    for record in storage.existing {
      for index in 0..<storage.fieldCount(of: record) {
        all.append(FieldLocation(record, storage.field(at: index, of: record).field))
      }
    }
    return all + fields
  }

  /// Returns the records that were added or removed.
  func wholeRecords(in storage: StoredRecords) -> [RecordID] {
    isFirst ? storage.existing + wholeRecords : wholeRecords
  }

  /// Returns the hashes that are compared with those of dependent keys.
  func hashes(in storage: StoredRecords) -> ContiguousArray<UInt64> {
    let (fields, records) = (fields(in: storage), wholeRecords(in: storage))
    var hashes: ContiguousArray<UInt64> = []
    hashes.reserveCapacity(fields.count + records.count + absent.count)
    for place in fields {
      hashes.append(
        KeyHash.dependency(storage.hash(of: place.record), storage.fieldNames.hash(of: place.field)))
    }
    for record in records { hashes.append(KeyHash.dependency(storage.hash(of: record), ChangedKeys.wholeRecord)) }
    for (key, _) in absent { hashes.append(KeyHash.dependency(KeyHash.of(key.text), ChangedKeys.wholeRecord)) }
    return hashes
  }
}
