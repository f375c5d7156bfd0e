import ApusClientRecords

/// Decides which embedded objects of a write are the same as the cached ones with the same path. The same object is merged;
/// another one replaces the cached record. `Docs/Explanation/ObjectsWithoutKeys.md` has the table.
///
/// 1. Below a keyed record, and in a connection below the query root, the path identifies the object, unless its type or a
///    reference to a keyed record differs, or its parent is another object.
/// 2. A response's other objects directly below the query root must not differ in any field.
/// 3. A list element is the same object only if it refers to the same keyed record and no field differs.
extension RecordMerge {
  /// Returns the embedded records, by their ids in the incoming set, that differ from the cached objects with their paths.
  func recordsReplacingOthers(in storage: StoredRecords) -> RecordMarks {
    var replacing = RecordMarks(for: source.keys)
    let queryRoot = source.find(CacheKey.queryRoot.text)
    // Parents precede the records embedded in them.
    for number in source.keys where source.exists(number) {
      guard let path = source.path(of: number), storage.exists(records[number]), number != incoming.named else {
        continue
      }
      let isAnother: Bool
      switch path.component {
      case .index:
        isAnother = replacing.contains(listOwner(of: number)) || !isSameElement(number, in: storage)
      case .field where source.isEmbedded(path.parent):
        isAnother = replacing.contains(path.parent) || isDistinguished(number, in: storage)
      case .field:
        let mustBeEqual =
          path.parent == queryRoot && incoming.origin == .response && !isConnection(number, in: storage)
        isAnother = isDistinguished(number, in: storage) || (mustBeEqual && differs(number, in: storage))
      }
      if isAnother { replacing.insert(number) }
    }
    return replacing
  }

  /// Returns the record that has the list of an element.
  private func listOwner(of number: RecordID) -> RecordID {
    var owner = number
    while let path = source.path(of: owner), case .index = path.component { owner = path.parent }
    return source.path(of: owner)?.parent ?? owner
  }

  /// Calls `body` with each field that an incoming record and the cached one have, until it returns false. Returns whether
  /// it never did. Fields that join several responses are skipped.
  private func allShared(
    _ number: RecordID, in storage: StoredRecords, _ body: (_ new: StoredValue, _ old: StoredValue) -> Bool
  ) -> Bool {
    let record = records[number]
    var finder = FieldFinder(record)
    return (0..<source.fieldCount(of: number)).allSatisfy { index in
      let value = source.field(at: index, of: number)
      guard !joins(number, value.field),
        let position = finder.index(of: fields[value.field], in: storage, near: index)
      else { return true }
      return body(value, storage.field(at: position, of: record))
    }
  }

  func hasOtherType(_ number: RecordID, than record: RecordID, in storage: StoredRecords) -> Bool {
    guard let type = type(of: number), let existing = storage[record].type else { return false }
    return type != existing
  }

  /// Returns whether two values refer to different keyed records.
  private func referToOthers(_ new: StoredValue, _ old: StoredValue, in storage: StoredRecords) -> Bool {
    new.kind == .reference && old.kind == .reference && !source.isEmbedded(new.target)
      && !storage.isEmbedded(old.target) && old.target != records[new.target]
  }

  /// Returns whether the type or a reference to a keyed record differs.
  private func isDistinguished(_ number: RecordID, in storage: StoredRecords) -> Bool {
    hasOtherType(number, than: records[number], in: storage)
      || !allShared(number, in: storage) { !referToOthers($0, $1, in: storage) }
  }

  private static let connectionFields: Set<Substring> = ["edges", "nodes", "items"]

  /// Returns whether the incoming or the cached object has a list of a connection.
  private func isConnection(_ number: RecordID, in storage: StoredRecords) -> Bool {
    func hasList(_ record: RecordID, of storage: StoredRecords) -> Bool {
      storage.fields(of: record).contains { value in
        Self.connectionFields.contains(storage.fieldNames[value.field].prefix { $0 != "(" })
      }
    }
    return hasList(number, of: source) || hasList(records[number], of: storage)
  }

  // MARK: Elements

  /// Returns whether an element refers to the same keyed record as the cached element at its index, and no field differs.
  /// The contents of nested objects do not count: they are the same objects if the element is.
  private func isSameElement(_ number: RecordID, in storage: StoredRecords) -> Bool {
    if hasOtherType(number, than: records[number], in: storage) { return false }
    var isShared = false
    return allShared(number, in: storage) { new, old in
      if new.kind == .reference, old.kind == .reference, !source.isEmbedded(new.target),
        old.target == records[new.target]
      {
        isShared = true
      }
      return !differs(new, old, isDeep: false, in: storage)
    } && isShared
  }

  // MARK: Fields

  /// Returns whether the type or any field differs, nested objects included.
  private func differs(_ number: RecordID, in storage: StoredRecords) -> Bool {
    hasOtherType(number, than: records[number], in: storage)
      || !allShared(number, in: storage) { !differs($0, $1, isDeep: true, in: storage) }
  }

  /// Returns whether two values of a field differ, as far as both have been fetched.
  private func differs(
    _ new: StoredValue, _ old: StoredValue, isDeep: Bool, in storage: StoredRecords
  ) -> Bool {
    if new.kind == .missing || old.kind == .missing { return false }
    guard new.kind == old.kind else { return true }
    switch new.kind {
    case .reference:
      if old.target != records[new.target] { return true }
      return isDeep && source.isEmbedded(new.target) && storage.exists(old.target) && differs(new.target, in: storage)
    case .list:
      if new.count != old.count, !new.isOpen, !old.isOpen { return true }
      return (0..<min(new.count, old.count)).contains { index in
        differs(
          source.item(at: index, of: new), storage.item(at: index, of: old), isDeep: isDeep, in: storage)
      }
    case .null, .scalar, .missing: return !isEqual(old, new, in: storage)
    }
  }

  // MARK: Replacing

  /// Removes the cached fields that a replacing object does not have, and records which write took them.
  func removeOtherFields(
    _ number: RecordID, of record: RecordID, in storage: inout StoredRecords, log: inout ChangeLog
  ) {
    let brought = Set(source.fields(of: number).map { fields[$0.field] })
    let reason: CacheReplacement.Reason = source.isBelowIndex(number) ? .listItem : .object
    for index in (0..<storage.fieldCount(of: record)).reversed() {
      let field = storage.field(at: index, of: record).field
      guard !brought.contains(field) else { continue }
      storage.removeField(at: index, of: record)
      storage[record].stamp = changeStamp.stamp
      log.record(record, field)
      noteTaken(FieldLocation(record, field), reason, in: &storage)
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
