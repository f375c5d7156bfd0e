/// Opening, closing, naming and switching tabs.
extension ExplorerState {
  mutating func openTab() -> [Effect] {
    leaveVimModes()
    addTab(TabContent())
    return focus(on: .query) + analysisEffects(for: .query)
  }

  mutating func reopenTab() -> [Effect] {
    guard let tab = closedTabs.popLast() else { return [] }
    addTab(tab.content, name: tab.name, file: tab.file)
    return showTab(shownTab)
  }

  mutating func showTab(_ index: Int) -> [Effect] {
    leaveVimModes()
    popups.removeAll()
    if tabs.indices.contains(index) { shownTab = index }
    return analysisEffects(for: .query) + fileChecks
  }

  /// The last tab stays, emptied: an explorer has a query.
  mutating func closeTab() -> [Effect] {
    leaveVimModes()
    let effects = run?.isActive == true || run?.paging != nil ? cancelWork() : []
    let closing = shownTab
    if tabs.count == 1 { addTab(TabContent()) }
    let tab = tabs.remove(at: closing)
    shownTab = min(closing, tabs.count - 1)
    var forgotten = [tab]
    if !tab.content.query.buffer.isEmpty {
      forgotten = closedTabs.dropLast(9)
      closedTabs = closedTabs.suffix(9) + [tab]
      let key = title(of: tab)
      notice = Notice("Closed \(key); it can be opened again")
    }
    let runs = forgotten.compactMap { $0.content.run?.id }
    return effects + runs.map { .forgetRun($0) } + analysisEffects(for: .query)
  }

  private func title(of tab: Tab) -> String {
    tab.name ?? tab.file?.name ?? tab.content.queryAnalysis.operations.lazy.compactMap(\.name).first ?? "the tab"
  }

  mutating func renameTab(_ name: String) {
    let trimmed = name.drop { $0.isWhitespace }
    tabs[shownTab].name = trimmed.isEmpty ? nil : String(trimmed)
  }

  /// The tab whose run an answer is about, if it is not the shown one.
  func hiddenTab(ofRun id: Int) -> Int? { run?.id == id ? nil : tab(ofRun: id) }

  func tab(ofRun id: Int) -> Int? { tabs.indices.first { run(ofTab: $0)?.id == id } }
}
