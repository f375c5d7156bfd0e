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
    return focus(on: .query) + tab.texts.analysisEffects(for: .query)
  }

  mutating func newTab() -> [Effect] {
    leaveVimModes()
    return openTab()
  }

  /// Opens a tab with a copy of the shown tab's editors, without its file and its response.
  mutating func duplicateTab() -> [Effect] {
    leaveVimModes()
    let (name, texts) = (tabs.shown.name, tab.texts)
    var content = TabContent(
      query: texts.query.text, variables: texts.variables.text, headers: texts.headers.text,
      cachePolicy: tab.cachePolicy)
    content.extensions = tab.extensions
    content.runOptions = tab.runOptions
    content.texts.headerOrigins = texts.headerOrigins
    content.texts.query.place(texts.query.cursor)
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
    return tab.texts.analysisEffects(for: .query) + tabs.fileChecks
  }

  mutating func closeTab() -> [Effect] {
    leaveVimModes()
    let effects = tab.response.isBusy ? cancelWork() : []
    return effects + follow(tabs.closeShown()) + tab.texts.analysisEffects(for: .query)
  }

  // MARK: Files

  mutating func receive(_ answer: FileAnswer) -> [Effect] {
    switch answer {
    case .listed(let items): popups.filesListed(items)
    case .opened(let file):
      guard let index = tabs.index(ofFile: file.path) else {
        return openTab(TabContent(query: file.savedQuery, variables: file.savedVariables), file: file)
      }
      return showTab(index) + follow(tabs.openedAgain(file, in: index))
    case .differs(let tab, let file): return follow(tabs.differs(file, tab: tab))
    case .saved(let tab, let file): return follow(tabs.saved(file, tab: tab))
    case .changedOutside(let tab, let file): return follow(tabs.changedOutside(file, tab: tab))
    }
    return []
  }

  /// Starts or stops recording incoming responses.
  mutating func recordSession() -> [Effect] {
    if recordingPath != nil { return [.record(to: nil)] }
    return present(LineState(.recordingFile, text: "session.ndjson"))
  }
}
