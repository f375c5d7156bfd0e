import ApusJSON

/// How a field's new value joins the one that is there, by the field's policy.
extension RecordMerge {
  /// The value to keep; the very value that is there when nothing was added to it. What it no longer holds is released.
  mutating func join(
    _ slot: ValueSlot, to existing: ValueSlot?, _ pending: PendingMerge, record: UInt32, field: UInt32,
    in table: inout RecordTable
  ) -> ValueSlot {
    switch pending.merge {
    case .connection: return replace(existing, by: slot, record: record, field: field, in: &table)
    case .append: return append(slot, to: existing, record: record, field: field, in: &table)
    case .offset(let offset, let limit):
      let window = OffsetWindow(offset: pending.arguments[offset], limit: pending.arguments[limit])
      if pending.isUpdate, slot.kind == .list, let window, let existing, existing.kind == .list,
        let part = window.part(of: existing, in: table)
      {
        return put(slot, in: part.range, of: existing, record: record, field: field, in: &table)
      }
      return place(slot, window, in: existing, record: record, field: field, of: &table)
    case .function(_, let merge):
      let adopted = adopt(slot, record: record, field: field, into: &table)
      let incoming = table.value(adopted)
      let value = merge(existing.map { table.value($0) }, incoming, pending.arguments)
      if value == incoming {
        if let existing { table.release(existing) }
        return adopted
      }
      if let existing, value == table.value(existing) {
        table.release(adopted)
        return existing
      }
      let made = make(value, from: [adopted] + (existing.map { [$0] } ?? []), record: record, field: field, in: &table)
      table.release(adopted)
      if let existing { table.release(existing) }
      return made
    }
  }

  mutating func replace(
    _ existing: ValueSlot?, by slot: ValueSlot, record: UInt32, field: UInt32, in table: inout RecordTable
  ) -> ValueSlot {
    let adopted = adopt(slot, record: record, field: field, into: &table)
    if let existing { table.release(existing) }
    return adopted
  }

  private mutating func append(
    _ slot: ValueSlot, to existing: ValueSlot?, record: UInt32, field: UInt32, in table: inout RecordTable
  ) -> ValueSlot {
    guard slot.kind == .list, let existing, existing.kind == .list else {
      return replace(existing, by: slot, record: record, field: field, in: &table)
    }
    var items = items(of: existing, in: table)
    var known = Set(items.filter { $0.kind == .reference }.map(\.target))
    let before = items.count
    for index in 0..<slot.count {
      let item = incoming.table.slots.element(slot.run, index)
      if item.kind == .reference, !known.insert(ids[Int(item.target)]).inserted { continue }
      items.append(adopt(item, record: record, field: field, into: &table))
    }
    if items.count == before { return existing }
    return remake(existing, items, field: field, isOpen: existing.isOpen, in: &table)
  }

  func items(of list: ValueSlot, in table: RecordTable) -> [ValueSlot] {
    (0..<list.count).map { table.slots.element(list.run, $0) }
  }

  /// A list of other items; those of the old one are in it or were released.
  func remake(
    _ old: ValueSlot, _ items: [ValueSlot], field: UInt32, isOpen: Bool, in table: inout RecordTable
  ) -> ValueSlot {
    let made = items.withUnsafeBufferPointer { table.makeList($0, field: field, isOpen: isOpen) }
    if old.count > 0 { table.slots.release(old.run, count: old.count) }
    return made
  }

  /// A value as a slot; references can only be to what the two values refer to.
  private func make(
    _ value: RecordValue, from sources: [ValueSlot], record: UInt32, field: UInt32, in table: inout RecordTable
  ) -> ValueSlot {
    switch value {
    case .missing: return .gap
    case .scalar(let scalar):
      var slot = ValueSlot.null
      if !scalar.isNull {
        JSONText.withStored(scalar) { bytes, isString in
          slot = table.makeText(bytes, field: field, isString: isString)
        }
      }
      slot.field = field
      return slot
    case .reference(let reference):
      var target: UInt32?
      for source in sources {
        table.forEachTarget(of: source) { if target == nil, table.key($0) == reference.key { target = $0 } }
      }
      guard let target else { return .gap }
      return table.link(source: record, field: field, target: target)
    case .list(let values):
      var slots: ContiguousArray<ValueSlot> = []
      for value in values { slots.append(make(value, from: sources, record: record, field: field, in: &table)) }
      return slots.withUnsafeBufferPointer { table.makeList($0, field: field, isOpen: false) }
    }
  }
}
