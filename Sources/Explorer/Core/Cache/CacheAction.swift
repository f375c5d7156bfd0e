/// An event from the environment about the inspected cache.
package enum CacheAction: Equatable, Sendable {
  case recordsListed([RecordEntry], totalCount: Int, totalBytes: Int, RecordListing = RecordListing())
  case recordOpened(RecordDetail)
  case recordGone(String)
  /// The record that contains a value of the response, and the field.
  case recordFound(String, field: String?)
  case edited(CacheEdit, String)
  case writesListed([CacheWriteEntry])
  case writeOpened(CacheWriteDetail)
  /// The cache shown from now on; `nil` for the explorer's own.
  case opened(ExternalCache?)
}

extension CacheFeature {
  mutating func receive(_ answer: CacheAction) -> [FollowUp] {
    switch answer {
    case .recordsListed(let records, let count, let bytes, let listing):
      // A selection is not carried over to a list with another filter, which may not contain it.
      let selected = listed?.filter == listing.filter ? selectedRecord?.key : nil
      if listed?.filter != listing.filter { list = ListCursor() }
      listed = listing
      self.records = records
      totalCount = count
      totalBytes = bytes
      let row = selected.flatMap { key in records.firstIndex { $0.key == key } }
      list.select(row ?? list.selected, count: records.count)
    case .recordOpened(let record):
      guard openedKey == record.key else { return [] }
      opened = record
      isGone = false
      let row = wantedField.flatMap { field in record.rows.firstIndex { $0.field == field } }
      wantedField = nil
      recordList.select(row ?? recordList.selected, count: record.rowCount)
    case .recordFound(let key, let field):
      let followUps = show(key)
      wantedField = field
      return [.focus(.cache)] + followUps
    case .recordGone(let key):
      guard openedKey == key else { return [] }
      opened = nil
      isGone = true
    case .edited(let edit, let message):
      if case .evictRecords = edit { marked = [] }
      return [.notice(message)]
    case .writesListed(let writes):
      self.writes = writes
      writeList.select(writeList.selected, count: openedWrite?.rows.count ?? writes.count)
    case .writeOpened(let write):
      isShowingWrites = true
      openedWrite = write
      writeList = ListCursor()
    case .opened(let external):
      let (filter, sort) = (filterInput, sort)
      self = CacheFeature()
      (self.external, filterInput, self.sort) = (external, filter, sort)
      let words =
        external.map { "The cache in \($0.path), \($0.isWritable ? "editable" : "read-only")" }
        ?? "The explorer's own cache"
      return [.notice(words), .effect(listing), .focus(.cache)]
    }
    return []
  }
}
