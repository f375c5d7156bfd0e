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

  static func everything(of table: RecordTable) -> ChangedKeys {
    var changed = ChangedKeys()
    changed.isEverything = true
    changed.noted = NotedChange(ChangeLog(), names: table)
    return changed
  }

  init(_ log: ChangeLog, names: RecordTable) {
    noted = NotedChange(log, names: names)
    absent = log.absent.map { key, field in field.map { "\(key.text).\($0)" } ?? key.text }
  }

  /// The table before anything was removed from it, and as it was when the change was made.
  var names: RecordTable? { noted?.names }

  /// What dependent keys are compared with.
  var hashes: ContiguousArray<UInt64> {
    guard let noted, !isEverything else { return otherHashes }
    return otherHashes.isEmpty ? noted.hashes : noted.hashes + otherHashes
  }

  /// `record << 32 | field`, in the numbers of `names`.
  private var fields: ContiguousArray<UInt64> {
    noted.map { $0.log.fields(in: $0.names) + $0.log.removedFields } ?? []
  }

  /// Records that came or went as a whole.
  private var wholeRecords: [UInt32] { noted.map { $0.log.wholeRecords(in: $0.names) } ?? [] }

  /// Records that stayed as they were, but for the time at which they were written.
  var refreshed: [UInt32] { noted?.log.refreshed ?? [] }

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
  private var shownFields: ContiguousArray<UInt64> {
    guard let names else { return [] }
    return fields.filter { !CoverageNote.isNote(names.fieldKeys.name(UInt32(truncatingIfNeeded: $0))) }
  }

  /// The changed records, each once, in the order in which they were changed; those that went come last.
  public var recordKeys: [CacheKey] {
    guard let names else { return [] }
    return changedRecords.map { names.key($0) }
  }

  /// The numbers in `names` of the records whose rows in a file are no longer right.
  var staleRows: [UInt32] {
    var seen: Set<UInt32> = []
    return (changedRecords + wholeRecords + refreshed).filter { seen.insert($0).inserted }
  }

  private var changedRecords: [UInt32] {
    guard let names else { return [] }
    if isEverything { return names.existing }
    var seen: Set<UInt32> = []
    var last = RecordTable.none
    var records: [UInt32] = []
    for change in fields {
      let id = UInt32(truncatingIfNeeded: change >> 32)
      if id != last, seen.insert(id).inserted { records.append(id) }
      last = id
    }
    return records
  }

  /// The changed fields that still or once had names, in the order in which they were changed.
  public func fieldNames(limit: Int = .max) -> [(key: CacheKey, field: String)] {
    guard let names, !isEverything else { return [] }
    return shownFields.prefix(limit).map { change in
      (names.key(UInt32(truncatingIfNeeded: change >> 32)), names.fieldKeys.name(UInt32(truncatingIfNeeded: change)))
    }
  }

  /// The changed records that have keys of their own, and those that the other changed records are embedded in.
  var baseKeys: [CacheKey] {
    guard let names else { return [] }
    var seen: Set<UInt32> = []
    return (changedRecords + wholeRecords).map { id in
      var id = id
      while names.entries[id].isPath { id = names.entries[id].parent }
      return id
    }.filter { seen.insert($0).inserted }.map { names.key($0) }
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
    for change in fields {
      let (own, symbol) = (UInt32(truncatingIfNeeded: change >> 32), UInt32(truncatingIfNeeded: change))
      let field = names.fieldKeys.name(symbol)
      var (id, base) = (own, field)
      while names.entries[id].isPath {
        if case .field(let outer) = names.entries[id].component {
          base = String(names.fieldKeys.name(outer).prefix { $0 != "(" })
        }
        id = names.entries[id].parent
      }
      let left = names.entries[own].exists ? names.value(ofField: symbol, in: own).map { names.value($0) } : nil
      places[names.key(id), default: []].append(
        Place(base: base, isEmbedded: id != own, key: names.key(own), field: field, left: left))
    }
    return places
  }

  /// Every changed field as `key.field`.
  public var descriptions: Set<String> {
    guard let names else { return Set(absent) }
    var descriptions = Set(absent)
    if isEverything {
      for id in names.existing {
        let key = names.keyText(id)
        let entry = names.entries[id]
        for index in 0..<Int(entry.fieldCount) {
          descriptions.insert("\(key).\(names.fieldKeys.name(names.slots.element(entry.fields, index).field))")
        }
      }
      return descriptions
    }
    var last: (id: UInt32, key: String)?
    for change in shownFields {
      let id = UInt32(truncatingIfNeeded: change >> 32)
      let key = last?.id == id ? last?.key ?? "" : names.keyText(id)
      last = (id, key)
      descriptions.insert("\(key).\(names.fieldKeys.name(UInt32(truncatingIfNeeded: change)))")
    }
    return descriptions
  }
}

/// What was noted of a change, and the records that it is about: one reference, as a change is handed to many.
private final class NotedChange: Sendable {
  let log: ChangeLog
  /// The table before anything was removed from it, and as it was when the change was made.
  let names: RecordTable
  /// Whoever asks first makes them, for all who ask.
  private let made = Mutex<ContiguousArray<UInt64>?>(nil)

  init(_ log: ChangeLog, names: RecordTable) {
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

extension RecordTable {
  /// The numbers of all records.
  var existing: [UInt32] {
    var found: [UInt32] = []
    found.reserveCapacity(recordCount)
    entries.forEachPage { first, page in
      for (offset, entry) in page.enumerated() where entry.exists { found.append(UInt32(first + offset)) }
    }
    return found
  }
}
