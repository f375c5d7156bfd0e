import ApusClientRecords

/// Decides which embedded objects of a write are the same as the cached ones with the same path.
///
/// An object without a key is identified by its path, but another response may have a different object there. The common
/// fields of both decide:
///
/// 1. Below a list index, the path is not evidence. They are the same object if a common field refers to the same keyed
///    record, and no common field differs.
/// 2. Elsewhere, they are the same object unless their types or a common field differ, or their parents are different
///    objects.
///
/// If the object is the same, it is merged; otherwise, it replaces the cached record.
extension RecordMerge {
  /// Returns the embedded records, by their ids in the incoming set, that differ from the cached objects with their paths.
  func recordsReplacingOthers(in storage: StoredRecords) -> RecordMarks {
    var replacing = RecordMarks(for: source.keys)
    var differing = RecordMarks(for: source.keys)
    var existing: [RecordID] = []
    // Parents precede the records embedded in them.
    for number in source.keys.reversed()
    where source.exists(number) && source.isEmbedded(number) && storage.exists(records[number]) {
      existing.append(number)
      if differs(number, differing, in: storage) { differing.insert(number) }
    }
    for number in existing.reversed() where number != incoming.named {
      let isAnother =
        differing.contains(number)
        || (source.isBelowIndex(number)
          ? !sharesKeyedReference(number, in: storage)
          : source.path(of: number).map { replacing.contains($0.parent) } ?? false)
      if isAnother { replacing.insert(number) }
    }
    return replacing
  }

  /// Returns whether the type or a field of an embedded record differs from the cached record with the same path.
  private func differs(_ number: RecordID, _ differing: RecordMarks, in storage: StoredRecords) -> Bool {
    let record = records[number]
    if let type = type(of: number), let existing = storage[record].type, type != existing { return true }
    var finder = FieldFinder(record)
    return (0..<source.fieldCount(of: number)).contains { index in
      let value = source.field(at: index, of: number)
      guard !joins(number, value.field),
        let position = finder.index(of: fields[value.field], in: storage, near: index)
      else { return false }
      return differs(value, storage.field(at: position, of: record), differing, in: storage)
    }
  }

  /// Returns whether two values of a field differ, as far as both have been fetched.
  private func differs(
    _ new: StoredValue, _ old: StoredValue, _ differing: RecordMarks, in storage: StoredRecords
  ) -> Bool {
    if new.kind == .missing || old.kind == .missing { return false }
    guard new.kind == old.kind else { return true }
    switch new.kind {
    case .reference: return old.target != records[new.target] || differing.contains(new.target)
    case .list:
      if new.count != old.count, !new.isOpen, !old.isOpen { return true }
      return (0..<min(new.count, old.count)).contains { index in
        differs(source.item(at: index, of: new), storage.item(at: index, of: old), differing, in: storage)
      }
    case .null, .scalar, .missing: return !isEqual(old, new, in: storage)
    }
  }

  private func sharesKeyedReference(_ number: RecordID, in storage: StoredRecords) -> Bool {
    let record = records[number]
    var finder = FieldFinder(record)
    return (0..<source.fieldCount(of: number)).contains { index in
      let value = source.field(at: index, of: number)
      guard value.kind == .reference, !source.isEmbedded(value.target),
        let position = finder.index(of: fields[value.field], in: storage, near: index)
      else { return false }
      let old = storage.field(at: position, of: record)
      return old.kind == .reference && old.target == records[value.target]
    }
  }

  /// Removes the cached fields that a replacing object does not have.
  func removeOtherFields(
    _ number: RecordID, of record: RecordID, in storage: inout StoredRecords, log: inout ChangeLog
  ) {
    let brought = Set(source.fields(of: number).map { fields[$0.field] })
    for index in (0..<storage.fieldCount(of: record)).reversed() {
      let field = storage.field(at: index, of: record).field
      guard !brought.contains(field) else { continue }
      storage.removeField(at: index, of: record)
      storage[record].stamp = changeStamp.stamp
      log.record(record, field)
    }
    for error in storage.notes.errors(of: record) {
      storage.notes.setError(nil, record, error.field)
      log.record(record, error.field)
    }
    if source[number].type == nil, storage[record].type != nil {
      storage[record].type = nil
      log.wholeRecords.append(record)
    }
  }
}
