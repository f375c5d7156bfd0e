import ApusClientRecords

/// The effects of one change on a set, recorded while it is made.
struct ChangeLog: Sendable {
  /// Whether the set was empty before: all that is in it then is new, and none of it is listed.
  var isFirst = false
  var fields: ContiguousArray<FieldPlace> = []
  /// The fields of records that went as a whole: who read one of them knows the record too.
  var removedFields: ContiguousArray<FieldPlace> = []
  var wholeRecords: [RecordID] = []
  var absent: [(key: CacheKey, field: String?)] = []
  /// Records of which nothing changed but the time at which they were written, or expire.
  var refreshed: [RecordID] = []

  /// Whether nothing was changed that readers see.
  var isEmpty: Bool { !isFirst && fields.isEmpty && wholeRecords.isEmpty && absent.isEmpty }

  /// Whether nothing was changed at all.
  var isUneventful: Bool { isEmpty && removedFields.isEmpty && refreshed.isEmpty }

  mutating func note(_ record: RecordID, _ field: FieldID) { fields.append(FieldPlace(record, field)) }

  /// The fields that changed, those of a first change included; `storage` is the set after the change.
  func fields(in storage: StoredRecords) -> ContiguousArray<FieldPlace> {
    guard isFirst else { return fields }
    var all: ContiguousArray<FieldPlace> = []
    for record in storage.existing {
      for index in 0..<storage.fieldCount(of: record) {
        all.append(FieldPlace(record, storage.field(at: index, of: record).field))
      }
    }
    return all + fields
  }

  /// The records that came or went as a whole.
  func wholeRecords(in storage: StoredRecords) -> [RecordID] {
    isFirst ? storage.existing + wholeRecords : wholeRecords
  }

  /// The hashes that are compared with those of dependent keys.
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
