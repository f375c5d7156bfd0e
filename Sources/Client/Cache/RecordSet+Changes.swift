/// One step of a change to a cache.
public enum CacheMutation: Sendable {
  /// Writes records; fields that they do not have stay as they are.
  case merge(RecordSet)
  /// Removes a record, and the embedded records that belong to it.
  case removeRecord(CacheKey)
  /// Removes a field of a record: with given arguments (`birds({"first":10})`), or, by its bare name, with any.
  case removeField(CacheKey, field: String)
  case removeAll
}

extension RecordSet {
  /// Makes a change of several steps and tells what it changed. `stamp` is the change's number, from 1.
  mutating func apply(_ mutations: [CacheMutation], stamp: UInt32) -> ChangedKeys {
    var log = ChangeLog()
    for mutation in mutations {
      switch mutation {
      case .merge(let records) where isUntouched:
        self = RecordSet(adopting: records, keepsReferrers: table.keepsReferrers)
        table.completeAdoption(stamp: stamp, log: &log)
      case .merge(let records):
        var merge = RecordMerge(records, into: &self, stamp: stamp)
        merge.run(into: &table, log: &log)
      case .removeRecord(let key):
        if let id = find(key), table.entries[id].exists {
          removeRecord(id, log: &log)
        } else if let id = find(key) {
          log.wholeRecords.append(id)
          log.absent.append((key, nil))
        } else {
          log.absent.append((key, nil))
        }
      case .removeField(let key, let field): removeField(field, of: key, log: &log)
      case .removeAll:
        let everything = ChangedKeys.everything(of: table)
        self = RecordSet(keepsReferrers: table.keepsReferrers)
        // What follows in the same change is part of everything.
        let rest = mutations.drop { if case .removeAll = $0 { false } else { true } }.dropFirst()
        _ = apply(Array(rest), stamp: stamp)
        return everything
      }
    }
    removeOrphans(log: &log)
    let changed = ChangedKeys(
      fields: log.fields, wholeRecords: log.wholeRecords, absent: log.absent, names: table)
    dropUnusedKeys()
    return changed
  }

  private mutating func removeRecord(_ id: UInt32, log: inout ChangeLog) {
    let entry = table.entries[id]
    let count = Int(entry.fieldCount)
    for index in 0..<count {
      let slot = table.slots.element(entry.fields, index)
      log.note(id, slot.field)
      table.release(slot)
    }
    if count > 0 { table.slots.release(entry.fields, count: count) }
    log.wholeRecords.append(id)
    table.entries[id].fieldCount = 0
    table.entries[id].size = 0
    table.entries[id].stamp = 0
    table.entries[id].uses -= 1
    table.byteCount -= Int(entry.size)
    table.recordCount -= 1
    table.loosened.append(id)
  }

  private mutating func removeField(_ field: String, of key: CacheKey, log: inout ChangeLog) {
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
      let slot = table.removeField(at: position, of: id)
      let size = table.size(of: slot)
      table.entries[id].size -= UInt32(clamping: min(size, Int(table.entries[id].size)))
      table.byteCount -= size
      log.note(id, slot.field)
      table.release(slot)
      found = true
    }
    if !found { log.absent.append((key, field)) }
  }

  /// Embedded records live as long as something refers to them.
  private mutating func removeOrphans(log: inout ChangeLog) {
    var index = 0
    while index < table.loosened.count {
      let id = table.loosened[index]
      index += 1
      let entry = table.entries[id]
      if entry.exists, entry.isPath, entry.referrerCount == 0 { removeRecord(id, log: &log) }
    }
  }
}
