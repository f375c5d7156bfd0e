import ApusClientRecords

/// The order of a list of records, after the roots.
public enum RecordOrder: Sendable, Hashable {
  /// The order in which the keys were first written.
  case insertion
  /// Alphabetical by key; or by typename, then key.
  case key, typename
  /// Descending: by field count, size in bytes, write time or number of referrers.
  case fieldCount, byteSize, written, referrerCount
}

extension CacheSnapshot {
  /// Returns summaries of the records that match a filter: the roots first, then exact matches, then loose matches, each in
  /// the given order.
  ///
  /// Only the summaries between `offset` and `offset + limit` are created, so that listing a million records costs one pass
  /// over them.
  public func summaries(
    _ filter: RecordFilter = RecordFilter(), order: RecordOrder = .insertion, isReversed: Bool = false, offset: Int = 0,
    limit: Int = .max
  ) -> [RecordSummary] {
    let storage = records.storage
    let type = filter.typename.flatMap { storage.typenames.find($0) }
    if filter.typename != nil, type == nil { return [] }
    func match(_ record: RecordID) -> RecordFilter.Match? {
      if let type, storage[record].type != type { return nil }
      return filter.match(record, in: storage)
    }
    guard limit > 0 else { return [] }
    let roots = CacheKey.roots.compactMap { records.findRecord($0) }
    var ids = roots.filter { match($0) != nil }
    // Exact matches come before loose ones.
    var loose: [RecordID] = []
    let offset = max(0, offset)
    let (sum, isBeyond) = offset.addingReportingOverflow(limit)
    let requested = isBeyond ? Int.max : sum
    if order == .insertion, !isReversed {
      for id in storage.keys where ids.count < requested {
        guard storage.exists(id), !roots.contains(id), let match = match(id) else { continue }
        if match == .exact { ids.append(id) } else if loose.count < requested { loose.append(id) }
      }
    } else {
      var exact: [RecordID] = []
      for id in storage.existing where !roots.contains(id) {
        guard let match = match(id) else { continue }
        if match == .exact { exact.append(id) } else { loose.append(id) }
      }
      ids += sorted(exact, by: order, isReversed: isReversed)
      loose = sorted(loose, by: order, isReversed: isReversed)
    }
    ids += loose
    let shown = ids.dropFirst(offset).prefix(limit)
    let marks = records.reachable()
    return shown.map { storage.summary($0, isReachable: marks.contains($0)) }
  }

  private func sorted(_ ids: [RecordID], by order: RecordOrder, isReversed: Bool) -> [RecordID] {
    var sorted = ids
    sort(&sorted, by: order)
    return isReversed ? sorted.reversed() : sorted
  }

  private func sort(_ ids: inout [RecordID], by order: RecordOrder) {
    let storage = records.storage
    func descending(_ value: (RecordID) -> Int) {
      var keyed = ids.map { (value: value($0), id: $0) }
      keyed.sort { $0.value != $1.value ? $0.value > $1.value : $0.id < $1.id }
      ids = keyed.map(\.id)
    }
    func ascending(_ text: (RecordID) -> String) {
      var keyed = ids.map { (text: text($0), id: $0) }
      keyed.sort { $0.text != $1.text ? $0.text < $1.text : $0.id < $1.id }
      ids = keyed.map(\.id)
    }
    switch order {
    case .insertion: break
    case .key: ascending { storage.keyText($0) }
    case .typename: ascending { storage.typename($0) ?? "" }
    case .fieldCount: descending { storage.shownFieldCount(of: $0) }
    case .byteSize: descending { storage.byteCount(of: $0) }
    case .written: descending { Int(storage[$0].written) }
    case .referrerCount: descending { storage.referrerCount(of: $0) }
    }
  }

  /// Returns the shortest chain of fields from a root to a record, the root's field first; empty if the record is
  /// unreachable.
  public func path(to key: CacheKey) -> [Referrer] {
    guard !key.isRoot, let target = records.find(key) else { return [] }
    let storage = records.storage
    let roots = Set(CacheKey.roots.compactMap { records.find($0) })
    // Breadth-first search from the record through its referrers.
    var next: [RecordID: (field: FieldID, target: RecordID)] = [:]
    var frontier = [target]
    while !frontier.isEmpty {
      var further: [RecordID] = []
      for id in frontier {
        var met: RecordID?
        storage.forEachReferrer(of: id) { place in
          guard place.record != target, next[place.record] == nil else { return true }
          next[place.record] = (place.field, id)
          if roots.contains(place.record) {
            met = place.record
            return false
          }
          further.append(place.record)
          return true
        }
        guard var step = met else { continue }
        var path: [Referrer] = []
        while step != target, let edge = next[step] {
          path.append(Referrer(key: storage.key(step), field: storage.fieldNames[edge.field]))
          step = edge.target
        }
        return path
      }
      frontier = further
    }
    return []
  }
}
