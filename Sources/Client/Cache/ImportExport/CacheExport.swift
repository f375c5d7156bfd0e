import ApusClientAPI
import ApusClientRecords
import ApusJSON

/// The export format of a cache, as JSON that is easy to read and compare. Records are sorted by key, roots first, and
/// embedded objects are written in place.
///
///     { "format": "apus-cache", "version": 1,
///       "records": { "Bird:1": { "$type": "Bird", "$written": 1700000000, "id": "1", "mate": { "$ref": "Bird:2" } } } }
///
/// | value | meaning |
/// |---|---|
/// | `{"$ref": KEY}` | reference to a record with a cache key |
/// | `{"$embedded": RECORD}` | the record embedded at this path; `null` if it was removed |
/// | `{"$path": [KEY, COMPONENT…]}` | reference to a record embedded at another path |
/// | `{"$json": VALUE}` | scalar that is an object or a list |
/// | `{"$partial": LIST}` | incomplete streamed list |
/// | `{"$missing": true}` | list item that was never fetched |
///
/// A record also has its expiry time (`$expires`), different expiry times of fields (`$fieldExpires`) and errors of fields
/// (`$errors`). Times are in seconds since 1970.
public enum CacheExport {
  static let format = "apus-cache"
  static let version = 1

  /// Returns the export of a cache.
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

  /// Returns the export of some records, each in the format of `json(_:in:)`.
  static func json(_ records: [(String, JSONValue)]) -> JSONValue {
    .object([("format", JSONValue(format)), ("version", JSONValue(version)), ("records", .object(records))])
  }

  /// Returns a record in the export format, or `nil` if the cache does not have it.
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
        JSONBytes.document(Array(error.text.utf8)).map { (storage.fieldNames[error.field], $0) }
      }
      // Sort by name, because the export does not preserve the order in which fields were first written.
      let sorted = errors.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      if !sorted.isEmpty { members.append(("$errors", .object(sorted))) }
    }
    for slot in fields {
      members.append((storage.fieldNames[slot.field], value(slot, of: FieldLocation(id, slot.field), [], in: storage)))
    }
    return .object(members)
  }

  private static func value(
    _ slot: StoredValue, of place: FieldLocation, _ positions: [UInt32], in storage: StoredRecords
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

  /// Returns the key and the components of an embedded record's path.
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
