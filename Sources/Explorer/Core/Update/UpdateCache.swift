import ApusJSON

/// What commands do to the cache and its time line, beyond walking through records.
extension ExplorerState {
  mutating func sortRecords() -> [Effect] {
    cache.sort = cache.sort.next
    notice = Notice("By \(cache.sort.column.title)")
    return [listing]
  }

  mutating func reverseSort() -> [Effect] {
    cache.sort.isReversed.toggle()
    return [listing]
  }

  mutating func markRecord() -> [Effect] {
    guard let record = cache.selectedRecord else { return [] }
    if cache.marked.remove(record.key) == nil { cache.marked.insert(record.key) }
    cache.list.move(by: 1, count: cache.records.count)
    return []
  }

  mutating func evict() -> [Effect] {
    if let key = cache.openedKey {
      return cache.selectedRow.map { ask(.evictField(record: key, field: $0.field)) } ?? []
    }
    if !cache.marked.isEmpty { return ask(.evictRecords(cache.marked.sorted())) }
    return cache.selectedRecord.map { ask(.evictRecords([$0.key])) } ?? []
  }

  mutating func evictType() -> [Effect] { cache.typeToEvict.map { ask(.evictType($0)) } ?? [] }

  mutating func editValue() -> [Effect] {
    guard let key = cache.openedKey, let row = cache.selectedRow, case .scalar(let value) = row.value, row.depth == 0
    else { return [] }
    cache.edit = FieldEdit(record: key, field: row.field, text: value.description)
    return []
  }

  func showWriteOfField() -> [Effect] {
    guard let key = cache.openedKey, let row = cache.selectedRow else { return [] }
    return [.openWriteOf(record: key, field: row.field)]
  }

  mutating func askForCacheFile(isWritable: Bool) -> [Effect] {
    let effects = focus == .cache ? [] : focus(on: .cache)
    return effects + present(.line(LineState(.cacheFile(isWritable: isWritable))))
  }

  mutating func closeForeignCache() -> [Effect] {
    (focus == .cache ? [] : focus(on: .cache)) + [.openCache(nil)]
  }

  /// The list as it is asked for: filtered, in its order, as of the moment that is looked at.
  var listing: Effect { .listRecords(cache.wanted) }

  /// Whether keys have to wait: what they would act on is being looked for.
  package var isAwaitingRecords: Bool {
    focus == .cache && popups.isEmpty && !cache.isFiltering && cache.openedKey == nil && !cache.isShowingWrites
      && cache.listed.map { $0 != cache.wanted } ?? false
  }

  /// Asks before a change is made; what it would touch comes when it has been worked out, and may be answered before.
  mutating func ask(_ edit: CacheEdit) -> [Effect] {
    popups.append(
      .confirmation(
        Confirmation(question: edit.title + "?", detail: "Looking at what it touches", effect: .editCache(edit))))
    return [.previewEdit(edit)]
  }

  // MARK: A value being edited

  /// Takes the value that was typed, if it is one.
  mutating func accept(_ edit: FieldEdit) -> [Effect] {
    guard let value = try? JSONDocument(parsing: Array(edit.text.utf8)).root else {
      notice = Notice("That is not JSON: a text needs its quotes", .warning)
      return []
    }
    cache.edit = nil
    return ask(.setValue(record: edit.record, field: edit.field, value))
  }

  // MARK: The time line

  mutating func toggleWrites() -> [Effect] {
    cache.isShowingWrites.toggle()
    cache.openedWrite = nil
    cache.writeList = ListCursor()
    return cache.isShowingWrites ? [.listWrites] : []
  }

  func openWriteInList() -> [Effect] {
    guard cache.writes.indices.contains(cache.writeList.selected) else { return [] }
    return [.openWrite(cache.writes[cache.writeList.selected].number)]
  }

  /// The record of the selected row of a write.
  var selectedWrittenRecord: String? {
    guard let rows = cache.openedWrite?.rows, rows.indices.contains(cache.writeList.selected) else { return nil }
    return rows[cache.writeList.selected].record
  }

  mutating func openWrittenRecord() -> [Effect] {
    guard let key = selectedWrittenRecord else { return [] }
    cache.isShowingWrites = false
    return open(key)
  }

  mutating func goBackInCache() -> [Effect] {
    switch cache.view {
    case .records: return []
    case .record: return goBackInRecords()
    case .writes: cache.isShowingWrites = false
    case .write:
      let number = cache.openedWrite?.entry.number
      cache.openedWrite = nil
      cache.writeList.select(cache.writes.firstIndex { $0.number == number } ?? 0, count: cache.writes.count)
    }
    return []
  }

  mutating func receiveCacheEdit(_ action: Action) -> [Effect] {
    switch action {
    case .editPreviewed(let edit, let detail):
      for index in popups.indices {
        guard case .confirmation(var confirmation) = popups[index], confirmation.effect == .editCache(edit) else {
          continue
        }
        confirmation.detail = detail
        popups[index] = .confirmation(confirmation)
      }
    case .cacheOpened(let foreign):
      let (filter, sort) = (cache.filterInput, cache.sort)
      cache = CacheInspector()
      (cache.foreign, cache.filterInput, cache.sort) = (foreign, filter, sort)
      notice = Notice(
        foreign.map { "The cache in \($0.path), \($0.isWritable ? "to be changed" : "read only")" }
          ?? "The explorer's own cache")
      return [listing] + focus(on: .cache)
    case .cacheEdited(let edit, let message):
      notice = Notice(message)
      if case .evictRecords = edit { cache.marked = [] }
    case .writesListed(let writes):
      cache.writes = writes
      cache.writeList.select(cache.writeList.selected, count: cache.openedWrite?.rows.count ?? writes.count)
    case .writeOpened(let write):
      cache.isShowingWrites = true
      cache.openedWrite = write
      cache.writeList = ListCursor()
    default: break
    }
    return []
  }
}
