import ApusClientAPI

/// The keys of lists and trees: what each does depends on the pane that has the focus, and on what is shown there.
extension ExplorerState {
  mutating func moveInList(_ step: ListStep) -> [Effect] {
    let rows = viewportRows(focus)
    switch focus {
    case .query, .variables, .headers: break
    case .response:
      responseList.move(step, count: responseRowCount, rows: rows - responseView.headerLines)
    case .deferred: rail.move(step, count: run?.fragments.count ?? 0, rows: rows)
    case .cache: cache.shownList.move(step, count: cache.shownRowCount, rows: rows)
    }
    return []
  }

  mutating func openRow() -> [Effect] {
    switch focus {
    case .query, .variables, .headers: return []
    case .response:
      return responseView == .events ? openEvent() : toggleFold()
    case .deferred: return openFragment()
    case .cache:
      if let edit = cache.edit { return accept(edit) }
      switch cache.view {
      case .records: return openRecordInList()
      case .record: return followReference()
      case .writes: return openWriteInList()
      case .write: return openWrittenRecord()
      }
    }
  }

  /// Whether the focus is in a tree, which has folds.
  private var isInTree: Bool { focus == .response && responseView == .tree }

  mutating func toggleFold() -> [Effect] {
    if isInTree { shownTree.toggleFold(shownTree.list.selected) }
    return []
  }

  mutating func unfoldRow() -> [Effect] {
    guard isInTree else { return openRow() }
    shownTree.unfoldOrEnter()
    return []
  }

  mutating func foldRow() -> [Effect] {
    if focus == .cache { return goBackInCache() }
    if isInTree { shownTree.foldOrLeave() }
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
    case .cache: copyFromCache()
    }
  }
}
