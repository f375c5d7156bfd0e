import ExplorerText
import JSON

/// What commands do in the response, the deferred rail and the cache inspector.
extension ExplorerState {
  /// Moves in a list if the command is a movement.
  func moved(_ list: ListCursor, by command: Command, count: Int, rows: Int) -> ListCursor? {
    var list = list
    switch command {
    case .rowUp: list.move(by: -1, count: count)
    case .rowDown: list.move(by: 1, count: count)
    case .rowPageUp: list.move(by: -max(1, rows - 1), count: count)
    case .rowPageDown: list.move(by: max(1, rows - 1), count: count)
    case .rowFirst: list.select(0, count: count)
    case .rowLast: list.select(count - 1, count: count)
    default: return nil
    }
    return list
  }

  mutating func invokeInResponse(_ command: Command) -> [Effect] {
    if let effects = invokeInReading(command) { return effects }
    if let list = moved(shownTree.list, by: command, count: shownTree.rows.count, rows: viewportRows(.response)) {
      shownTree.list = list
      return []
    }
    switch command {
    case .openRow, .toggleFold: shownTree.toggleFold(shownTree.list.selected)
    case .unfoldRow: shownTree.unfoldOrEnter()
    case .foldRow: shownTree.foldOrLeave()
    case .unfoldAll: shownTree.setFoldBeneath(shownTree.list.selected, isOpen: true)
    case .foldAll: shownTree.setFoldBeneath(shownTree.list.selected, isOpen: false)
    case .copyPath: return copy(shownTree.path(ofRow: shownTree.list.selected).description)
    case .copyValue:
      if case .problem(let error)? = shownTree.selectedRow?.content, response.errors.indices.contains(error) {
        return copy(response.errors[error].message)
      }
      guard let value = shownTree.value(ofRow: shownTree.list.selected) else { return [] }
      if value.kind != .object && value.kind != .array { return copy(value.string ?? value.description) }
      let path = shownTree.path(ofRow: shownTree.list.selected)
      return [.copy(SharedJSON(value, without: shownTree.hidden?.beneath(path)))]
    case .openLink: return selectedLink.map { [.openLink($0)] } ?? []
    case .editExternally: return [.readExternally(wholeResponse)]
    default: break
    }
    return []
  }

  /// The link in the selected row of the response.
  var selectedLink: String? {
    let text: String?
    if let table = reading.table {
      text = table.selectedColumnIndex.flatMap { table.value(row: table.list.selected, column: $0)?.string }
    } else if let raw = reading.raw {
      text = raw.text?.line(raw.list.selected)
    } else {
      text = shownTree.value(ofRow: shownTree.list.selected)?.string
    }
    return text.flatMap(Link.first)
  }

  mutating func invokeInRail(_ command: Command) -> [Effect] {
    let fragments = run?.fragments ?? []
    if let list = moved(rail, by: command, count: fragments.count, rows: viewportRows(.deferred)) {
      rail = list
      return []
    }
    guard fragments.indices.contains(rail.selected) else { return [] }
    let fragment = fragments[rail.selected]
    switch command {
    case .openRow, .unfoldRow:
      response.reveal(fragment.path)
      return focus(on: .response)
    case .copyValue: return copy(fragment.path.description)
    default: return []
    }
  }

  mutating func invokeInCache(_ command: Command) -> [Effect] {
    if let edit = cache.edit { return invokeInFieldEdit(edit, command) }
    if cache.isShowingWrites { return invokeInWrites(command) }
    if let effects = invokeCacheChange(command) { return effects }
    if cache.openedKey != nil { return invokeInRecord(command) }
    if let list = moved(cache.list, by: command, count: cache.records.count, rows: viewportRows(.cache)) {
      cache.list = list
      return []
    }
    switch command {
    case .openRow, .unfoldRow:
      if cache.isFiltering {
        cache.isFiltering = false
        return []
      }
      guard let record = cache.selectedRecord else { return [] }
      return open(record.key)
    case .filterRecords:
      cache.isFiltering = true
    case .clearFilter:
      cache.isFiltering = false
      cache.filterInput = LineEditor()
      return [listing]
    case .refreshRecords:
      return [listing]
    case .copyValue:
      guard let record = cache.selectedRecord else { return [] }
      return copy(record.key)
    case .goForward:
      guard let key = cache.forward.popLast() else { return [] }
      return show(record: key)
    default: break
    }
    return []
  }

  private mutating func invokeInRecord(_ command: Command) -> [Effect] {
    let count = cache.opened?.rowCount ?? 0
    if let list = moved(cache.recordList, by: command, count: count, rows: viewportRows(.cache)) {
      cache.recordList = list
      return []
    }
    switch command {
    case .openRow, .unfoldRow:
      guard let key = cache.opened?.reference(ofRow: cache.recordList.selected), key != cache.openedKey else {
        return []
      }
      return open(key)
    case .goBack, .foldRow, .deleteBackward:
      cache.forward.append(contentsOf: cache.openedKey.map { [$0] } ?? [])
      guard let key = cache.back.popLast() else {
        closeRecord()
        return []
      }
      return show(record: key)
    case .goForward:
      guard let key = cache.forward.popLast() else { return [] }
      cache.back.append(contentsOf: cache.openedKey.map { [$0] } ?? [])
      return show(record: key)
    case .showReferrers:
      if let opened = cache.opened { cache.recordList.select(opened.rows.count, count: opened.rowCount) }
    case .refreshRecords:
      return cache.openedKey.map { [.openRecord($0)] } ?? []
    case .copyValue:
      guard let row = cache.selectedRow else { return [] }
      switch row.value {
      case .scalar(let value): return copy(value.string ?? value.description)
      case .reference(let key): return copy(key)
      case .list, .object, .more, .missing: return copy(row.field)
      }
    default: break
    }
    return []
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
    return [.openRecord(key)]
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
    case .cacheChanged(let touchesRun):
      return cacheEffects(readsAgain: touchesRun)
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

  /// What shows the cache is read again; so is what was read from it, unless it is still being written.
  func cacheEffects(readsAgain: Bool) -> [Effect] {
    var effects: [Effect] = [listing]
    if cache.isShowingWrites { effects.append(.listWrites) }
    if let key = cache.openedKey { effects.append(.openRecord(key)) }
    if readsAgain, let run, !run.isActive, run.paging == nil { effects.append(.readAgain(run: run.id)) }
    return effects
  }
}
