import ApusClientRecords
import Synchronization

/// Which fields of which records a change touched.
///
/// Cheap to make for a change of a hundred thousand fields: names and hashes are made only when someone asks.
public struct ChangedKeys: Sendable {
  /// What a whole record is matched by, whichever of its fields a reader depends on.
  static let wholeRecord: UInt64 = 0

  /// What was noted of the change; `nil` where only its keys are known.
  private var noted: NotedChange?
  /// Those of other changes that became part of this one.
  private var otherHashes: ContiguousArray<UInt64> = []
  /// What was asked to be removed and was not there: readers that miss it are told all the same.
  private var absent: [String] = []
  /// Whether the whole cache was emptied: whoever depends on anything is told.
  private(set) var isEverything = false

  /// No change.
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

  /// The storage when the change was made, before unused keys were removed.
  var names: StoredRecords? { noted?.names }

  /// What dependent keys are compared with.
  var hashes: ContiguousArray<UInt64> {
    guard let noted, !isEverything else { return otherHashes }
    return otherHashes.isEmpty ? noted.hashes : noted.hashes + otherHashes
  }

  /// In the ids of `names`.
  private var fields: ContiguousArray<FieldPlace> {
    noted.map { $0.log.fields(in: $0.names) + $0.log.removedFields } ?? []
  }

  /// Records that came or went as a whole.
  private var wholeRecords: [RecordID] { noted.map { $0.log.wholeRecords(in: $0.names) } ?? [] }

  /// Records that stayed as they were, but for the time at which they were written.
  var refreshed: [RecordID] { noted?.log.refreshed ?? [] }

  /// What other processes changed in a file, by the keys that it was told by: whole records.
  init(foreign keys: [[UInt8]]) {
    for key in keys {
      key.withUnsafeBufferPointer { bytes in
        absent.append(KeyCoding.text(bytes))
        otherHashes.append(KeyHash.dependency(KeyCoding.hash(bytes), Self.wholeRecord))
      }
    }
  }

  mutating func formUnion(_ other: ChangedKeys) {
    absent += other.descriptions
    otherHashes += other.hashes
    isEverything = isEverything || other.isEverything
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { !isEverything && otherHashes.isEmpty && noted?.log.isEmpty != false }

  /// How many fields changed.
  public var count: Int { isEverything ? descriptions.count : shownFields.count + absent.count }

  /// The fields without what is noted of fragments.
  private var shownFields: ContiguousArray<FieldPlace> {
    guard let names else { return [] }
    return fields.filter { !CoverageNote.isNote(names.fieldNames[$0.field]) }
  }

  /// The changed records, each once, in the order in which they were changed; those that went come last.
  public var recordKeys: [CacheKey] {
    guard let names else { return [] }
    return changedRecords.map { names.key($0) }
  }

  /// The ids in `names` of the records whose rows in a file are no longer right.
  var staleRows: [RecordID] {
    var seen: Set<RecordID> = []
    return (changedRecords + wholeRecords + refreshed).filter { seen.insert($0).inserted }
  }

  private var changedRecords: [RecordID] {
    guard let names else { return [] }
    if isEverything { return names.existing }
    var seen: Set<RecordID> = []
    var last: RecordID?
    var records: [RecordID] = []
    for place in fields {
      if place.record != last, seen.insert(place.record).inserted { records.append(place.record) }
      last = place.record
    }
    return records
  }

  /// The changed fields that still or once had names, in the order in which they were changed.
  public func fieldNames(limit: Int = .max) -> [(key: CacheKey, field: String)] {
    guard let names, !isEverything else { return [] }
    return shownFields.prefix(limit).map { (names.key($0.record), names.fieldNames[$0.field]) }
  }

  /// The changed records that have keys of their own, and those that the other changed records are embedded in.
  var baseKeys: [CacheKey] {
    guard let names else { return [] }
    var seen: Set<RecordID> = []
    return (changedRecords + wholeRecords).map { names.base(of: $0) }.filter { seen.insert($0).inserted }
      .map { names.key($0) }
  }

  /// A changed field, and what the change left in it.
  struct Place {
    /// The field of the record with a key of its own: the one that changed, or, where that is one of an embedded record, the
    /// bare name of the field that it is embedded in.
    let base: String
    let isEmbedded: Bool
    let key: CacheKey
    let field: String
    /// `nil` where the field went.
    let left: RecordValue?
  }

  /// The changed fields, by the records with keys of their own.
  var places: [CacheKey: [Place]] {
    guard let names, !isEverything else { return [:] }
    var places: [CacheKey: [Place]] = [:]
    for place in fields {
      let field = names.fieldNames[place.field]
      var base = field
      let record = names.base(of: place.record) { component in
        if case .field(let outer) = component { base = String(names.fieldNames[outer].prefix { $0 != "(" }) }
      }
      let left = names.exists(place.record) ? names.value(of: place.field, in: place.record) : nil
      places[names.key(record), default: []].append(
        Place(
          base: base, isEmbedded: record != place.record, key: names.key(place.record), field: field,
          left: left.map { names.value($0) }))
    }
    return places
  }

  /// Every changed field as `key.field`.
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

/// What was noted of a change, and the records that it is about: one reference, as a change is handed to many.
private final class NotedChange: Sendable {
  let log: ChangeLog
  /// The storage when the change was made, before unused keys were removed.
  let names: StoredRecords
  /// Whoever asks first makes them, for all who ask.
  private let made = Mutex<ContiguousArray<UInt64>?>(nil)

  init(_ log: ChangeLog, names: StoredRecords) {
    self.log = log
    self.names = names
  }

  /// What the keys that readers depend on are compared with.
  var hashes: ContiguousArray<UInt64> {
    made.withLock { made in
      if let made { return made }
      let hashes = log.hashes(in: names)
      made = hashes
      return hashes
    }
  }
}

/// The fields of records that a read looked at, those that it missed included: when one changes, read again.
public struct DependentKeys: Sendable {
  var hashes: ContiguousArray<UInt64> = []

  /// Keys that nothing changes.
  public init() {}

  /// How many fields and records were looked at; one looked at twice counts twice.
  public var count: Int { hashes.count }

  /// Whether a change touches anything that the read looked at.
  public func areTouched(by changed: ChangedKeys) -> Bool {
    if changed.isEverything { return true }
    let others = changed.hashes
    if others.isEmpty || hashes.isEmpty { return false }
    if others.count < hashes.count { return areTouched(by: KeyHashSet(others)) }
    let own = KeyHashSet(hashes)
    return others.contains(where: own.contains)
  }

  /// The same for a change that is compared with several reads.
  func areTouched(by changed: KeyHashSet) -> Bool { hashes.contains(where: changed.contains) }

  /// Adds what another read looked at.
  public mutating func formUnion(_ other: DependentKeys) { hashes.append(contentsOf: other.hashes) }
}
