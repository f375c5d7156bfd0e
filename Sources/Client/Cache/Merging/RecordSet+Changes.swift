import ApusClientRecords

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
  /// Makes a change of several steps, for `apply` and `update` of another `NormalizedCache`. Returns the changed keys. It never
  /// fails; to try a change, make it on a copy.
  ///
  /// - Parameters:
  ///   - number: The number of the change: 1 for the first, one more for each that follows.
  ///   - time: Seconds since 1970.
  public mutating func apply(_ mutations: [CacheMutation], number: UInt32, time: UInt32) -> ChangedKeys {
    apply(mutations, ChangeMoment(stamp: number, time: time))
  }

  /// Makes a change of several steps. Returns the changed keys.
  mutating func apply(_ mutations: [CacheMutation], _ moment: ChangeMoment) -> ChangedKeys {
    var log = ChangeLog()
    for (index, mutation) in mutations.enumerated() {
      switch mutation {
      case .merge(let records)
      where isUntouched && records.merges.isEmpty && !records.repeatsFields && !records.storage.keepsReferrers:
        keep(records, moment, log: &log)
      case .merge(let records):
        var merge = RecordMerge(records, into: &self, moment: moment)
        merge.run(into: &storage, log: &log)
      case .modify(let key, let body): modify(key, body, moment, log: &log)
      case .removeRecord(let key, let cascading):
        if let record = findRecord(key) {
          removeRecord(record, cascading: cascading, log: &log)
        } else {
          if let record = find(key) { log.wholeRecords.append(record) }
          log.absent.append((key, nil))
        }
      case .removeField(let key, let field): removeField(field, of: key, log: &log)
      case .removeRecords(let pattern):
        for record in storage.existing where pattern.matches(record, in: storage) && storage.exists(record) {
          removeRecord(record, log: &log)
        }
      case .collect(let rootFields, let requests): collect(rootFields: rootFields, keeping: requests, log: &log)
      case .removeAll:
        let everything = ChangedKeys.everything(of: storage)
        self = RecordSet(keepsReferrers: storage.keepsReferrers)
        // What follows in the same change is part of everything.
        _ = apply(Array(mutations[(index + 1)...]), moment)
        return everything
      }
    }
    removeOrphans(log: &log)
    // Where nothing changed no reader needs names, and the next write has the pages for itself.
    let changed = log.isUneventful ? ChangedKeys() : ChangedKeys(log, names: storage)
    storage.removeUnusedKeys()
    return changed
  }

  /// Makes the records of the first response the ones of the cache, instead of copying each.
  private mutating func keep(_ records: RecordSet, _ moment: ChangeMoment, log: inout ChangeLog) {
    let keepsReferrers = storage.keepsReferrers
    storage = records.storage
    if keepsReferrers { storage.keepReferrers(stamp: moment.stamp, time: moment.time) }
    log.isFirst = true
  }

  // MARK: Removing

  /// Removes a record, and with `cascading` the keyed records that nothing refers to any more.
  private mutating func removeRecord(_ record: RecordID, cascading: Bool, log: inout ChangeLog) {
    var stack = [record]
    while let record = stack.popLast() {
      guard storage.exists(record) else { continue }
      let targets = cascading ? storage.targets(of: record) : []
      removeRecord(record, log: &log)
      stack += targets.filter { storage.exists($0) && storage.referrerCount(of: $0) == 0 }
    }
  }

  mutating func removeRecord(_ record: RecordID, log: inout ChangeLog) {
    for index in 0..<storage.fieldCount(of: record) {
      log.removedFields.append(FieldPlace(record, storage.field(at: index, of: record).field))
    }
    log.wholeRecords.append(record)
    storage.remove(record)
  }

  /// Removes the fields of a name: with its arguments, or with any.
  mutating func removeField(_ name: String, of key: CacheKey, log: inout ChangeLog) {
    var isFound = false
    if let record = findRecord(key) {
      for index in (0..<storage.fieldCount(of: record)).reversed() {
        let field = storage.fieldNames[storage.field(at: index, of: record).field]
        guard field == name || (!name.contains("(") && field.hasPrefix(name + "(")) else { continue }
        removeField(at: index, of: record, log: &log)
        isFound = true
      }
    }
    if !isFound { log.absent.append((key, name)) }
  }

  mutating func removeField(at index: Int, of record: RecordID, log: inout ChangeLog) {
    log.note(record, storage.field(at: index, of: record).field)
    storage.removeField(at: index, of: record)
  }

  /// Removes embedded records that nothing refers to. `first` is the first of the unreferenced that was not examined yet.
  mutating func removeOrphans(from first: Int = 0, log: inout ChangeLog) {
    var index = first
    while index < storage.unreferenced.count {
      let record = storage.unreferenced[index]
      index += 1
      if storage.exists(record), storage.isEmbedded(record), storage.referrerCount(of: record) == 0 {
        removeRecord(record, log: &log)
      }
    }
  }
}
