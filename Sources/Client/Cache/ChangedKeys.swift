/// Which fields of which records a change touched.
///
/// Cheap to make for a change of a hundred thousand fields: the names are spelled out only when someone asks.
public struct ChangedKeys: Sendable {
  /// What a whole record is matched by, whichever of its fields a reader depends on.
  static let wholeRecord: UInt64 = 0

  /// `record << 32 | field`, in the numbers of `names`.
  private var fields: ContiguousArray<UInt64> = []
  /// What dependent keys are compared with.
  private(set) var hashes: ContiguousArray<UInt64> = []
  /// The table before anything was removed from it, and as it was when the change was made.
  private var names: RecordTable?
  /// What was asked to be removed and was not there: readers that miss it are told all the same.
  private var absent: [String] = []
  /// Whether the whole cache was emptied: whoever depends on anything is told.
  private(set) var isEverything = false

  init() {}

  static func everything(of table: RecordTable) -> ChangedKeys {
    var changed = ChangedKeys()
    changed.isEverything = true
    changed.names = table
    return changed
  }

  init(
    fields: ContiguousArray<UInt64>, wholeRecords: [UInt32], absent: [(key: CacheKey, field: String?)],
    names: RecordTable
  ) {
    self.fields = fields
    self.names = names
    hashes.reserveCapacity(fields.count + wholeRecords.count + absent.count)
    for change in fields {
      let record = names.entries[UInt32(truncatingIfNeeded: change >> 32)].hash
      hashes.append(KeyHash.combine(record, names.fieldKeys.hashes[Int(UInt32(truncatingIfNeeded: change))]))
    }
    for id in wholeRecords { hashes.append(KeyHash.combine(names.entries[id].hash, Self.wholeRecord)) }
    for (key, field) in absent {
      self.absent.append(field.map { "\(key.text).\($0)" } ?? key.text)
      hashes.append(KeyHash.combine(KeyHash.of(key.text), Self.wholeRecord))
    }
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { !isEverything && hashes.isEmpty }

  /// How many fields changed.
  public var count: Int { isEverything ? descriptions.count : fields.count + absent.count }

  /// The changed records, each once, in the order in which they were changed.
  public var recordKeys: [CacheKey] {
    guard let names else { return [] }
    return changedRecords.map { names.key($0) }
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
    for change in fields {
      let id = UInt32(truncatingIfNeeded: change >> 32)
      let key = last?.id == id ? last?.key ?? "" : names.keyText(id)
      last = (id, key)
      descriptions.insert("\(key).\(names.fieldKeys.name(UInt32(truncatingIfNeeded: change)))")
    }
    return descriptions
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
    if changed.hashes.isEmpty || hashes.isEmpty { return false }
    if changed.hashes.count < hashes.count {
      let few = Set(changed.hashes)
      return hashes.contains(where: few.contains)
    }
    let few = Set(hashes)
    return changed.hashes.contains(where: few.contains)
  }

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
