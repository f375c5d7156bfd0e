import ApusClientRecords

/// Merges the records of one set into another, field by field.
///
/// 1. Assigns ids in the target to the field keys, typenames and record keys of the incoming set.
/// 2. Compares the fields of each record. Differences are replaced and logged. If an embedded record is a different
///    object than the cached one, it also loses the fields that the new object does not have.
/// 3. Removes the existing value of a field that has an error.
/// 4. Collects embedded records that lost their last reference, for removal.
struct RecordMerge {
  let incoming: RecordSet
  /// The storage of the incoming set.
  let source: StoredRecords
  /// The target's field ids, by the ids of the incoming set.
  let fields: IDMap<FieldID>
  private let typenames: IDMap<TypeID>
  let records: IDMap<RecordID>
  let changeStamp: ChangeStamp
  private var scratch: ContiguousArray<StoredValue> = []

  init(_ incoming: consuming RecordSet, into target: inout RecordSet, changeStamp: ChangeStamp) {
    var (fields, typenames, records) = (IDMap<FieldID>(), IDMap<TypeID>(), IDMap<RecordID>())
    incoming.storage.fieldNames.forEach { name in
      let key = incoming.repeatsFields ? RecordSet.fieldKey(ofRepeated: name) : name
      fields.append(target.storage.fieldNames.intern(key))
    }
    incoming.storage.typenames.forEach { typenames.append(target.storage.typenames.intern($0)) }
    for number in incoming.storage.keys {
      guard let path = incoming.storage.path(of: number) else {
        let hash = incoming.storage.hash(of: number)
        records.append(incoming.storage.withKey(of: number) { target.storage.record($0, hash: hash) })
        continue
      }
      let component: KeyComponent =
        switch path.component {
        case .field(let field): .field(fields[field])
        case .index: path.component
        }
      records.append(target.storage.record(in: records[path.parent], at: component))
    }
    self.incoming = incoming
    source = incoming.storage
    (self.fields, self.typenames, self.records, self.changeStamp) = (fields, typenames, records, changeStamp)
  }

  mutating func run(into storage: inout StoredRecords, log: inout ChangeLog) {
    let replacing: RecordMarks
    switch incoming.origin {
    case .response, .layer: replacing = recordsReplacingOthers(in: storage)
    case .local: replacing = moveElements(in: &storage, log: &log)
    }
    let hasTakers = storage.notes.hasTakers
    for number in source.keys {
      let record = records[number]
      guard source.exists(number) else {
        storage.unreferenced.append(record)
        continue
      }
      if replacing.contains(number) { removeOtherFields(number, of: record, in: &storage, log: &log) }
      merge(number, into: record, of: &storage, log: &log)
      if hasTakers { forgetTakers(of: record, in: &storage) }
      confirm(number, record, in: &storage, log: &log)
    }
    for number in source.notes.recordsWithErrors where storage.exists(records[number]) {
      for (field, text) in source.notes.errors(of: number) {
        mergeError(
          text, of: FieldLocation(records[number], fields[field]), joins: joins(number, field), in: &storage, log: &log)
      }
    }
  }

  // MARK: Values

  private mutating func merge(
    _ number: RecordID, into record: RecordID, of storage: inout StoredRecords, log: inout ChangeLog
  ) {
    if let type = source[number].type, storage[record].type != typenames[type] {
      storage[record].type = typenames[type]
      // A different type can select other fields, even if the record's own fields do not change.
      if storage.exists(record) { log.wholeRecords.append(record) }
    }
    var isChanged = false
    if storage.begin(record, stamp: changeStamp.stamp, time: changeStamp.time) {
      isChanged = true
      // Notify readers that found a dangling reference to this record.
      log.wholeRecords.append(record)
      // If a response contains an object twice, an embedded record may end up without references.
      if storage.isEmbedded(record) { storage.unreferenced.append(record) }
      if !incoming.repeatsFields { return add(number, to: record, of: &storage, log: &log) }
    }
    var finder = FieldFinder(record)
    for index in 0..<source.fieldCount(of: number) {
      let value = source.field(at: index, of: number)
      let field = fields[value.field]
      let position = finder.index(of: field, in: storage, near: index)
      let existing = position.map { storage.field(at: $0, of: record) }
      guard let new = merged(value, of: number, with: existing, in: &storage)?.stored(in: field) else { continue }
      if let existing { noteKeySelection(value, existing, in: &storage) }
      if let position {
        storage.replaceField(at: position, of: record, by: new)
      } else {
        storage.add(new, to: record)
        finder.added(field)
      }
      isChanged = true
      log.record(record, field)
    }
    if isChanged { storage[record].stamp = changeStamp.stamp }
  }

  /// Adds the fields of a new record.
  private mutating func add(
    _ number: RecordID, to record: RecordID, of storage: inout StoredRecords, log: inout ChangeLog
  ) {
    var values = scratch
    scratch = []
    for index in 0..<source.fieldCount(of: number) {
      let value = source.field(at: index, of: number)
      guard let new = merged(value, of: number, with: nil, in: &storage) else { continue }
      values.append(new.stored(in: fields[value.field]))
      log.record(record, fields[value.field])
    }
    values.withUnsafeBufferPointer { storage.add($0, to: record) }
    values.removeAll(keepingCapacity: true)
    scratch = values
  }

  /// Returns the value of a field after the merge, or `nil` if it does not change.
  private func merged(
    _ value: StoredValue, of number: RecordID, with existing: StoredValue?, in storage: inout StoredRecords
  ) -> StoredValue? {
    if !incoming.merges.isEmpty, let pending = incoming.merges[FieldLocation(number, value.field)] {
      return joined(value, to: existing, pending, in: &storage)
    }
    return replacement(of: existing, by: value, in: &storage)
  }

  /// Returns the new value of a field, or `nil` if it equals the existing one.
  func replacement(
    of existing: StoredValue?, by value: StoredValue, in storage: inout StoredRecords
  ) -> StoredValue? {
    if let existing, isEqual(existing, value, in: storage) { return nil }
    return adopted(value, in: &storage)
  }

  /// Returns a copy of an incoming value in the target storage.
  func adopted(_ value: StoredValue, in storage: inout StoredRecords) -> StoredValue {
    switch value.kind {
    case .null: return .null
    case .missing: return .missing
    case .scalar: return source.withText(of: value) { storage.scalar($0, isString: value.isString) }
    case .reference: return .reference(records[value.target])
    case .list:
      let items = (0..<value.count).map { adopted(source.item(at: $0, of: value), in: &storage) }
      return storage.list(items, isOpen: value.isOpen)
    }
  }

  /// Returns whether a value of the target equals one of the incoming set.
  func isEqual(_ existing: StoredValue, _ new: StoredValue, in storage: StoredRecords) -> Bool {
    guard existing.kind == new.kind else { return false }
    switch existing.kind {
    case .null, .missing: return true
    case .scalar: return existing.isString == new.isString && storage.isSameText(existing, as: new, of: source)
    case .reference: return existing.target == records[new.target]
    case .list:
      return existing.count == new.count && existing.isOpen == new.isOpen
        && (0..<existing.count).allSatisfy { index in
          isEqual(storage.item(at: index, of: existing), source.item(at: index, of: new), in: storage)
        }
    }
  }

  /// Returns a record's type as an id of the target.
  func type(of number: RecordID) -> TypeID? { source[number].type.map { typenames[$0] } }

  // MARK: Errors and times

  /// Stores a field's error and removes the value that it contradicts. If a page of a merged list failed, the other pages
  /// stay.
  private func mergeError(
    _ error: String, of place: FieldLocation, joins: Bool, in storage: inout StoredRecords, log: inout ChangeLog
  ) {
    if let index = storage.index(of: place.field, in: place.record, near: 0) {
      if joins { return }
      storage.removeField(at: index, of: place.record)
      storage[place.record].stamp = changeStamp.stamp
      log.record(place.record, place.field)
    }
    guard storage.notes.error(place.record, place.field) != error else { return }
    storage.notes.setError(error, place.record, place.field)
    log.record(place.record, place.field)
  }

  /// Returns whether a field's value is merged from several responses.
  func joins(_ number: RecordID, _ field: FieldID) -> Bool {
    guard !incoming.merges.isEmpty else { return false }
    switch incoming.merges[FieldLocation(number, field)]?.merge {
    case .append, .offset, .function: return true
    case .connection, nil: return false
    }
  }

  /// Updates the write time of a record and the expiry times of the written fields. Other fields keep their expiry time.
  private func confirm(
    _ number: RecordID, _ record: RecordID, in storage: inout StoredRecords, log: inout ChangeLog
  ) {
    let (new, existing) = (source[number], storage[record])
    if existing.expires != 0 || storage.notes.hasExpiries { noteRevived(number, record, in: storage, log: &log) }
    var isAnother = existing.expires != new.expires
    if isAnother || source.notes.hasExpiries || !storage.notes.isEmpty {
      if confirmFields(number, record, in: &storage) { isAnother = true }
    }
    // A record that is repeatedly written without changes is not saved each time.
    if isAnother || changeStamp.time > existing.written &+ 60 { log.refreshed.append(record) }
    storage[record].expires = new.expires
    storage[record].written = new.written == 0 ? changeStamp.time : new.written
  }

  /// Logs expired fields that are fresh again. This is a change for readers, even if the value is the same.
  private func noteRevived(
    _ number: RecordID, _ record: RecordID, in storage: StoredRecords, log: inout ChangeLog
  ) {
    for index in 0..<source.fieldCount(of: number) {
      let field = fields[source.field(at: index, of: number).field]
      let expires = storage.expiry(of: field, in: record)
      if expires != 0, expires <= changeStamp.time { log.record(record, field) }
    }
  }

  /// Updates the expiry times and errors of a record's fields. Returns whether one of the written fields has others.
  private func confirmFields(_ number: RecordID, _ record: RecordID, in storage: inout StoredRecords) -> Bool {
    var written: Set<FieldID> = []
    var isAnother = false
    for value in source.fields(of: number) {
      let field = fields[value.field]
      written.insert(field)
      let expires = source.notes.expiry(number, value.field)
      if storage.notes.expiry(record, field) != expires || storage.notes.error(record, field) != nil {
        isAnother = true
      }
      storage.notes.drop(record, field)
      if let expires { storage.notes.setExpiry(expires, record, field) }
    }
    let expires = storage[record].expires
    if expires != source[number].expires {
      for value in storage.fields(of: record)
      where !written.contains(value.field) && storage.notes.expiry(record, value.field) == nil {
        storage.notes.setExpiry(expires, record, value.field)
      }
    }
    return isAnother
  }
}
