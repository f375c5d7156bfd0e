import ApusExplorerText
import ApusJSON

/// Navigating the cache: the record list, a record, back and forward.
extension CacheFeature {
  var listing: Effect { .cache(.listRecords(requested)) }

  /// Whether the list that keys would act on is still being loaded.
  var isAwaitingRecords: Bool {
    !isFiltering && openedKey == nil && !isShowingWrites && listed.map { $0 != requested } ?? false
  }

  mutating func openRow() -> [FollowUp] {
    if let edit { return accept(edit) }
    switch view {
    case .records: return openRecordInList()
    case .record: return followReference()
    case .writes: return openWriteInList()
    case .write: return openWrittenRecord()
    }
  }

  /// Moves from the filter to the list, or opens the selected record.
  private mutating func openRecordInList() -> [FollowUp] {
    if isFiltering {
      isFiltering = false
      return []
    }
    return selectedRecord.map { open($0.key) } ?? []
  }

  private mutating func followReference() -> [FollowUp] {
    guard let key = opened?.reference(ofRow: recordList.selected), key != openedKey else { return [] }
    return open(key)
  }

  mutating func filterRecords() -> [FollowUp] {
    isFiltering = true
    return []
  }

  /// Cancels editing a value, or else clears the filter.
  mutating func clearFilter() -> [FollowUp] {
    if edit != nil {
      edit = nil
      return []
    }
    isFiltering = false
    filterInput = LineEditor()
    return [.effect(listing)]
  }

  func refresh() -> [FollowUp] { [.effect(openedKey.map { .cache(.openRecord($0, at: revision)) } ?? listing)] }

  mutating func goBack() -> [FollowUp] {
    switch view {
    case .records: break
    case .record: return goBackInRecords()
    case .writes: isShowingWrites = false
    case .write:
      let number = openedWrite?.entry.number
      openedWrite = nil
      writeList.select(writes.firstIndex { $0.number == number } ?? 0, count: writes.count)
    }
    return []
  }

  private mutating func goBackInRecords() -> [FollowUp] {
    guard let current = openedKey else { return [] }
    forward.append(current)
    guard let key = back.popLast() else {
      closeRecord()
      return []
    }
    return show(record: key)
  }

  mutating func goForward() -> [FollowUp] {
    guard let key = forward.popLast() else { return [] }
    back.append(contentsOf: openedKey.map { [$0] } ?? [])
    return show(record: key)
  }

  mutating func showReferrers() -> [FollowUp] {
    if let opened { recordList.select(opened.rows.count, count: opened.rowCount) }
    return []
  }

  func copySelected() -> [FollowUp] {
    switch view {
    case .records: return selectedRecord.map { [.copy($0.key)] } ?? []
    case .record:
      guard let row = selectedRow else { return [] }
      switch row.value {
      case .scalar(let value): return [.copy(value.string ?? value.description)]
      case .reference(let key): return [.copy(key)]
      case .list, .object, .more, .missing: return [.copy(row.field)]
      }
    case .writes: return []
    case .write: return selectedWrittenRecord.map { [.copy($0)] } ?? []
    }
  }

  mutating func open(_ key: String) -> [FollowUp] {
    if let current = openedKey { back.append(current) }
    forward = []
    return show(record: key)
  }

  private mutating func show(record key: String) -> [FollowUp] {
    openedKey = key
    opened = nil
    isGone = false
    recordList = ListCursor()
    return [.effect(.cache(.openRecord(key, at: revision)))]
  }

  private mutating func closeRecord() {
    if let key = openedKey, let row = records.firstIndex(where: { $0.key == key }) {
      list.select(row, count: records.count)
    }
    openedKey = nil
    opened = nil
    isGone = false
  }

  /// Reloads the displayed parts of the cache.
  func readAgain() -> [FollowUp] {
    var followUps: [FollowUp] = [.effect(listing)]
    if isShowingWrites { followUps.append(.effect(.cache(.listWrites))) }
    if let key = openedKey { followUps.append(.effect(.cache(.openRecord(key, at: revision)))) }
    return followUps
  }

  /// Shows a snapshot of the cache; nil shows the current cache.
  mutating func show(at revision: CacheRevision?) -> [FollowUp] {
    guard self.revision != revision else { return [] }
    self.revision = revision
    return readAgain()
  }

  // MARK: Input line

  /// The edited value or the filter; nil if neither is being typed.
  var inputLine: LineEditor? {
    get { edit?.input ?? (isFiltering ? filterInput : nil) }
    set {
      guard let newValue else { return }
      if edit != nil { edit?.input = newValue } else { filterInput = newValue }
    }
  }

  mutating func inputChanged() -> [FollowUp] {
    guard edit == nil else { return [] }
    list = ListCursor()
    return [.effect(listing)]
  }

  /// Leaves the empty filter on Backspace, as in vim.
  mutating func leaveEmptyInput() { if edit == nil { isFiltering = false } }
}

extension CacheFeature {
  /// The open, selected or written record.
  var recordAtHand: String? {
    switch view {
    case .records: selectedRecord?.key
    case .record: openedKey
    case .writes: nil
    case .write: selectedWrittenRecord
    }
  }
}
