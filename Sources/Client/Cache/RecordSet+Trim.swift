/// Takes away what was used the longest ago, until no more than some bytes are left.
///
/// 1. What may go are the records with keys of their own, and the records embedded in a root's field; what is embedded in
///    those goes with them. Roots stay, so does what operations in use lead to, and what was used in the last write or
///    since: otherwise a response that is larger than the limit would be fetched for ever.
/// 2. They go in the order of their last use.
/// 3. A root's field that leads nowhere any more goes too, else the roots would grow without end.
extension RecordSet {
  mutating func trim(
    to limit: Int, keeping requests: [RecordRequest], _ uses: RecordUses
  ) -> ChangedKeys {
    guard table.byteCount > limit else { return ChangedKeys() }
    let roots = Set(CacheKey.roots.compactMap { find($0) })
    let kept = reached(by: requests)
    var candidates: [(use: UInt64, id: UInt32)] = []
    for id in table.existing where !roots.contains(id) && !kept.contains(id) {
      let entry = table.entries[id]
      if entry.isPath, !isDirectlyEmbedded(entry, in: roots) { continue }
      let use = uses.last(of: entry)
      if use < uses.lastWrite { candidates.append((use, id)) }
    }
    candidates.sort { $0 < $1 }
    var log = ChangeLog()
    var orphans = table.loosened.count
    for (_, id) in candidates {
      if table.byteCount <= limit { break }
      guard table.entries[id].exists else { continue }
      removeRecord(id, log: &log)
      removeRootFields(leadingTo: id, roots, log: &log)
      removeOrphans(from: orphans, log: &log)
      orphans = table.loosened.count
    }
    let changed = ChangedKeys(log, names: table)
    dropUnusedKeys()
    return changed
  }

  /// Whether a record lies in a field of a root, or in a list there.
  private func isDirectlyEmbedded(_ entry: RecordHeader, in roots: Set<UInt32>) -> Bool {
    var entry = entry
    while case .index = entry.component {
      entry = table.entries[entry.parent]
      guard entry.isPath else { return false }
    }
    return roots.contains(entry.parent)
  }

  private mutating func removeRootFields(leadingTo id: UInt32, _ roots: Set<UInt32>, log: inout ChangeLog) {
    var fields: Set<KeyPlace> = []
    table.forEachReferrer(of: id) { edge in
      if roots.contains(edge.source) { fields.insert(KeyPlace(record: edge.source, field: edge.field)) }
      return true
    }
    for place in fields {
      let root = table.entries[place.record]
      guard let position = table.position(ofField: place.field, in: root, hint: 0) else { continue }
      var leadsOn = false
      table.forEachTarget(of: table.slots.element(table.entries[place.record].fields, position)) { target in
        if table.entries[target].exists { leadsOn = true }
      }
      if !leadsOn { removeField(at: position, of: place.record, log: &log) }
    }
  }

  private struct KeyPlace: Hashable {
    let record: UInt32
    let field: UInt32
  }

  /// The records that operations lead to.
  mutating func reached(by requests: [RecordRequest]) -> Set<UInt32> {
    var found: Set<UInt32> = []
    for request in requests {
      var walk = RecordWalk(request, in: &self)
      while !walk.frontier.isEmpty {
        found.formUnion(walk.frontier.map(\.id))
        walk.advance(in: &self)
      }
    }
    return found
  }
}
