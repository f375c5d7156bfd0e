/// Which objects of a write are the objects that the cache has under the same paths.
///
/// An object without a key is kept under its path, and another response may have another object there. Whether it is the
/// same one is decided by the fields of both:
///
/// 1. Below a list index the path proves nothing. Both must reference the same keyed record in a field that both have, and no
///    such field may differ.
/// 2. Elsewhere the path identifies the object, unless its type or a field that both have differs, or the object around it
///    is another one.
///
/// If it is the same object it is merged; another one replaces it.
extension RecordMerge {
  /// The embedded records, by their numbers in the incoming set, that are other objects than the records under their paths.
  func recordsReplacingOthers(in table: RecordTable) -> KeyMarks {
    let count = incoming.table.entries.count
    var replacing = KeyMarks(count: count)
    var differing = KeyMarks(count: count)
    var known: [UInt32] = []
    // A record has a higher number than the record around it.
    for number in stride(from: count - 1, through: 0, by: -1) {
      let entry = incoming.table.entries[number]
      guard entry.exists, entry.isPath, table.entries[ids[number]].exists else { continue }
      known.append(UInt32(number))
      if differs(UInt32(number), differing, in: table) { differing.mark(UInt32(number)) }
    }
    for number in known.reversed() where number != incoming.named {
      let isAnother =
        incoming.table.isBelowIndex(number)
        ? differing[number] || !sharesKeyedReference(number, in: table)
        : differing[number] || replacing[incoming.table.entries[number].parent]
      if isAnother { replacing.mark(number) }
    }
    return replacing
  }

  /// Whether the type or a field of an embedded record differs from that of the record under its path.
  private func differs(_ number: UInt32, _ differing: KeyMarks, in table: RecordTable) -> Bool {
    let (source, known) = (incoming.table.entries[number], table.entries[ids[Int(number)]])
    if source.type != RecordTable.none, known.type != RecordTable.none, typenames[Int(source.type)] != known.type {
      return true
    }
    for index in 0..<Int(source.fieldCount) {
      let slot = incoming.table.slots.element(source.fields, index)
      if joins(number, slot.field) { continue }
      guard let position = table.position(ofField: fieldKeys[Int(slot.field)], in: known, hint: index) else { continue }
      if differs(slot, table.slots.element(known.fields, position), differing, in: table) { return true }
    }
    return false
  }

  /// Whether two values of one field differ, as far as both are known.
  private func differs(_ new: ValueSlot, _ old: ValueSlot, _ differing: KeyMarks, in table: RecordTable) -> Bool {
    if new.kind == .gap || old.kind == .gap { return false }
    guard new.kind == old.kind else { return true }
    switch new.kind {
    case .reference: return old.target != ids[Int(new.target)] || differing[new.target]
    case .list:
      if new.count != old.count, !new.isOpen, !old.isOpen { return true }
      return (0..<min(new.count, old.count)).contains { index in
        differs(
          incoming.table.slots.element(new.run, index), table.slots.element(old.run, index), differing, in: table)
      }
    case .null, .shortText, .text, .longText, .gap: return !isEqual(old, new, in: table)
    }
  }

  private func sharesKeyedReference(_ number: UInt32, in table: RecordTable) -> Bool {
    let (source, known) = (incoming.table.entries[number], table.entries[ids[Int(number)]])
    return (0..<Int(source.fieldCount)).contains { index in
      let slot = incoming.table.slots.element(source.fields, index)
      guard slot.kind == .reference, !incoming.table.entries[slot.target].isPath,
        let position = table.position(ofField: fieldKeys[Int(slot.field)], in: known, hint: index)
      else { return false }
      let old = table.slots.element(known.fields, position)
      return old.kind == .reference && old.target == ids[Int(slot.target)]
    }
  }

  /// Takes from a record what another object in its place does not bring.
  func removeOtherFields(
    _ source: RecordHeader, of id: UInt32, in table: inout RecordTable, log: inout ChangeLog
  ) {
    let brought = Set(
      (0..<Int(source.fieldCount)).map { fieldKeys[Int(incoming.table.slots.element(source.fields, $0).field)] })
    for position in (0..<Int(table.entries[id].fieldCount)).reversed() {
      let field = table.slots.element(table.entries[id].fields, position).field
      if !brought.contains(field) { table.removeField(at: position, of: id, log: &log) }
    }
    for error in table.notes.errors(of: id) {
      table.notes.setError(nil, id, error.field)
      log.note(id, error.field)
    }
    if source.type == RecordTable.none, table.entries[id].type != RecordTable.none {
      table.entries[id].type = RecordTable.none
      log.wholeRecords.append(id)
    }
  }
}

extension RecordTable {
  /// Whether an item of a list is on the way from a key to a record.
  func isBelowIndex(_ id: UInt32) -> Bool {
    var entry = entries[id]
    while entry.isPath {
      if case .index = entry.component { return true }
      entry = entries[entry.parent]
    }
    return false
  }
}
