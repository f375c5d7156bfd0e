import ApusClientRecords

/// Removes the least recently used records until at most a given number of bytes is left.
///
/// 1. Candidates are keyed records and records embedded directly in a root's field. Their embedded records are removed
///    with them. Roots are kept, and so are the records reachable by retained operations and those used in or after the
///    last write. Otherwise a response that exceeds the limit would be fetched forever.
/// 2. Candidates are removed in the order of their last use.
/// 3. Fields of a root whose references are all dangling are removed too, so that the roots do not grow without limit.
extension RecordSet {
  mutating func trim(to limit: Int, keeping requests: [RecordRequest], _ uses: RecordUsageLog) -> ChangedKeys {
    guard byteCount > limit else { return ChangedKeys() }
    let roots = Set(CacheKey.roots.compactMap { find($0) })
    let reachable = reachableRecords(by: requests)
    var candidates: [(use: UInt64, record: RecordID)] = []
    for record in storage.existing where !roots.contains(record) && !reachable.contains(record) {
      if storage.isEmbedded(record), !isDirectlyEmbedded(record, in: roots) { continue }
      let use = uses.last(of: record, in: storage)
      if use < uses.lastWrite { candidates.append((use, record)) }
    }
    candidates.sort { $0 < $1 }
    var log = ChangeLog()
    var orphans = storage.unreferenced.count
    for (_, record) in candidates {
      if byteCount <= limit { break }
      guard storage.exists(record) else { continue }
      removeRecord(record, log: &log)
      removeRootFields(leadingTo: record, roots, log: &log)
      removeOrphans(from: orphans, log: &log)
      orphans = storage.unreferenced.count
    }
    let changed = ChangedKeys(log, names: storage)
    storage.removeUnusedKeys()
    return changed
  }

  /// Returns whether a record is embedded directly in a root's field, or in a list of that field.
  private func isDirectlyEmbedded(_ record: RecordID, in roots: Set<RecordID>) -> Bool {
    var record = record
    while let path = storage.path(of: record) {
      if case .field = path.component { return roots.contains(path.parent) }
      record = path.parent
    }
    return false
  }

  private mutating func removeRootFields(leadingTo record: RecordID, _ roots: Set<RecordID>, log: inout ChangeLog) {
    var places: Set<FieldLocation> = []
    storage.forEachReferrer(of: record) { place in
      if roots.contains(place.record) { places.insert(place) }
      return true
    }
    for place in places {
      guard let index = storage.index(of: place.field, in: place.record, near: 0) else { continue }
      var leadsOn = false
      storage.forEachTarget(of: storage.field(at: index, of: place.record)) { target in
        if storage.exists(target) { leadsOn = true }
      }
      if !leadsOn { removeField(at: index, of: place.record, log: &log) }
    }
  }

  /// Returns the records that operations can reach.
  mutating func reachableRecords(by requests: [RecordRequest]) -> Set<RecordID> {
    var found: Set<RecordID> = []
    for request in requests {
      var walk = RecordWalk(request, in: &self)
      while !walk.frontier.isEmpty {
        found.formUnion(walk.frontier.map(\.record))
        walk.advance(in: &self)
      }
    }
    return found
  }
}
