import ApusClientRecords
import Synchronization

/// The fields of records that a change affected.
///
/// Creating it is cheap even for a hundred thousand fields: names and hashes are computed on demand.
public struct ChangedKeys: Sendable {
  /// The field hash that represents a record as a whole, whichever of its fields a reader depends on.
  static let wholeRecord: UInt64 = 0

  /// The log of the change; `nil` if only its keys are available.
  private var noted: NotedChange?
  /// The hashes of other changes that were merged into this one.
  private var otherHashes: ContiguousArray<UInt64> = []
  /// Keys that were to be removed but did not exist. Readers that depend on them are notified too.
  private var absent: [String] = []
  /// Whether the whole cache was cleared, which affects all readers.
  private(set) var isEverything = false

  /// Creates an empty set of changes.
  public init() {}

  static func everything(of storage: StoredRecords) -> ChangedKeys {
    var changed = ChangedKeys()
    changed.isEverything = true
    changed.noted = NotedChange(ChangeLog(), names: storage)
    return changed
  }

  init(_ log: ChangeLog, names: StoredRecords) {
    noted = NotedChange(log, names: names)
    absent = log.absent.map { key, field in field.map { "\(key.text).\($0)" } ?? key.text }
  }

  /// Storage at the time of the change, before unused keys were removed.
  var names: StoredRecords? { noted?.names }

  /// The hashes that are compared with dependent keys.
  var hashes: ContiguousArray<UInt64> {
    guard let noted, !isEverything else { return otherHashes }
    return otherHashes.isEmpty ? noted.hashes : noted.hashes + otherHashes
  }

  /// Changed fields, in the ids of `names`.
  private var fields: ContiguousArray<FieldLocation> {
    noted.map { $0.log.fields(in: $0.names) + $0.log.removedFields } ?? []
  }

  /// Records that were added or removed.
  private var wholeRecords: [RecordID] { noted.map { $0.log.wholeRecords(in: $0.names) } ?? [] }

  /// Records whose content did not change, but whose write time did.
  var refreshed: [RecordID] { noted?.log.refreshed ?? [] }

  /// Creates the changed keys of another process's change, from the encoded keys in its change log. Each of them is a
  /// whole record.
  init(externalKeys keys: [[UInt8]]) {
    for key in keys {
      key.withUnsafeBufferPointer { bytes in
        absent.append(KeyCoding.text(bytes))
        otherHashes.append(KeyHash.dependency(KeyCoding.hash(bytes), Self.wholeRecord))
      }
    }
  }

  mutating func formUnion(_ other: ChangedKeys) {
    // Ids are valid only with the storage of the change that they are from, so the other's fields are kept as text and
    // hashes.
    absent += other.descriptions
    otherHashes += other.hashes
    isEverything = isEverything || other.isEverything
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { !isEverything && otherHashes.isEmpty && noted?.log.isEmpty != false }

  /// The number of changed fields.
  public var count: Int { isEverything ? descriptions.count : shownFields.count + absent.count }

  /// The changed fields without fragment coverage markers.
  private var shownFields: ContiguousArray<FieldLocation> {
    guard let names else { return [] }
    return fields.filter { !CoverageMarker.isNote(names.fieldNames[$0.field]) }
  }

  /// The keys of the changed records, without duplicates, in the order of the changes; removed records come last.
  public var recordKeys: [CacheKey] {
    guard let names else { return [] }
    return changedRecords.map { names.key($0) }
  }

  /// The records whose file rows are out of date, in the ids of `names`.
  var staleRows: [RecordID] {
    var seen: Set<RecordID> = []
    return (changedRecords + wholeRecords + refreshed).filter { seen.insert($0).inserted }
  }

  private var changedRecords: [RecordID] {
    guard let names else { return [] }
    if isEverything { return names.existing }
    var seen: Set<RecordID> = []
    // A write changes the fields of a record together, so comparing with the last one avoids most of the set's work.
    var last: RecordID?
    var records: [RecordID] = []
    for place in fields {
      if place.record != last, seen.insert(place.record).inserted { records.append(place.record) }
      last = place.record
    }
    return records
  }

  /// Returns up to `limit` changed fields in the order of the changes, without fields whose names are no longer
  /// available.
  public func fieldNames(limit: Int = .max) -> [(key: CacheKey, field: String)] {
    guard let names, !isEverything else { return [] }
    return shownFields.prefix(limit).map { (names.key($0.record), names.fieldNames[$0.field]) }
  }

  /// The changed records that have cache keys, and the parents of changed embedded records, without duplicates.
  package var baseKeys: [CacheKey] {
    guard let names else { return [] }
    var seen: Set<RecordID> = []
    return (changedRecords + wholeRecords).map { names.base(of: $0) }.filter { seen.insert($0).inserted }
      .map { names.key($0) }
  }

  /// A changed field and its value after the change.
  struct ChangedField {
    /// The name of the changed field. If the field belongs to an embedded record, the name, without arguments, of the
    /// field that contains the embedded record.
    let base: String
    let isEmbedded: Bool
    let key: CacheKey
    let field: String
    /// The new value; `nil` if the field was removed.
    let left: RecordValue?
  }

  /// The changed fields, by the key of their record or, for embedded records, of the closest parent that has a key.
  var places: [CacheKey: [ChangedField]] {
    guard let names, !isEverything else { return [:] }
    var places: [CacheKey: [ChangedField]] = [:]
    for place in fields {
      let field = names.fieldNames[place.field]
      var base = field
      let record = names.base(of: place.record) { component in
        if case .field(let outer) = component { base = String(names.fieldNames[outer].prefix { $0 != "(" }) }
      }
      let left = names.exists(place.record) ? names.value(of: place.field, in: place.record) : nil
      places[names.key(record), default: []].append(
        ChangedField(
          base: base, isEmbedded: record != place.record, key: names.key(place.record), field: field,
          left: left.map { names.value($0) }))
    }
    return places
  }

  /// All changed fields as `key.field`: `Bird:b42.name`, `QUERY_ROOT.birds({"first":10})`.
  public var descriptions: Set<String> {
    guard let names else { return Set(absent) }
    var descriptions = Set(absent)
    if isEverything {
      for record in names.existing {
        let key = names.keyText(record)
        for value in names.fields(of: record) { descriptions.insert("\(key).\(names.fieldNames[value.field])") }
      }
      return descriptions
    }
    var last: (record: RecordID, key: String)?
    for place in shownFields {
      let key = last?.record == place.record ? last?.key ?? "" : names.keyText(place.record)
      last = (place.record, key)
      descriptions.insert("\(key).\(names.fieldNames[place.field])")
    }
    return descriptions
  }
}

/// The log of a change and the records it refers to, as one reference that is shared by all recipients.
private final class NotedChange: Sendable {
  let log: ChangeLog
  /// The storage at the time of the change, before unused keys were removed.
  let names: StoredRecords
  /// The hashes, computed once on first use.
  private let made = Mutex<ContiguousArray<UInt64>?>(nil)

  init(_ log: ChangeLog, names: StoredRecords) {
    self.log = log
    self.names = names
  }

  /// Hashes to compare with dependent keys.
  var hashes: ContiguousArray<UInt64> {
    made.withLock { made in
      if let made { return made }
      let hashes = log.hashes(in: names)
      made = hashes
      return hashes
    }
  }
}

/// The record fields that a read accessed, including missing ones. When one of them changes, the read is out of date.
public struct DependentKeys: Sendable {
  var hashes: ContiguousArray<UInt64> = []

  /// Creates an empty set of keys, which no change affects.
  public init() {}

  /// The number of accessed fields and records. Repeated accesses count each time.
  public var count: Int { hashes.count }

  /// Returns whether a change affects a field that was read.
  public func intersects(_ changed: ChangedKeys) -> Bool {
    if changed.isEverything { return true }
    let others = changed.hashes
    if others.isEmpty || hashes.isEmpty { return false }
    if others.count < hashes.count { return intersects(KeyHashSet(others)) }
    let contained = KeyHashSet(hashes)
    return others.contains(where: contained.contains)
  }

  /// Returns whether a change affects a field that was read. Use this overload to compare one change with several
  /// reads.
  func intersects(_ changed: KeyHashSet) -> Bool { hashes.contains(where: changed.contains) }

  /// Adds the keys of another read.
  public mutating func formUnion(_ other: DependentKeys) { hashes.append(contentsOf: other.hashes) }
}
