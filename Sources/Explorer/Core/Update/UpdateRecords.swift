import ApusExplorerText
import ApusJSON

/// Walking through the records of the cache: the list, a record, back and forward, and what the world tells of them.
extension ExplorerState {
  /// From the line of the filter to the list, from the list into a record.
  mutating func openRecordInList() -> [Effect] {
    if cache.isFiltering {
      cache.isFiltering = false
      return []
    }
    return cache.selectedRecord.map { open($0.key) } ?? []
  }

  mutating func followReference() -> [Effect] {
    guard let key = cache.opened?.reference(ofRow: cache.recordList.selected), key != cache.openedKey else { return [] }
    return open(key)
  }

  mutating func filterRecords() -> [Effect] {
    cache.isFiltering = true
    return []
  }

  /// Leaves the value that is edited, else the filter.
  mutating func clearRecordFilter() -> [Effect] {
    if cache.edit != nil {
      cache.edit = nil
      return []
    }
    cache.isFiltering = false
    cache.filterInput = LineEditor()
    return [listing]
  }

  func refreshRecords() -> [Effect] { cache.openedKey.map { [.openRecord($0, at: cache.moment)] } ?? [listing] }

  mutating func goBackInRecords() -> [Effect] {
    guard let current = cache.openedKey else { return [] }
    cache.forward.append(current)
    guard let key = cache.back.popLast() else {
      closeRecord()
      return []
    }
    return show(record: key)
  }

  mutating func goForwardInCache() -> [Effect] {
    guard let key = cache.forward.popLast() else { return [] }
    cache.back.append(contentsOf: cache.openedKey.map { [$0] } ?? [])
    return show(record: key)
  }

  mutating func showReferrers() -> [Effect] {
    if let opened = cache.opened { cache.recordList.select(opened.rows.count, count: opened.rowCount) }
    return []
  }

  mutating func copyFromCache() -> [Effect] {
    switch cache.view {
    case .records: return cache.selectedRecord.map { copy($0.key) } ?? []
    case .record:
      guard let row = cache.selectedRow else { return [] }
      switch row.value {
      case .scalar(let value): return copy(value.string ?? value.description)
      case .reference(let key): return copy(key)
      case .list, .object, .more, .missing: return copy(row.field)
      }
    case .writes: return []
    case .write: return selectedWrittenRecord.map { copy($0) } ?? []
    }
  }

  mutating func open(_ key: String) -> [Effect] {
    if let current = cache.openedKey { cache.back.append(current) }
    cache.forward = []
    return show(record: key)
  }

  private mutating func show(record key: String) -> [Effect] {
    cache.openedKey = key
    cache.opened = nil
    cache.isGone = false
    cache.recordList = ListCursor()
    return [.openRecord(key, at: cache.moment)]
  }

  private mutating func closeRecord() {
    if let key = cache.openedKey, let row = cache.records.firstIndex(where: { $0.key == key }) {
      cache.list.select(row, count: cache.records.count)
    }
    cache.openedKey = nil
    cache.opened = nil
    cache.isGone = false
  }

  mutating func receiveCacheAnswer(_ action: Action) -> [Effect] {
    switch action {
    case .cacheChanged(let runs):
      return cacheEffects + runs.filter { tab(ofRun: $0) != nil }.map { .readAgain(run: $0) }
    case .recordsListed(let records, let count, let bytes, let listing):
      // Of what another list had selected nothing is kept: it may not even be in this one.
      let selected = cache.listed?.filter == listing.filter ? cache.selectedRecord?.key : nil
      if cache.listed?.filter != listing.filter { cache.list = ListCursor() }
      cache.listed = listing
      cache.records = records
      cache.totalCount = count
      cache.totalBytes = bytes
      let row = selected.flatMap { key in records.firstIndex { $0.key == key } }
      cache.list.select(row ?? cache.list.selected, count: records.count)
    case .recordOpened(let record):
      guard cache.openedKey == record.key else { return [] }
      cache.opened = record
      cache.isGone = false
      cache.recordList.select(cache.recordList.selected, count: record.rowCount)
    case .recordGone(let key):
      guard cache.openedKey == key else { return [] }
      cache.opened = nil
      cache.isGone = true
    default: break
    }
    return []
  }

  /// What shows the cache is read again.
  private var cacheEffects: [Effect] {
    var effects: [Effect] = [listing]
    if cache.isShowingWrites { effects.append(.listWrites) }
    if let key = cache.openedKey { effects.append(.openRecord(key, at: cache.moment)) }
    return effects
  }

  /// The cache is looked at as of the moment that the shown tab looks back at.
  mutating func momentEffects() -> [Effect] {
    let moment = run.flatMap { run in history.shownIndex.map { CacheMoment(run: run.id, result: $0) } }
    guard cache.moment != moment else { return [] }
    cache.moment = moment
    return cacheEffects
  }
}
