/// In which order records are listed, behind the roots.
public enum RecordOrder: Sendable, Hashable {
  /// The order in which their keys were first met.
  case met
  /// By the records' keys, or by their typenames and within one by their keys.
  case key, typename
  /// The most, the largest, the newest first.
  case fieldCount, byteSize, written, referrerCount
}

extension CacheSnapshot {
  /// Lines about the records that a filter lets through: the roots first, then in an order.
  ///
  /// Only the lines that are wanted are spelled out: a million records are listed in the time that it takes to look at
  /// each of them once.
  public func summaries(
    _ filter: RecordFilter = RecordFilter(), order: RecordOrder = .met, isReversed: Bool = false, offset: Int = 0,
    limit: Int = .max
  ) -> [RecordSummary] {
    let table = records.table
    let type = filter.typename.map { table.typenames.index(of: $0) ?? RecordTable.none }
    func match(_ id: UInt32) -> RecordFilter.Match? {
      if let type, type == RecordTable.none || table.entries[id].type != type { return nil }
      return filter.match(id, in: table)
    }
    guard limit > 0 else { return [] }
    let roots = CacheKey.roots.compactMap { records.find($0) }.filter { table.entries[$0].exists }
    var ids = roots.filter { match($0) != nil }
    // What has the text as it is comes before what only has its letters.
    var loose: [UInt32] = []
    let offset = max(0, offset)
    let (sum, isBeyond) = offset.addingReportingOverflow(limit)
    let wanted = isBeyond ? Int.max : sum
    if order == .met, !isReversed {
      for number in 0..<table.entries.count where ids.count < wanted {
        let id = UInt32(number)
        guard table.entries[number].exists, !roots.contains(id), let match = match(id) else { continue }
        if match == .exact { ids.append(id) } else if loose.count < wanted { loose.append(id) }
      }
    } else {
      var others: [UInt32] = []
      for id in table.existing where !roots.contains(id) {
        guard let match = match(id) else { continue }
        if match == .exact { others.append(id) } else { loose.append(id) }
      }
      for position in 0...1 {
        var part = position == 0 ? others : loose
        sort(&part, by: order)
        if isReversed { part.reverse() }
        if position == 0 { others = part } else { loose = part }
      }
      ids += others
    }
    ids += loose
    let shown = ids.dropFirst(offset).prefix(limit)
    let marks = records.reachable()
    return shown.map { table.summary($0, isReachable: marks[Int($0)]) }
  }

  private func sort(_ ids: inout [UInt32], by order: RecordOrder) {
    let entries = records.table.entries
    func descending(_ value: (RecordHeader) -> UInt32) {
      var keyed = ids.map { (value: value(entries[$0]), id: $0) }
      keyed.sort { $0.value != $1.value ? $0.value > $1.value : $0.id < $1.id }
      ids = keyed.map(\.id)
    }
    func ascending(_ text: (UInt32) -> String) {
      var keyed = ids.map { (text: text($0), id: $0) }
      keyed.sort { $0.text != $1.text ? $0.text < $1.text : $0.id < $1.id }
      ids = keyed.map(\.id)
    }
    switch order {
    case .met: break
    case .key: ascending { records.table.keyText($0) }
    case .typename: ascending { records.table.typename($0) ?? "" }
    case .fieldCount: descending { UInt32(records.table.shownFieldCount(of: $0)) }
    case .byteSize: descending(\.size)
    case .written: descending(\.written)
    case .referrerCount: descending(\.referrerCount)
    }
  }

  /// The fields that lead from a root to a record by the shortest way, the root's first; empty where nothing leads to it.
  public func path(to key: CacheKey) -> [Referrer] {
    guard !key.isRoot, let target = records.find(key) else { return [] }
    let table = records.table
    let roots = Set(CacheKey.roots.compactMap { records.find($0) })
    // Backwards, from who refers to it on, until a root is met.
    var next: [UInt32: ReferenceEdge] = [:]
    var frontier = [target]
    while !frontier.isEmpty {
      var further: [UInt32] = []
      for id in frontier {
        var met: UInt32?
        table.forEachReferrer(of: id) { edge in
          guard edge.source != target, next[edge.source] == nil else { return true }
          next[edge.source] = edge
          if roots.contains(edge.source) {
            met = edge.source
            return false
          }
          further.append(edge.source)
          return true
        }
        guard var step = met else { continue }
        var path: [Referrer] = []
        while step != target, let edge = next[step] {
          path.append(Referrer(key: table.key(step), field: table.fieldKeys.name(edge.field)))
          step = edge.target
        }
        return path
      }
      frontier = further
    }
    return []
  }
}
