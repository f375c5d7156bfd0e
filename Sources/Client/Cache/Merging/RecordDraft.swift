import ApusClientRecords
import ApusJSON

/// A record that is being modified, passed to the function of `modify`.
public struct RecordDraft: Sendable {
  /// The key of the record.
  public let key: CacheKey
  /// The name of the object's type; `nil` if the record is new or no response contained its type.
  public let typename: String?
  /// Fields by key, which includes arguments.
  public private(set) var fields: [(key: String, value: RecordValue)]
  private(set) var changed: Set<String> = []

  init(_ record: Record) {
    key = record.key
    typename = record.typename
    fields = record.fields.map { ($0.key, $0.value) }
  }

  /// The value of a field: `draft["name"] = .scalar("Owl")`. Setting `nil` removes the field.
  public subscript(field: String) -> RecordValue? {
    get { fields.first { $0.key == field }?.value }
    set {
      changed.insert(field)
      let index = fields.firstIndex { $0.key == field }
      switch (index, newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append((field, value))
      case (nil, nil): break
      }
    }
  }
}

extension RecordSet {
  /// Modifies a record with a function. A missing record starts without fields.
  mutating func modify(
    _ key: CacheKey, _ body: (inout RecordDraft) -> Void, _ changeStamp: ChangeStamp, log: inout ChangeLog
  ) {
    var draft = RecordDraft(self[key] ?? Record(key: key, typename: nil, fields: []))
    body(&draft)
    for name in draft.changed.sorted() {
      guard let value = draft[name] else {
        removeField(name, of: key, log: &log)
        continue
      }
      let record = find(key) ?? intern(key)
      if storage.begin(record, stamp: changeStamp.stamp, time: changeStamp.time) {
        log.wholeRecords.append(record)
        if storage.isEmbedded(record) { storage.unreferenced.append(record) }
      }
      if name == "__typename", case .scalar(let typename) = value, let typename = typename.string {
        storage[record].type = storage.typenames.intern(typename)
      }
      let field = storage.fieldNames.intern(name)
      assign(value, to: FieldLocation(record, field), changeStamp)
      log.record(record, field)
    }
  }

  /// Sets the value of a field and discards its error and expiry time.
  private mutating func assign(_ value: RecordValue, to place: FieldLocation, _ changeStamp: ChangeStamp) {
    storage.set(stored(value, in: place, []).stored(in: place.field), in: place.record)
    storage.notes.drop(place.record, place.field)
    // A value that was not fetched does not expire.
    if storage[place.record].expires != 0 { storage.notes.setExpiry(0, place.record, place.field) }
    storage[place.record].stamp = changeStamp.stamp
    storage[place.record].written = changeStamp.time
  }

  /// Returns a value in this set. A reference to the path of the value itself becomes a reference to an embedded
  /// record.
  private mutating func stored(_ value: RecordValue, in place: FieldLocation, _ positions: [UInt32]) -> StoredValue {
    switch value {
    case .missing: return .missing
    case .scalar(let scalar): return storage.scalar(scalar)
    case .reference(let reference):
      if let record = find(reference.key) { return .reference(record) }
      let path = [storage.keyText(place.record), storage.fieldNames[place.field]] + positions.map(String.init)
      return .reference(
        reference.key.text == path.joined(separator: ".")
          ? storage.record(in: place.record, place.field, positions) : intern(reference.key))
    case .list(let items):
      return storage.list(items.enumerated().map { stored($1, in: place, positions + [UInt32($0)]) })
    }
  }
}
