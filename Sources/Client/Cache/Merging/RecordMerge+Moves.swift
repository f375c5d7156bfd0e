import ApusClientRecords

/// Moves the fields of list elements that a local change put at other indexes.
extension RecordMerge {
  /// Gives each embedded object of a local change the fields of the cached object that it is. Returns the new objects, which
  /// replace those at their paths.
  func moveElements(in storage: inout StoredRecords, log: inout ChangeLog) -> RecordMarks {
    let found = cachedObjects(in: &storage, log: &log)
    var replacing = RecordMarks(for: source.keys)
    // The records before any element moved: two elements can change places.
    let before = storage
    for number in source.keys where source.exists(number) && source.isEmbedded(number) && number != incoming.named {
      guard let cached = found[number] else {
        replacing.insert(number)
        continue
      }
      if cached != records[number] { copy(cached, of: before, to: records[number], in: &storage, log: &log) }
    }
    return replacing
  }

  /// Makes a record a copy of another one, with its embedded records.
  func copy(
    _ original: RecordID, of before: StoredRecords, to record: RecordID, in storage: inout StoredRecords,
    log: inout ChangeLog
  ) {
    if storage.begin(record, stamp: changeStamp.stamp, time: changeStamp.time) {
      log.wholeRecords.append(record)
      storage.unreferenced.append(record)
    }
    let values = before.fields(of: original)
    let copied = Set(values.map(\.field))
    for index in (0..<storage.fieldCount(of: record)).reversed() {
      let field = storage.field(at: index, of: record).field
      guard !copied.contains(field) else { continue }
      storage.removeField(at: index, of: record)
      log.record(record, field)
    }
    for value in values {
      let new = copy(value, of: original, before, to: record, in: &storage, log: &log)
      let old = storage.value(of: value.field, in: record)
      if old.map({ storage.value($0) }) != storage.value(new) { log.record(record, value.field) }
      storage.set(new.stored(in: value.field), in: record)
    }
    copyNotes(original, of: before, to: record, in: &storage, log: &log)
  }

  private func copyNotes(
    _ original: RecordID, of before: StoredRecords, to record: RecordID, in storage: inout StoredRecords,
    log: inout ChangeLog
  ) {
    if storage[record].type != before[original].type { log.wholeRecords.append(record) }
    storage[record] = before[original]
    storage[record].stamp = changeStamp.stamp
    for value in storage.fields(of: record) { storage.notes.drop(record, value.field) }
    storage.notes.dropErrors(of: record)
    for value in before.fields(of: original) {
      storage.notes.setExpiry(before.notes.expiry(original, value.field), record, value.field)
    }
    for (field, text) in before.notes.errors(of: original) {
      storage.notes.setError(text, record, field)
      log.record(record, field)
    }
  }

  /// Returns a copy of a value. Records embedded in the original are copied to the same places in the record.
  private func copy(
    _ value: StoredValue, of original: RecordID, _ before: StoredRecords, to record: RecordID,
    in storage: inout StoredRecords, log: inout ChangeLog
  ) -> StoredValue {
    switch value.kind {
    case .null: return .null
    case .missing: return .missing
    case .scalar: return before.withText(of: value) { storage.scalar($0, isString: value.isString) }
    case .reference:
      guard let place = place(of: value.target, in: original, before, below: record, &storage) else {
        return .reference(value.target)
      }
      if before.exists(value.target) { copy(value.target, of: before, to: place, in: &storage, log: &log) }
      return .reference(place)
    case .list:
      let items = before.items(of: value).map { item in
        copy(item, of: original, before, to: record, in: &storage, log: &log)
      }
      return storage.list(items, isOpen: value.isOpen)
    }
  }

  /// Returns the place in `record` of a record embedded in the original; `nil` for other records.
  private func place(
    of embedded: RecordID, in original: RecordID, _ before: StoredRecords, below record: RecordID,
    _ storage: inout StoredRecords
  ) -> RecordID? {
    if embedded == original { return record }
    guard let path = before.path(of: embedded),
      let parent = place(of: path.parent, in: original, before, below: record, &storage)
    else { return nil }
    return storage.record(in: parent, at: path.component)
  }
}
