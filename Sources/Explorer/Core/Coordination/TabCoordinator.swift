/// Coordinates tabs: when another tab is shown, its text is analyzed, the vim keys return to normal mode, and
/// popups are closed.
extension ExplorerState {
  /// The content of the shown tab.
  package var tab: TabContent {
    get { tabs.all[tabs.shownIndex].content }
    _modify { yield &tabs.all[tabs.shownIndex].content }
  }

  mutating func openTab(
    _ content: TabContent = TabContent(), at endpoint: EndpointID? = nil, file: CollectionFile? = nil
  ) -> [Effect] {
    tabs.add(content, at: endpoint, file: file)
    return focus(on: .query) + tab.editors.analysisEffects(for: .query)
  }

  mutating func newTab() -> [Effect] {
    leaveVimModes()
    return openTab()
  }

  /// Opens a tab with a copy of the shown tab's editors, without its file and its response.
  mutating func duplicateTab() -> [Effect] {
    leaveVimModes()
    let (name, editors) = (tabs.shown.name, tab.editors)
    var content = TabContent(
      query: editors.query.text, variables: editors.variables.text, headers: editors.headers.text,
      cachePolicy: tab.cachePolicy)
    content.extensions = tab.extensions
    content.runOptions = tab.runOptions
    content.editors.headerOrigins = editors.headerOrigins
    content.editors.query.moveCursor(editors.query.cursor)
    let effects = openTab(content)
    if let name { tabs.renameShown("\(name) (copy)") }
    return effects
  }

  mutating func reopenTab() -> [Effect] {
    tabs.reopen()
    return showTab(tabs.shownIndex)
  }

  mutating func showTab(_ index: Int) -> [Effect] {
    leaveVimModes()
    popups.closeAll()
    if tabs.all.indices.contains(index) { tabs.shownIndex = index }
    return tab.editors.analysisEffects(for: .query) + tabs.fileChecks
  }

  mutating func closeTab() -> [Effect] {
    leaveVimModes()
    let effects = tab.response.isBusy ? cancelWork() : []
    return effects + apply(tabs.closeShown()) + tab.editors.analysisEffects(for: .query)
  }

  // MARK: Files

  mutating func receive(_ answer: FileAction) -> [Effect] {
    switch answer {
    case .listed(let items): popups.filesListed(items)
    case .opened(let file):
      guard let index = tabs.index(ofFile: file.path) else {
        return openTab(TabContent(query: file.savedQuery, variables: file.savedVariables), file: file)
      }
      return showTab(index) + apply(tabs.openedAgain(file, in: index))
    case .differs(let tab, let file): return apply(tabs.differs(file, tab: tab))
    case .saved(let tab, let file): return apply(tabs.saved(file, tab: tab))
    case .changedOutside(let tab, let file): return apply(tabs.changedOutside(file, tab: tab))
    }
    return []
  }

  /// Starts or stops recording incoming responses.
  mutating func recordSession() -> [Effect] {
    if recordingPath != nil { return [.record(to: nil)] }
    return present(LinePopup(.recordingFile, text: "session.ndjson"))
  }
}
