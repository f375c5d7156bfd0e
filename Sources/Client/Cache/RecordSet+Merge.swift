/// What one change did to a set, noted while it is made.
struct ChangeLog: Sendable {
  /// Whether the set was empty before: all that is in it then is new, and none of it is listed.
  var isFirst = false
  /// `record << 32 | field`.
  var fields: ContiguousArray<UInt64> = []
  /// The fields of records that went as a whole, in the same form: who read one of them knows the record too.
  var removedFields: ContiguousArray<UInt64> = []
  var wholeRecords: [UInt32] = []
  var absent: [(key: CacheKey, field: String?)] = []
  /// Records of which nothing changed but the time at which they were written, or expire.
  var refreshed: [UInt32] = []

  /// Whether nothing was changed that readers see.
  var isEmpty: Bool { !isFirst && fields.isEmpty && wholeRecords.isEmpty && absent.isEmpty }

  /// Whether nothing was changed at all.
  var isUneventful: Bool { isEmpty && removedFields.isEmpty && refreshed.isEmpty }

  mutating func note(_ record: UInt32, _ field: UInt32) { fields.append(UInt64(record) << 32 | UInt64(field)) }

  /// The fields that changed, those of a first change included; `table` is the set behind the change.
  func fields(in table: RecordTable) -> ContiguousArray<UInt64> {
    guard isFirst else { return fields }
    var all: ContiguousArray<UInt64> = []
    for id in table.existing {
      let entry = table.entries[id]
      for index in 0..<Int(entry.fieldCount) {
        all.append(UInt64(id) << 32 | UInt64(table.slots.element(entry.fields, index).field))
      }
    }
    return all + fields
  }

  /// The records that came or went as a whole.
  func wholeRecords(in table: RecordTable) -> [UInt32] { isFirst ? table.existing + wholeRecords : wholeRecords }

  /// What the keys that readers depend on are compared with.
  func hashes(in table: RecordTable) -> ContiguousArray<UInt64> {
    let (fields, records) = (fields(in: table), wholeRecords(in: table))
    var hashes: ContiguousArray<UInt64> = []
    hashes.reserveCapacity(fields.count + records.count + absent.count)
    for change in fields {
      let record = table.entries[UInt32(truncatingIfNeeded: change >> 32)].hash
      hashes.append(KeyHash.dependency(record, table.fieldKeys.hashes[Int(UInt32(truncatingIfNeeded: change))]))
    }
    for id in records { hashes.append(KeyHash.dependency(table.entries[id].hash, ChangedKeys.wholeRecord)) }
    for (key, _) in absent { hashes.append(KeyHash.dependency(KeyHash.of(key.text), ChangedKeys.wholeRecord)) }
    return hashes
  }
}

/// Takes over the records of one set into another, field by field.
///
/// 1. Field keys, typenames and record keys of the incoming set get their numbers in the target.
/// 2. Each record's fields are compared with those that are there; what differs is replaced and noted. An embedded record
///    that is another object than the one under its path loses what it does not bring.
/// 3. A field that an error left without a value loses the value that is there.
/// 4. Embedded records that lost their last reference go with it.
struct RecordMerge {
  let incoming: RecordSet
  /// By the symbols of the incoming set.
  let fieldKeys: ContiguousArray<UInt32>
  let typenames: ContiguousArray<UInt32>
  /// By the numbers of the incoming set.
  let ids: ContiguousArray<UInt32>
  private let moment: ChangeMoment
  private var scratch: ContiguousArray<ValueSlot> = []

  init(_ incoming: consuming RecordSet, into target: inout RecordSet, moment: ChangeMoment) {
    var fieldKeys: ContiguousArray<UInt32> = []
    var typenames: ContiguousArray<UInt32> = []
    incoming.table.fieldKeys.forEach { name in
      let key = incoming.repeatsFields ? RecordSet.fieldKey(ofRepeated: name) : name
      fieldKeys.append(target.table.fieldKeys.intern(key))
    }
    incoming.table.typenames.forEach { name in typenames.append(target.table.typenames.intern(name)) }
    var ids: ContiguousArray<UInt32> = []
    ids.reserveCapacity(incoming.table.entries.count)
    // A path's parent has a lower number, so it has been translated before.
    for number in 0..<incoming.table.entries.count {
      let entry = incoming.table.entries[number]
      if entry.isPath {
        let component: KeyComponent =
          switch entry.component {
          case .field(let symbol): .field(fieldKeys[Int(symbol)])
          case .index(let index): .index(index)
          }
        ids.append(target.intern(parent: ids[Int(entry.parent)], component: component))
      } else {
        let id = incoming.table.texts.withRun(entry.text, count: entry.textLength) {
          target.intern($0, hash: entry.hash)
        }
        ids.append(id)
      }
    }
    self.incoming = incoming
    (self.fieldKeys, self.typenames, self.ids, self.moment) = (fieldKeys, typenames, ids, moment)
  }

  mutating func run(into table: inout RecordTable, log: inout ChangeLog) {
    let replacing = recordsReplacingOthers(in: table)
    for number in 0..<incoming.table.entries.count {
      let entry = incoming.table.entries[number]
      guard entry.exists else {
        if table.entries[ids[number]].uses == 0 { table.loosened.append(ids[number]) }
        continue
      }
      if replacing[UInt32(number)] { removeOtherFields(entry, of: ids[number], in: &table, log: &log) }
      merge(entry, UInt32(number), into: ids[number], of: &table, log: &log)
      confirm(entry, UInt32(number), ids[number], in: &table, log: &log)
    }
    for (number, errors) in incoming.table.notes.errors {
      let id = ids[Int(number)]
      guard table.entries[id].exists else { continue }
      for (symbol, text) in errors {
        keep(text, ofField: fieldKeys[Int(symbol)], of: id, joins: joins(number, symbol), in: &table, log: &log)
      }
    }
  }

  /// Keeps an error in place of the value that it contradicts. A failed page leaves the pages it would have joined.
  private func keep(
    _ error: String, ofField field: UInt32, of id: UInt32, joins: Bool, in table: inout RecordTable,
    log: inout ChangeLog
  ) {
    if let position = table.position(ofField: field, in: table.entries[id], hint: 0) {
      if joins { return }
      table.removeField(at: position, of: id, log: &log)
    }
    guard table.notes.error(id, field) != error else { return }
    table.notes.setError(error, id, field)
    log.note(id, field)
  }

  /// Whether a field's value is put together from several responses.
  func joins(_ number: UInt32, _ symbol: UInt32) -> Bool {
    guard !incoming.merges.isEmpty else { return false }
    switch incoming.merges[UInt64(number) << 32 | UInt64(symbol)]?.merge {
    case .append, .offset, .function: return true
    case .connection, nil: return false
    }
  }

  /// Notes when a record was written and when what was written expires; fields that this write did not bring keep
  /// their own time.
  private func confirm(
    _ source: RecordHeader, _ number: UInt32, _ id: UInt32, in table: inout RecordTable, log: inout ChangeLog
  ) {
    let entry = table.entries[id]
    if entry.expires != 0 || !table.notes.expiries.isEmpty { noteRevived(source, id, in: table, log: &log) }
    var isAnother = entry.expires != source.expires
    if isAnother || !incoming.table.notes.expiries.isEmpty || !table.notes.isEmpty {
      if confirmFields(source, number, id, in: &table) { isAnother = true }
    }
    // A record that is written again and again unchanged is not worth a row each time.
    if isAnother || moment.time > entry.written &+ 60 { log.refreshed.append(id) }
    table.entries[id].expires = source.expires
    table.entries[id].written = source.written == 0 ? moment.time : source.written
  }

  /// What had outlived its time and is fresh again is another to whoever reads it, even with the same value.
  private func noteRevived(_ source: RecordHeader, _ id: UInt32, in table: RecordTable, log: inout ChangeLog) {
    for index in 0..<Int(source.fieldCount) {
      let field = fieldKeys[Int(incoming.table.slots.element(source.fields, index).field)]
      let expires = table.expiry(ofField: field, in: id)
      if expires != 0, expires <= moment.time { log.note(id, field) }
    }
  }

  /// Tells whether a note of the record became another.
  private func confirmFields(
    _ source: RecordHeader, _ number: UInt32, _ id: UInt32, in table: inout RecordTable
  ) -> Bool {
    var written: Set<UInt32> = []
    var isAnother = false
    for index in 0..<Int(source.fieldCount) {
      let own = incoming.table.slots.element(source.fields, index).field
      let field = fieldKeys[Int(own)]
      written.insert(field)
      let expires = incoming.table.notes.expiry(number, own)
      if table.notes.expiry(id, field) != expires || table.notes.error(id, field) != nil { isAnother = true }
      table.notes.drop(id, field)
      if let expires { table.notes.setExpiry(expires, id, field) }
    }
    let entry = table.entries[id]
    guard entry.expires != source.expires else { return isAnother }
    for index in 0..<Int(entry.fieldCount) {
      let field = table.slots.element(entry.fields, index).field
      if !written.contains(field), table.notes.expiry(id, field) == nil {
        table.notes.setExpiry(entry.expires, id, field)
      }
    }
    return true
  }

  private mutating func merge(
    _ source: RecordHeader, _ number: UInt32, into id: UInt32, of table: inout RecordTable, log: inout ChangeLog
  ) {
    if source.type != RecordTable.none, table.entries[id].type != typenames[Int(source.type)] {
      table.entries[id].type = typenames[Int(source.type)]
      // What is selected on it may be another now, whatever becomes of its fields.
      if table.entries[id].exists { log.wholeRecords.append(id) }
    }
    let isNew = table.beginRecord(id, moment)
    var gained = 0
    var lost = 0
    var changed = isNew
    if isNew {
      // Whoever read a reference to it and found nothing is told too.
      log.wholeRecords.append(id)
      // A response that tells an object twice may hold an embedded record that nothing refers to in the end.
      if table.entries[id].isPath { table.loosened.append(id) }
    }
    if isNew, !incoming.repeatsFields {
      let count = Int(source.fieldCount)
      guard count > 0 else { return }
      let run = table.slots.allocate(count)
      for index in 0..<count {
        let slot = incoming.table.slots.element(source.fields, index)
        let field = fieldKeys[Int(slot.field)]
        let pending = incoming.merges.isEmpty ? nil : incoming.merges[UInt64(number) << 32 | UInt64(slot.field)]
        if let pending {
          let joined = join(slot, to: nil, pending, record: id, field: field, in: &table)
          gained += table.size(of: joined)
          table.slots.set(run, index, joined)
        } else {
          let adopted = adopt(slot, record: id, field: field, into: &table)
          gained += incoming.table.size(of: slot)
          table.slots.set(run, index, adopted)
        }
        log.note(id, field)
      }
      table.entries[id].fields = run
      table.entries[id].fieldCount = UInt32(count)
    } else {
      for index in 0..<Int(source.fieldCount) {
        let slot = incoming.table.slots.element(source.fields, index)
        let field = fieldKeys[Int(slot.field)]
        let entry = table.entries[id]
        let position = table.position(ofField: field, in: entry, hint: index)
        if !incoming.merges.isEmpty, let pending = incoming.merges[UInt64(number) << 32 | UInt64(slot.field)] {
          let before = position.map { table.slots.element(entry.fields, $0) }
          let size = before.map { table.size(of: $0) } ?? 0
          if let before, let position {
            let joined = join(slot, to: before, pending, record: id, field: field, in: &table)
            if joined.isSame(as: before) { continue }
            table.slots.set(entry.fields, position, joined)
            gained += table.size(of: joined) - size
          } else {
            let joined = join(slot, to: nil, pending, record: id, field: field, in: &table)
            table.append(joined, to: id)
            gained += table.size(of: joined)
          }
          changed = true
          log.note(id, field)
          continue
        }
        if let position {
          let old = table.slots.element(entry.fields, position)
          if isEqual(old, slot, in: table) { continue }
          // The new value first: a record that both refer to must not lose its last reference in between.
          let new = adopt(slot, record: id, field: field, into: &table)
          lost += table.size(of: old)
          table.release(old)
          table.slots.set(entry.fields, position, new)
        } else {
          table.append(adopt(slot, record: id, field: field, into: &table), to: id)
        }
        gained += incoming.table.size(of: slot)
        changed = true
        log.note(id, field)
      }
    }
    guard changed else { return }
    table.entries[id].size = UInt32(clamping: Int(table.entries[id].size) + gained - lost)
    table.entries[id].stamp = moment.stamp
    table.byteCount += gained - lost
  }

  /// Makes a value of the incoming set one of the target.
  mutating func adopt(
    _ slot: ValueSlot, record: UInt32, field: UInt32, into table: inout RecordTable
  ) -> ValueSlot {
    switch slot.kind {
    case .null, .shortText, .gap:
      var slot = slot
      slot.field = field
      return slot
    case .text, .longText:
      return incoming.table.withText(slot) { table.makeText($0, field: field, isString: slot.isString) }
    case .reference:
      return table.link(source: record, field: field, target: ids[Int(slot.target)])
    case .list:
      let start = scratch.count
      for index in 0..<slot.count {
        let item = incoming.table.slots.element(slot.run, index)
        let adopted = adopt(item, record: record, field: field, into: &table)
        scratch.append(adopted)
      }
      defer { scratch.removeSubrange(start...) }
      return scratch.withUnsafeBufferPointer {
        table.makeList(UnsafeBufferPointer(rebasing: $0[start...]), field: field, isOpen: slot.isOpen)
      }
    }
  }

  func isEqual(_ mine: ValueSlot, _ theirs: ValueSlot, in table: RecordTable) -> Bool {
    guard mine.kind == theirs.kind else { return false }
    switch mine.kind {
    case .reference: return mine.target == ids[Int(theirs.target)]
    case .list:
      guard mine.count == theirs.count, mine.isOpen == theirs.isOpen else { return false }
      for index in 0..<mine.count {
        let left = table.slots.element(mine.run, index)
        if !isEqual(left, incoming.table.slots.element(theirs.run, index), in: table) { return false }
      }
      return true
    default: return mine.isString == theirs.isString && table.textsAreEqual(mine, incoming.table, theirs)
    }
  }
}

extension RecordTable {
  /// Makes sure that there is a record under a key; true when there was none.
  mutating func beginRecord(_ id: UInt32, _ moment: ChangeMoment) -> Bool {
    guard !entries[id].exists else { return false }
    entries[id].written = 0
    entries[id].expires = 0
    entries[id].begin(moment, size: 0)
    recordCount += 1
    return true
  }

  /// What an empty cache does instead of merging: the first response's storage becomes its own, and what only caches
  /// keep (sizes, uses, who refers to whom) is added to it.
  mutating func completeAdoption(_ moment: ChangeMoment, log: inout ChangeLog) {
    byteCount = 0
    log.isFirst = true
    for number in 0..<UInt32(entries.count) {
      let entry = entries[number]
      guard entry.exists else { continue }
      let count = Int(entry.fieldCount)
      let size = count == 0 ? 0 : adopt(slots.writable(entry.fields), count: count, of: number, field: nil)
      entries[number].begin(moment, size: size)
      byteCount += size
      if entry.isPath { loosened.append(number) }
    }
  }

  /// Notes who is referred to by some values of a record, in a list of one field or each in its own; how many bytes they take.
  private mutating func adopt(
    _ values: UnsafeMutablePointer<ValueSlot>, count: Int, of source: UInt32, field: UInt32?
  ) -> Int {
    // The pointer stays good: its page is this table's own by now, and nothing is stored or given back meanwhile.
    var size = 0
    for index in 0..<count {
      let slot = values[index]
      switch slot.kind {
      case .null, .shortText, .gap: size += 16
      case .text, .longText: size += self.size(of: slot)
      case .reference:
        size += 16
        values[index] = link(source: source, field: field ?? slot.field, target: slot.target)
      case .list:
        size += 16
        guard slot.count > 0 else { continue }
        size += adopt(slots.writable(slot.run), count: slot.count, of: source, field: field ?? slot.field)
      }
    }
    return size
  }
}
