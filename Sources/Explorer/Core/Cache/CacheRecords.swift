import ApusExplorerText
import ApusJSON

/// Walking through the records of the cache: the list, a record, back and forward.
extension CacheInspector {
  /// The list as it is asked for: filtered, in its order, as of the moment that is looked at.
  var listing: Effect { .listRecords(wanted) }

  /// Whether what keys would act on is still being looked for.
  var isAwaitingRecords: Bool {
    !isFiltering && openedKey == nil && !isShowingWrites && listed.map { $0 != wanted } ?? false
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

  /// From the line of the filter to the list, from the list into a record.
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

  /// Leaves the value that is edited, else the filter.
  mutating func clearFilter() -> [FollowUp] {
    if edit != nil {
      edit = nil
      return []
    }
    isFiltering = false
    filterInput = LineEditor()
    return [.effect(listing)]
  }

  func refresh() -> [FollowUp] { [.effect(openedKey.map { .openRecord($0, at: moment) } ?? listing)] }

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
    return [.effect(.openRecord(key, at: moment))]
  }

  private mutating func closeRecord() {
    if let key = openedKey, let row = records.firstIndex(where: { $0.key == key }) {
      list.select(row, count: records.count)
    }
    openedKey = nil
    opened = nil
    isGone = false
  }

  /// What shows the cache is read again.
  func readAgain() -> [FollowUp] {
    var followUps: [FollowUp] = [.effect(listing)]
    if isShowingWrites { followUps.append(.effect(.listWrites)) }
    if let key = openedKey { followUps.append(.effect(.openRecord(key, at: moment))) }
    return followUps
  }

  /// Looks at the cache as of a moment; nil for as it is.
  mutating func look(at moment: CacheMoment?) -> [FollowUp] {
    guard self.moment != moment else { return [] }
    self.moment = moment
    return readAgain()
  }

  // MARK: The line that is typed into

  /// A value that is edited, or the filter; nil where neither is typed.
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

  /// Backspace where nothing is typed leads back, as in vim.
  mutating func leaveEmptyInput() { if edit == nil { isFiltering = false } }
}

extension CacheInspector {
  /// The record that is open, selected, or was written.
  var recordAtHand: String? {
    switch view {
    case .records: selectedRecord?.key
    case .record: openedKey
    case .writes: nil
    case .write: selectedWrittenRecord
    }
  }
}
