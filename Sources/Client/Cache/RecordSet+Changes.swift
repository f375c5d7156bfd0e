/// One step of a change to a cache.
public enum CacheMutation: Sendable {
  /// Writes records; fields that they do not have stay as they are.
  indirect case merge(RecordSet)
  /// Changes the fields of one record by a function, which may be called again when the file of a cache was damaged.
  case modify(CacheKey, @Sendable (inout RecordDraft) -> Void)
  /// Removes a record, and the embedded records that belong to it; cascading, also each record that only it led to.
  case removeRecord(CacheKey, cascading: Bool = false)
  /// Removes a field of a record: with given arguments (`birds({"first":10})`), or, by its bare name, with any.
  case removeField(CacheKey, field: String)
  /// Removes every record that a pattern takes in.
  case removeRecords(RecordPattern)
  /// Removes what cannot be reached from the roots, nor is read by one of the requests. With `rootFields`, given as
  /// `QUERY_ROOT.birds({"first":10})`, or as `QUERY_ROOT.birds(*)` with whatever arguments, the roots lose their other fields
  /// first.
  case collect(rootFields: Set<String>?, keeping: [RecordRequest] = [])
  /// Removes every record.
  case removeAll
}

/// Which change something happened in, and when.
struct ChangeMoment: Sendable {
  /// The change's number, from 1.
  let stamp: UInt32
  /// Seconds since 1970.
  let time: UInt32
}

extension RecordSet {
  /// Makes a change of several steps and tells what it changed: what a cache of your own does with what `apply` and `update`
  /// of `NormalizedCache` hand it. Nothing can go wrong; to try a change, make it on a copy.
  ///
  /// - Parameters:
  ///   - number: The number of the change: 1 for the first, one more for each that follows.
  ///   - time: Seconds since 1970.
  public mutating func apply(_ mutations: [CacheMutation], number: UInt32, time: UInt32) -> ChangedKeys {
    apply(mutations, ChangeMoment(stamp: number, time: time))
  }

  /// Makes a change of several steps and tells what it changed.
  mutating func apply(_ mutations: [CacheMutation], _ moment: ChangeMoment) -> ChangedKeys {
    var log = ChangeLog()
    for (index, mutation) in mutations.enumerated() {
      switch mutation {
      case .merge(let records)
      where isUntouched && records.merges.isEmpty && !records.repeatsFields && !records.table.keepsReferrers:
        self = RecordSet(adopting: records, keepsReferrers: table.keepsReferrers)
        table.completeAdoption(moment, log: &log)
      case .merge(let records):
        var merge = RecordMerge(records, into: &self, moment: moment)
        merge.run(into: &table, log: &log)
      case .modify(let key, let body): modify(key, body, moment, log: &log)
      case .removeRecord(let key, let cascading):
        if let id = find(key), table.entries[id].exists {
          removeRecord(id, cascading: cascading, log: &log)
        } else {
          if let id = find(key) { log.wholeRecords.append(id) }
          log.absent.append((key, nil))
        }
      case .removeField(let key, let field): removeField(field, of: key, log: &log)
      case .removeRecords(let pattern):
        for id in table.existing where pattern.matches(id, in: table) && table.entries[id].exists {
          removeRecord(id, log: &log)
        }
      case .collect(let rootFields, let requests): collect(rootFields: rootFields, keeping: requests, log: &log)
      case .removeAll:
        let everything = ChangedKeys.everything(of: table)
        self = RecordSet(keepsReferrers: table.keepsReferrers)
        // What follows in the same change is part of everything.
        _ = apply(Array(mutations[(index + 1)...]), moment)
        return everything
      }
    }
    removeOrphans(log: &log)
    // Where nothing changed nobody asks for names, and the next write has the pages for itself.
    let changed = log.isUneventful ? ChangedKeys() : ChangedKeys(log, names: table)
    dropUnusedKeys()
    return changed
  }

  /// Removes a record, and with `cascading` the keyed records that nothing refers to any more.
  private mutating func removeRecord(_ id: UInt32, cascading: Bool, log: inout ChangeLog) {
    var stack = [id]
    while let id = stack.popLast() {
      guard table.entries[id].exists else { continue }
      let targets = cascading ? table.targets(of: id) : []
      removeRecord(id, log: &log)
      for target in targets where table.entries[target].exists && table.entries[target].referrerCount == 0 {
        stack.append(target)
      }
    }
  }

  mutating func removeRecord(_ id: UInt32, log: inout ChangeLog) {
    let entry = table.entries[id]
    let count = Int(entry.fieldCount)
    for index in 0..<count {
      let slot = table.slots.element(entry.fields, index)
      log.removedFields.append(UInt64(id) << 32 | UInt64(slot.field))
      table.release(slot)
    }
    if !table.notes.isEmpty {
      for index in 0..<count { table.notes.drop(id, table.slots.element(entry.fields, index).field) }
      table.notes.dropErrors(of: id)
    }
    if count > 0 { table.slots.release(entry.fields, count: count) }
    log.wholeRecords.append(id)
    table.entries[id].forgetRecord()
    table.byteCount -= Int(entry.size)
    table.recordCount -= 1
    table.loosened.append(id)
  }

  mutating func removeField(_ field: String, of key: CacheKey, log: inout ChangeLog) {
    guard let id = find(key), table.entries[id].exists else {
      log.absent.append((key, field))
      return
    }
    let symbols: Set<UInt32>
    if field.contains("(") {
      symbols = table.fieldKeys.index(of: field).map { [$0] } ?? []
    } else {
      let entry = table.entries[id]
      var matching: Set<UInt32> = []
      for index in 0..<Int(entry.fieldCount) {
        let symbol = table.slots.element(entry.fields, index).field
        let name = table.fieldKeys.name(symbol)
        if name == field || name.hasPrefix(field + "(") { matching.insert(symbol) }
      }
      symbols = matching
    }
    var found = false
    var position = 0
    while position < Int(table.entries[id].fieldCount) {
      guard symbols.contains(table.slots.element(table.entries[id].fields, position).field) else {
        position += 1
        continue
      }
      removeField(at: position, of: id, log: &log)
      found = true
    }
    if !found { log.absent.append((key, field)) }
  }

  mutating func removeField(at position: Int, of id: UInt32, log: inout ChangeLog) {
    table.removeField(at: position, of: id, log: &log)
  }

  /// Embedded records live as long as something refers to them. `first` is the first of the loosened that was not looked
  /// at yet.
  mutating func removeOrphans(from first: Int = 0, log: inout ChangeLog) {
    var index = first
    while index < table.loosened.count {
      let id = table.loosened[index]
      index += 1
      let entry = table.entries[id]
      if entry.exists, entry.isPath, entry.referrerCount == 0 { removeRecord(id, log: &log) }
    }
  }
}

extension RecordTable {
  /// Removes the field at a position of a record, with its notes.
  mutating func removeField(at position: Int, of id: UInt32, log: inout ChangeLog) {
    let slot = removeField(at: position, of: id)
    let size = size(of: slot)
    entries[id].size -= UInt32(clamping: min(size, Int(entries[id].size)))
    byteCount -= size
    log.note(id, slot.field)
    release(slot)
    notes.drop(id, slot.field)
  }
}
