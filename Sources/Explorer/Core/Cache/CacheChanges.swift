import ApusJSON

/// Editing cache records, and the write log.
extension CacheFeature {
  mutating func sortByNextColumn() -> [FollowUp] {
    sort = sort.next
    return [.notice("Sorted by \(sort.column.title)"), .effect(listing)]
  }

  mutating func reverseSort() -> [FollowUp] {
    sort.isReversed.toggle()
    return [.effect(listing)]
  }

  mutating func markRecord() -> [FollowUp] {
    guard let record = selectedRecord else { return [] }
    if marked.remove(record.key) == nil { marked.insert(record.key) }
    list.move(by: 1, count: records.count)
    return []
  }

  /// Asks for confirmation of an edit. The preview arrives later; the user may answer before it does.
  func confirm(_ edit: CacheEdit) -> [FollowUp] {
    let question = ConfirmationPopup(
      question: edit.title + "?", detail: "Computing the effects", confirmation: .effect(.cache(.edit(edit))))
    return [.present(Popup(question)), .effect(.cache(.preview(edit)))]
  }

  func evict() -> [FollowUp] {
    if let key = openedKey { return selectedRow.map { confirm(.evictField(record: key, field: $0.field)) } ?? [] }
    if !marked.isEmpty { return confirm(.evictRecords(marked.sorted())) }
    return selectedRecord.map { confirm(.evictRecords([$0.key])) } ?? []
  }

  func evictType() -> [FollowUp] { typeToEvict.map { confirm(.evictType($0)) } ?? [] }

  /// The type of the selected or open record.
  var typeToEvict: String? { openedKey == nil ? selectedRecord?.typename : opened?.typename }

  // MARK: Editing a value

  mutating func editValue() -> [FollowUp] {
    guard let key = openedKey, let row = selectedRow, case .scalar(let value) = row.value, row.depth == 0
    else { return [] }
    edit = FieldEdit(record: key, field: row.field, text: value.description)
    return []
  }

  /// Accepts the typed value if it is valid JSON.
  mutating func accept(_ edit: FieldEdit) -> [FollowUp] {
    guard let value = try? JSONDocument(parsing: Array(edit.text.utf8)).root else {
      return [.notice("The value is not valid JSON: a string needs quotes", .warning)]
    }
    self.edit = nil
    return confirm(.setValue(record: edit.record, field: edit.field, value))
  }

  // MARK: Write log

  mutating func toggleWrites() -> [FollowUp] {
    isShowingWrites.toggle()
    openedWrite = nil
    writeList = ListCursor()
    return isShowingWrites ? [.effect(.cache(.listWrites))] : []
  }

  func showWriteOfField() -> [FollowUp] {
    guard let key = openedKey, let row = selectedRow else { return [] }
    return [.effect(.cache(.openLastWrite(record: key, field: row.field)))]
  }

  /// The write that is selected or open in the write log.
  var selectedWrite: CacheWriteEntry? {
    if let openedWrite { return openedWrite.entry }
    return writes.indices.contains(writeList.selected) ? writes[writeList.selected] : nil
  }

  func openWriteInList() -> [FollowUp] {
    guard writes.indices.contains(writeList.selected) else { return [] }
    return [.effect(.cache(.openWrite(writes[writeList.selected].number)))]
  }

  /// The record of the selected row in an open write.
  var selectedWrittenRecord: String? {
    guard let rows = openedWrite?.rows, rows.indices.contains(writeList.selected) else { return nil }
    return rows[writeList.selected].record
  }

  mutating func openWrittenRecord() -> [FollowUp] {
    guard let key = selectedWrittenRecord else { return [] }
    isShowingWrites = false
    return open(key)
  }

  /// Shows a record that another pane refers to.
  mutating func show(_ key: String) -> [FollowUp] {
    isShowingWrites = false
    return open(key)
  }
}
