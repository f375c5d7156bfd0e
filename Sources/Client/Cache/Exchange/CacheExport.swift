import ApusClientAPI
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
    let table = records.table
    let roots = CacheKey.roots.compactMap { records.find($0) }
    let keyed = table.existing.filter { !table.entries[$0].isPath && !roots.contains($0) }
      .map { (key: table.keyText($0), id: $0) }.sorted { $0.key < $1.key }
    let members = (roots.filter { table.entries[$0].exists }.map { (key: table.keyText($0), id: $0) } + keyed)
      .map { ($0.key, record($0.id, in: table)) }
    return json(members)
  }

  /// Some records, each as `json(_:in:)` has it.
  static func json(_ records: [(String, JSONValue)]) -> JSONValue {
    .object([("format", JSONValue(format)), ("version", JSONValue(version)), ("records", .object(records))])
  }

  /// One record as it stands in an export.
  public static func json(_ key: CacheKey, in snapshot: CacheSnapshot) -> JSONValue? {
    guard let id = snapshot.records.find(key), snapshot.records.table.entries[id].exists else { return nil }
    return record(id, in: snapshot.records.table)
  }

  private static func record(_ id: UInt32, in table: RecordTable) -> JSONValue {
    let entry = table.entries[id]
    var members: [(String, JSONValue)] = []
    if let typename = table.typename(id) { members.append(("$type", JSONValue(typename))) }
    members.append(("$written", JSONValue(Int(entry.written))))
    if entry.expires != 0 { members.append(("$expires", JSONValue(Int(entry.expires)))) }
    let fields = table.fields(of: id)
    if !table.notes.isEmpty {
      let expiries = fields.compactMap { slot in
        table.notes.expiry(id, slot.field).map { (table.fieldKeys.name(slot.field), JSONValue(Int($0))) }
      }
      if !expiries.isEmpty { members.append(("$fieldExpires", .object(expiries))) }
      let errors = table.notes.errors(of: id).compactMap { error in
        JSONText.document(Array(error.text.utf8)).map { (table.fieldKeys.name(error.field), $0) }
      }
      // By name: in which order fields were met first is not in an export.
      let sorted = errors.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
      if !sorted.isEmpty { members.append(("$errors", .object(sorted))) }
    }
    for slot in fields {
      members.append((table.fieldKeys.name(slot.field), value(slot, record: id, field: slot.field, [], in: table)))
    }
    return .object(members)
  }

  private static func value(
    _ slot: ValueSlot, record id: UInt32, field: UInt32, _ positions: [UInt32], in table: RecordTable
  ) -> JSONValue {
    switch slot.kind {
    case .null: return .null
    case .gap: return .object([("$missing", JSONValue(true))])
    case .shortText, .text, .longText:
      let value = table.withText(slot) { JSONText.value(of: $0, isString: slot.isString) }
      switch value.kind {
      case .array, .object: return .object([("$json", value)])
      default: return value
      }
    case .reference:
      guard table.entries[slot.target].isPath else {
        return .object([("$ref", JSONValue(table.keyText(slot.target)))])
      }
      guard table.isEmbedded(slot.target, record: id, field: field, positions) else {
        return .object([("$path", .array(table.path(slot.target)))])
      }
      let exists = table.entries[slot.target].exists
      return .object([("$embedded", exists ? record(slot.target, in: table) : .null)])
    case .list:
      let items = JSONValue.array(
        (0..<slot.count).map { index in
          value(
            table.slots.element(slot.run, index), record: id, field: field, positions + [UInt32(index)], in: table)
        })
      return slot.isOpen ? .object([("$partial", items)]) : items
    }
  }
}

extension RecordTable {
  /// Whether a key is the one of an embedded record at this very place.
  func isEmbedded(_ target: UInt32, record: UInt32, field: UInt32, _ positions: some BidirectionalCollection<UInt32>)
    -> Bool
  {
    var entry = entries[target]
    for position in positions.reversed() {
      guard entry.isPath, entry.component == .index(position) else { return false }
      entry = entries[entry.parent]
    }
    return entry.isPath && entry.component == .field(field) && entry.parent == record
  }

  /// A path's key and its components.
  func path(_ id: UInt32) -> [JSONValue] {
    var id = id
    var components: [JSONValue] = []
    while entries[id].isPath {
      components.append(component(entries[id].component))
      id = entries[id].parent
    }
    return [JSONValue(keyText(id))] + components.reversed()
  }

  private func component(_ component: KeyComponent) -> JSONValue {
    switch component {
    case .field(let symbol): JSONValue(fieldKeys.name(symbol))
    case .index(let index): JSONValue(Int(index))
    }
  }
}
