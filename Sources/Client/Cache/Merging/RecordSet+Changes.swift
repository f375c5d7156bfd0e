import ApusClientRecords

/// A step of a change to a cache.
public enum CacheMutation: Sendable {
  /// Writes records. Existing fields that they do not have are kept.
  indirect case merge(RecordSet)
  /// Modifies the fields of a record with a function. The function may be called again if the cache file turns out to be
  /// damaged.
  case modify(CacheKey, @Sendable (inout RecordDraft) -> Void)
  /// Removes a record and its embedded records. With `cascading`, also removes keyed records that only it referred to.
  case removeRecord(CacheKey, cascading: Bool = false)
  /// Removes a field of a record: with the given arguments (`birds({"first":10})`), or with any arguments if only the name
  /// is given.
  case removeField(CacheKey, field: String)
  /// Removes all records that match a pattern.
  case removeRecords(RecordPattern)
  /// Removes records that are neither reachable from the roots nor read by one of the requests. With `rootFields`, first
  /// removes all other fields of the roots. A root field is given with its arguments (`QUERY_ROOT.birds({"first":10})`) or
  /// for any arguments (`QUERY_ROOT.birds(*)`).
  case collect(rootFields: Set<String>?, keeping: [RecordRequest] = [])
  /// Removes all records.
  case removeAll
}

/// The number and time of a change.
struct ChangeStamp: Sendable {
  /// The number of the change, counting from 1.
  let stamp: UInt32
  /// The time in seconds since 1970.
  let time: UInt32
}

extension RecordSet {
  /// Applies mutations, for use in `apply` and `update` of other implementations of `NormalizedCache`. It never fails; to
  /// preview a change, apply it to a copy.
  ///
  /// - Parameters:
  ///   - mutations: The steps of the change, applied in order.
  ///   - number: The number of the change, counting from 1.
  ///   - time: The time in seconds since 1970.
  /// - Returns: The changed keys.
  public mutating func apply(_ mutations: [CacheMutation], number: UInt32, time: UInt32) -> ChangedKeys {
    apply(mutations, ChangeStamp(stamp: number, time: time))
  }

  /// Applies mutations and returns the changed keys.
  mutating func apply(_ mutations: [CacheMutation], _ changeStamp: ChangeStamp) -> ChangedKeys {
    var log = ChangeLog()
    for (index, mutation) in mutations.enumerated() {
      switch mutation {
      case .merge(let records)
      where isUntouched && records.merges.isEmpty && !records.repeatsFields && !records.storage.keepsReferrers:
        importRecords(records, changeStamp, log: &log)
      case .merge(let records):
        var merge = RecordMerge(records, into: &self, changeStamp: changeStamp)
        merge.run(into: &storage, log: &log)
      case .modify(let key, let body): modify(key, body, changeStamp, log: &log)
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
        // The change already covers everything, so the keys of later steps are not needed.
        _ = apply(Array(mutations[(index + 1)...]), changeStamp)
        return everything
      }
    }
    removeOrphans(log: &log)
    // If nothing changed, do not retain the storage for names; the next write would have to copy its pages.
    let changed = log.isUneventful ? ChangedKeys() : ChangedKeys(log, names: storage)
    storage.removeUnusedKeys()
    return changed
  }

  /// Moves the records of the first response into the cache instead of copying each of them.
  private mutating func importRecords(_ records: RecordSet, _ changeStamp: ChangeStamp, log: inout ChangeLog) {
    let keepsReferrers = storage.keepsReferrers
    storage = records.storage
    if keepsReferrers { storage.keepReferrers(stamp: changeStamp.stamp, time: changeStamp.time) }
    log.isFirst = true
  }

  // MARK: Removing

  /// Removes a record and, with `cascading`, keyed records that lose their last reference.
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
      log.removedFields.append(FieldLocation(record, storage.field(at: index, of: record).field))
    }
    log.wholeRecords.append(record)
    storage.remove(record)
  }

  /// Removes the fields with a name: with these arguments, or with any if the name has none.
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
    log.record(record, storage.field(at: index, of: record).field)
    storage.removeField(at: index, of: record)
  }

  /// Removes embedded records without references. `first` is the index of the first candidate that was not examined yet.
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
