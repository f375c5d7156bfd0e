/// Joins an object that a response has twice, once with its key and once without: by two aliases of one field, or under an
/// object that it reaches in two ways. The fields without the key become part of the record that has it.
extension RecordSet {
  /// The value of a field that the response has two values for.
  mutating func joined(_ known: ValueSlot, _ new: ValueSlot) -> ValueSlot {
    switch (known.kind, new.kind) {
    case (.reference, .reference) where isSameObject(known.target, new.target):
      let (keyed, embedded) =
        table.entries[new.target].isPath ? (known.target, new.target) : (new.target, known.target)
      absorb(embedded, into: keyed)
      var slot = ValueSlot.reference(keyed)
      slot.field = new.field
      return slot
    case (.list, .list) where known.count == new.count && known.count > 0:
      for index in 0..<known.count {
        let item = joined(table.slots.element(known.run, index), table.slots.element(new.run, index))
        table.slots.set(new.run, index, item)
      }
      table.slots.release(known.run, count: known.count)
      return new
    default:
      table.release(known)
      return new
    }
  }

  /// Whether one of two records of a field has a key, and nothing says that they are two objects.
  private func isSameObject(_ left: UInt32, _ right: UInt32) -> Bool {
    let (left, right) = (table.entries[left], table.entries[right])
    guard left.isPath != right.isPath, left.exists, right.exists else { return false }
    return left.type == right.type || left.type == RecordTable.none || right.type == RecordTable.none
  }

  private mutating func absorb(_ source: UInt32, into target: UInt32) {
    let entry = table.entries[source]
    guard entry.exists else { return }
    let count = Int(entry.fieldCount)
    for index in 0..<count {
      let slot = moved(table.slots.element(entry.fields, index), from: source, to: target)
      if let merge = merges.removeValue(forKey: UInt64(source) << 32 | UInt64(slot.field)) {
        merges[UInt64(target) << 32 | UInt64(slot.field)] = merge
      }
      if let expires = table.notes.expiry(source, slot.field) {
        table.notes.drop(source, slot.field)
        table.notes.setExpiry(expires, target, slot.field)
      }
      withUnsafePointer(to: slot) { put(UnsafeBufferPointer(start: $0, count: 1), into: target, type: entry.type) }
    }
    if count > 0 { table.slots.release(entry.fields, count: count) }
    table.entries[source].fieldCount = 0
    table.entries[source].stamp = 0
    table.recordCount -= 1
  }

  /// Moves a value from one record to another, with the records embedded in it.
  private mutating func moved(_ slot: ValueSlot, from source: UInt32, to target: UInt32) -> ValueSlot {
    switch slot.kind {
    case .null, .shortText, .text, .longText, .gap: return slot
    case .reference:
      guard let id = path(slot.target, from: source, to: target) else { return slot }
      if !table.entries[id].exists {
        let fields = UnsafeBufferPointer<ValueSlot>(start: nil, count: 0)
        put(fields, into: id, type: table.entries[slot.target].type)
      }
      absorb(slot.target, into: id)
      var moved = ValueSlot.reference(id)
      moved.field = slot.field
      return moved
    case .list:
      for index in 0..<slot.count {
        let item = moved(table.slots.element(slot.run, index), from: source, to: target)
        table.slots.set(slot.run, index, item)
      }
      return slot
    }
  }

  /// The path in `target` for a record embedded in `source`; `nil` for other records.
  private mutating func path(_ id: UInt32, from source: UInt32, to target: UInt32) -> UInt32? {
    if id == source { return target }
    let entry = table.entries[id]
    guard entry.isPath, let parent = path(entry.parent, from: source, to: target) else { return nil }
    return intern(parent: parent, component: entry.component)
  }
}
