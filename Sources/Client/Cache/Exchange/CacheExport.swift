import ApusClientAPI
import ApusClientRecords
import ApusJSON

/// A cache as JSON that people can read and compare: records in the order of their keys, the roots first, embedded
/// objects where they stand.
///
///     { "format": "apus-cache", "version": 1,
///       "records": { "Bird:1": { "$type": "Bird", "$written": 1700000000, "id": "1", "mate": { "$ref": "Bird:2" } } } }
///
/// | value | stands for |
/// |---|---|
/// | `{"$ref": KEY}` | a reference to a record with a key |
/// | `{"$embedded": RECORD}` | the record that belongs to this place; `null` where it is gone |
/// | `{"$path": [KEY, COMPONENT…]}` | a reference to an embedded record of another place |
/// | `{"$json": VALUE}` | a scalar that is an object or a list |
/// | `{"$partial": LIST}` | a streamed list that is not all there |
/// | `{"$missing": true}` | an item that was never fetched |
///
/// A record's `$expires`, its fields' own (`$fieldExpires`) and their errors (`$errors`) stand with it. Seconds count from
/// 1970.
public enum CacheExport {
  static let format = "apus-cache"
  static let version = 1

  /// The whole cache.
  public static func json(_ snapshot: CacheSnapshot) -> JSONValue {
    let records = snapshot.records
    let storage = records.storage
    let roots = CacheKey.roots.compactMap { records.find($0) }
    let keyed = storage.existing.filter { !storage.isEmbedded($0) && !roots.contains($0) }
      .map { (key: storage.keyText($0), id: $0) }.sorted { $0.key < $1.key }
    let members = (roots.filter { storage.exists($0) }.map { (key: storage.keyText($0), id: $0) } + keyed)
      .map { ($0.key, record($0.id, in: storage)) }
    return json(members)
  }

  /// Some records, each as `json(_:in:)` has it.
  static func json(_ records: [(String, JSONValue)]) -> JSONValue {
    .object([("format", JSONValue(format)), ("version", JSONValue(version)), ("records", .object(records))])
  }

  /// One record as it stands in an export.
  public static func json(_ key: CacheKey, in snapshot: CacheSnapshot) -> JSONValue? {
    snapshot.records.findRecord(key).map { record($0, in: snapshot.records.storage) }
  }

  private static func record(_ id: RecordID, in storage: StoredRecords) -> JSONValue {
    let info = storage[id]
    var members: [(String, JSONValue)] = []
    if let typename = storage.typename(id) { members.append(("$type", JSONValue(typename))) }
    members.append(("$written", JSONValue(Int(info.written))))
    if info.expires != 0 { members.append(("$expires", JSONValue(Int(info.expires)))) }
    let fields = storage.fields(of: id)
    if !storage.notes.isEmpty {
      let expiries = fields.compactMap { slot in
        storage.notes.expiry(id, slot.field).map { (storage.fieldNames[slot.field], JSONValue(Int($0))) }
      }
      if !expiries.isEmpty { members.append(("$fieldExpires", .object(expiries))) }
      let errors = storage.notes.errors(of: id).compactMap { error in
        JSONText.document(Array(error.text.utf8)).map { (storage.fieldNames[error.field], $0) }
      }
      // By name: in which order fields were met first is not in an export.
      let sorted = errors.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      if !sorted.isEmpty { members.append(("$errors", .object(sorted))) }
    }
    for slot in fields {
      members.append((storage.fieldNames[slot.field], value(slot, of: FieldPlace(id, slot.field), [], in: storage)))
    }
    return .object(members)
  }

  private static func value(
    _ slot: StoredValue, of place: FieldPlace, _ positions: [UInt32], in storage: StoredRecords
  ) -> JSONValue {
    switch slot.kind {
    case .null: return .null
    case .missing: return .object([("$missing", JSONValue(true))])
    case .scalar:
      let value = storage.json(slot)
      switch value.kind {
      case .array, .object: return .object([("$json", value)])
      default: return value
      }
    case .reference:
      guard storage.isEmbedded(slot.target) else {
        return .object([("$ref", JSONValue(storage.keyText(slot.target)))])
      }
      guard storage.isEmbedded(slot.target, in: place.record, place.field, positions) else {
        return .object([("$path", .array(path(to: slot.target, in: storage)))])
      }
      let exists = storage.exists(slot.target)
      return .object([("$embedded", exists ? record(slot.target, in: storage) : .null)])
    case .list:
      let items = JSONValue.array(
        storage.items(of: slot).enumerated().map { value($1, of: place, positions + [UInt32($0)], in: storage) })
      return slot.isOpen ? .object([("$partial", items)]) : items
    }
  }

  /// The key and the components of a path.
  private static func path(to record: RecordID, in storage: StoredRecords) -> [JSONValue] {
    let (base, components) = storage.components(of: record)
    return [JSONValue(base)]
      + components.map { component in
        switch component {
        case .field(let field): JSONValue(storage.fieldNames[field])
        case .index(let index): JSONValue(Int(index))
        }
      }
  }
}
