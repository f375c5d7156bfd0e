import ApusClientRecords
import ApusJSON

/// A record on its way to be another: what `modify` hands to its function.
public struct RecordDraft: Sendable {
  /// The key of the record.
  public let key: CacheKey
  /// The name of the object's type; `nil` for a new record, and for a type that no response named.
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
    var draft = RecordDraft(self[key] ?? Record(key: key, typename: nil, fields: []))
    body(&draft)
    for name in draft.changed.sorted() {
      guard let value = draft[name] else {
        removeField(name, of: key, log: &log)
        continue
      }
      let record = find(key) ?? intern(key)
      if storage.begin(record, stamp: moment.stamp, time: moment.time) {
        log.wholeRecords.append(record)
        if storage.isEmbedded(record) { storage.unreferenced.append(record) }
      }
      if name == "__typename", case .scalar(let typename) = value, let typename = typename.string {
        storage[record].type = storage.typenames.intern(typename)
      }
      let field = storage.fieldNames.intern(name)
      assign(value, to: FieldPlace(record, field), moment)
      log.note(record, field)
    }
  }

  /// Gives a field a value, whatever it had before.
  private mutating func assign(_ value: RecordValue, to place: FieldPlace, _ moment: ChangeMoment) {
    storage.set(stored(value, in: place, []).stored(in: place.field), in: place.record)
    storage.notes.drop(place.record, place.field)
    // A value that was never fetched does not expire.
    if storage[place.record].expires != 0 { storage.notes.setExpiry(0, place.record, place.field) }
    storage[place.record].stamp = moment.stamp
    storage[place.record].written = moment.time
  }

  /// A value of this set; a reference to the path of the value is one to an embedded record.
  private mutating func stored(_ value: RecordValue, in place: FieldPlace, _ positions: [UInt32]) -> StoredValue {
    switch value {
    case .missing: return .missing
    case .scalar(let scalar): return storage.scalar(scalar)
    case .reference(let reference):
      if let known = find(reference.key) { return .reference(known) }
      let path = [storage.keyText(place.record), storage.fieldNames[place.field]] + positions.map(String.init)
      return .reference(
        reference.key.text == path.joined(separator: ".")
          ? storage.record(in: place.record, place.field, positions) : intern(reference.key))
    case .list(let items):
      return storage.list(items.enumerated().map { stored($1, in: place, positions + [UInt32($0)]) })
    }
  }
}
