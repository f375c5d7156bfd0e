import ApusJSON

/// A record on its way to be another: what `modify` hands to its function.
public struct RecordDraft: Sendable {
  /// Under which key the record lies.
  public let key: CacheKey
  /// The name of the object's type; `nil` for a record that is not there yet, and where nobody told it.
  public let typename: String?
  /// The fields by their keys, arguments included.
  public private(set) var fields: [(key: String, value: RecordValue)]
  private(set) var changed: Set<String> = []

  init(_ record: Record) {
    key = record.key
    typename = record.typename
    fields = record.fields.map { ($0.key, $0.value) }
  }

  /// A field's value; setting `nil` removes the field.
  public subscript(field: String) -> RecordValue? {
    get { fields.first { $0.key == field }?.value }
    set {
      changed.insert(field)
      let place = fields.firstIndex { $0.key == field }
      switch (place, newValue) {
      case (let place?, let value?): fields[place].value = value
      case (let place?, nil): fields.remove(at: place)
      case (nil, let value?): fields.append((field, value))
      case (nil, nil): break
      }
    }
  }
}

extension RecordSet {
  /// Changes a record by a function; a record that is not there begins without fields.
  mutating func modify(
    _ key: CacheKey, _ body: (inout RecordDraft) -> Void, _ moment: ChangeMoment, log: inout ChangeLog
  ) {
    let known = self[key]
    var draft = RecordDraft(known ?? Record(key: key, typename: nil, fields: []))
    body(&draft)
    guard !draft.changed.isEmpty else { return }
    for field in draft.changed.sorted() {
      if let value = draft[field] {
        let id = find(key) ?? intern(key)
        let symbol = table.fieldKeys.intern(field)
        if table.beginRecord(id, moment) {
          log.wholeRecords.append(id)
          if table.entries[id].isPath { table.loosened.append(id) }
        }
        if field == "__typename", case .scalar(let name) = value, let name = name.string {
          table.entries[id].type = table.typenames.intern(name)
        }
        assign(value, to: symbol, of: id, moment, log: &log)
      } else {
        removeField(field, of: key, log: &log)
      }
    }
  }

  /// Gives a field a value, whatever it had before.
  mutating func assign(
    _ value: RecordValue, to field: UInt32, of id: UInt32, _ moment: ChangeMoment, log: inout ChangeLog
  ) {
    var positions: [UInt32] = []
    let slot = makeSlot(value, field: field, record: id, positions: &positions)
    let gained = table.size(of: slot)
    var lost = 0
    let entry = table.entries[id]
    if let position = table.position(ofField: field, in: entry, hint: 0) {
      let old = table.slots.element(entry.fields, position)
      lost = table.size(of: old)
      table.release(old)
      table.slots.set(entry.fields, position, slot)
    } else {
      table.append(slot, to: id)
    }
    table.notes.drop(id, field)
    // What was never fetched has no time to outlive.
    if entry.expires != 0 { table.notes.setExpiry(0, id, field) }
    table.entries[id].size = UInt32(clamping: Int(entry.size) + gained - lost)
    table.entries[id].stamp = moment.stamp
    table.entries[id].written = moment.time
    table.byteCount += gained - lost
    log.note(id, field)
  }

  /// A value as a slot of this set; a reference to the place where the value stands is one to an embedded record.
  private mutating func makeSlot(
    _ value: RecordValue, field: UInt32, record: UInt32, positions: inout [UInt32]
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
      let target = internReference(reference.key, field: field, record: record, positions: positions)
      return table.link(source: record, field: field, target: target)
    case .list(let items):
      var slots: ContiguousArray<ValueSlot> = []
      for (index, item) in items.enumerated() {
        positions.append(UInt32(index))
        let slot = makeSlot(item, field: field, record: record, positions: &positions)
        slots.append(slot)
        positions.removeLast()
      }
      return slots.withUnsafeBufferPointer { table.makeList($0, field: field, isOpen: false) }
    }
  }

  private mutating func internReference(
    _ key: CacheKey, field: UInt32, record: UInt32, positions: [UInt32]
  ) -> UInt32 {
    if let known = find(key) { return known }
    let path = ([table.keyText(record), table.fieldKeys.name(field)] + positions.map(String.init)).joined(
      separator: ".")
    guard key.text == path else { return intern(key) }
    var id = intern(parent: record, component: .field(field))
    for position in positions { id = intern(parent: id, component: .index(position)) }
    return id
  }
}
