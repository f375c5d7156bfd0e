import ClientAPI

/// The keys of lists and trees: what each does depends on the pane that has the focus, and on what is shown there.
extension ExplorerState {
  mutating func moveInList(_ step: ListStep) -> [Effect] {
    let rows = viewportRows(focus)
    switch focus {
    case .query, .variables, .headers: break
    case .response: moveInResponse(step, rows: rows)
    case .deferred: rail.move(step, count: run?.fragments.count ?? 0, rows: rows)
    case .cache: moveInCache(step, rows: rows)
    }
    return []
  }

  private mutating func moveInResponse(_ step: ListStep, rows: Int) {
    if isShowingEvents, let count = reading.events?.shown.count {
      reading.events?.list.move(step, count: count, rows: rows)
    } else if let count = reading.raw?.lineCount {
      reading.raw?.list.move(step, count: count, rows: rows)
    } else if let count = reading.table?.count {
      reading.table?.list.move(step, count: count, rows: rows - 1)
    } else {
      shownTree.list.move(step, count: shownTree.rows.count, rows: rows)
    }
  }

  private mutating func moveInCache(_ step: ListStep, rows: Int) {
    if cache.isShowingWrites {
      cache.writeList.move(step, count: cache.openedWrite?.rows.count ?? cache.writes.count, rows: rows)
    } else if cache.openedKey != nil {
      cache.recordList.move(step, count: cache.opened?.rowCount ?? 0, rows: rows)
    } else {
      cache.list.move(step, count: cache.records.count, rows: rows)
    }
  }

  mutating func openRow() -> [Effect] {
    switch focus {
    case .query, .variables, .headers: return []
    case .response:
      if isShowingEvents { return openEvent() }
      return toggleFold()
    case .deferred: return openFragment()
    case .cache:
      if let edit = cache.edit { return accept(edit) }
      return cache.isShowingWrites ? openWriteRow() : openRecordRow()
    }
  }

  /// Whether the response is shown as a tree, which has folds.
  private var isShowingTree: Bool {
    focus == .response && !isShowingEvents && reading.raw == nil && reading.table == nil
  }

  mutating func toggleFold() -> [Effect] {
    if isShowingTree { shownTree.toggleFold(shownTree.list.selected) }
    return []
  }

  mutating func unfoldRow() -> [Effect] {
    guard isShowingTree else { return openRow() }
    shownTree.unfoldOrEnter()
    return []
  }

  mutating func foldRow() -> [Effect] {
    if focus == .cache { return goBackInCache() }
    if isShowingTree { shownTree.foldOrLeave() }
    return []
  }

  mutating func setFolds(areOpen: Bool) -> [Effect] {
    shownTree.setFoldBeneath(shownTree.list.selected, isOpen: areOpen)
    return []
  }

  /// From a deferred fragment to its place in the response.
  private mutating func openFragment() -> [Effect] {
    guard let fragment = selectedFragment else { return [] }
    response.reveal(fragment.path)
    return focus(on: .response)
  }

  private var selectedFragment: DeferredFragment? {
    guard let fragments = run?.fragments, fragments.indices.contains(rail.selected) else { return nil }
    return fragments[rail.selected]
  }

  mutating func copyValue() -> [Effect] {
    switch focus {
    case .query, .variables, .headers: []
    case .response: copyFromResponse()
    case .deferred: selectedFragment.map { copy($0.path.description) } ?? []
    case .cache: cache.isShowingWrites ? copyFromWrites() : copyFromRecords()
    }
  }
}
