import ApusClientRecords

/// Combines an object that a response contains twice, once with its key and once without: through two aliases of a field, or
/// because it is reachable by two paths. The fields of the embedded record are moved to the keyed one.
extension RecordSet {
  /// Adds fields to a record of a response. A field that exists is combined with the new value.
  mutating func put(_ fields: UnsafeBufferPointer<StoredValue>, into record: RecordID, type: TypeID?) {
    _ = storage.begin(record, stamp: 1, time: 0)
    if let type { storage[record].type = type }
    if storage.fieldCount(of: record) == 0 { return storage.add(fields, to: record) }
    var finder = FieldFinder(record)
    for (hint, value) in fields.enumerated() {
      guard let index = finder.index(of: value.field, in: storage, near: hint) else {
        storage.add(value, to: record)
        finder.added(value.field)
        continue
      }
      // Combining values may add fields to the record, so the index can change.
      let joined = joined(storage.field(at: index, of: record), value)
      storage.set(joined.stored(in: value.field), in: record)
    }
  }

  /// Combines two values of a field, and discards the new one.
  private mutating func joined(_ existing: StoredValue, _ new: StoredValue) -> StoredValue {
    let value = copied(new, joinedWith: existing)
    storage.discard(new)
    return value
  }

  /// Returns a copy of the new value, combined with the existing one. The caller keeps the ownership of `new`.
  private mutating func copied(_ new: StoredValue, joinedWith existing: StoredValue) -> StoredValue {
    switch (existing.kind, new.kind) {
    case (.reference, .reference) where isSameObject(existing.target, new.target):
      let (keyed, embedded) =
        storage.isEmbedded(new.target) ? (existing.target, new.target) : (new.target, existing.target)
      absorb(embedded, into: keyed)
      return .reference(keyed)
    case (.list, .list) where existing.count == new.count:
      let items = (0..<existing.count).map { index in
        copied(storage.item(at: index, of: new), joinedWith: storage.item(at: index, of: existing))
      }
      return storage.list(items, isOpen: new.isOpen)
    default: return storage.copy(new)
    }
  }

  /// Returns whether exactly one of two records has a key and their types do not contradict each other.
  private func isSameObject(_ left: RecordID, _ right: RecordID) -> Bool {
    guard storage.isEmbedded(left) != storage.isEmbedded(right), storage.exists(left), storage.exists(right) else {
      return false
    }
    let (leftType, rightType) = (storage[left].type, storage[right].type)
    return leftType == rightType || leftType == nil || rightType == nil
  }

  private mutating func absorb(_ source: RecordID, into target: RecordID) {
    guard storage.exists(source) else { return }
    let type = storage[source].type
    for field in storage.fields(of: source) {
      let value = moved(field, from: source, to: target).stored(in: field.field)
      if let merge = merges.removeValue(forKey: FieldLocation(source, field.field)) {
        merges[FieldLocation(target, field.field)] = merge
      }
      if let expires = storage.notes.expiry(source, field.field) {
        storage.notes.setExpiry(expires, target, field.field)
      }
      withUnsafePointer(to: value) { put(UnsafeBufferPointer(start: $0, count: 1), into: target, type: type) }
    }
    storage.remove(source)
  }

  /// Returns a copy of a record's value for another record. Embedded records move with it.
  private mutating func moved(_ value: StoredValue, from source: RecordID, to target: RecordID) -> StoredValue {
    switch value.kind {
    case .null, .scalar, .missing: return storage.copy(value)
    case .reference:
      guard let record = path(value.target, from: source, to: target) else { return storage.copy(value) }
      if !storage.exists(record) {
        put(UnsafeBufferPointer(start: nil, count: 0), into: record, type: storage[value.target].type)
      }
      absorb(value.target, into: record)
      return .reference(record)
    case .list:
      let items = storage.items(of: value).map { moved($0, from: source, to: target) }
      return storage.list(items, isOpen: value.isOpen)
    }
  }

  /// Returns the id in `target` for a record embedded in `source`, or `nil` for other records.
  private mutating func path(_ record: RecordID, from source: RecordID, to target: RecordID) -> RecordID? {
    if record == source { return target }
    guard let path = storage.path(of: record), let parent = self.path(path.parent, from: source, to: target) else {
      return nil
    }
    return storage.record(in: parent, at: path.component)
  }
}
