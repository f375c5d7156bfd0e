import ApusExplorerText
import ApusFormatting

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
    var content = TabContent(tab.draft)
    content.extensions = tab.extensions
    content.editors.headers = Editor(editors.headers.draft, language: .plain)
    content.editors.shareReferences()
    content.editors.headerOrigins = editors.headerOrigins
    content.editors.query.moveCursor(editors.query.cursor)
    let effects = openTab(content)
    if let name { tabs.renameShown("\(name) (copy)") }
    return effects
  }

  /// Lists the tabs with their endpoints and the states of their responses.
  mutating func pickTab() -> [Effect] {
    var picker = PickerPopup(
      .tabs,
      items: tabs.all.indices.map { index in
        let connection = endpoints[tabs.all[index].endpoint].connection
        let response = tabs.all[index].content.response
        let isShown = index == tabs.shownIndex
        return PickerItem(
          id: "\(index)", title: tabs.title(of: index), detail: connection.profile ?? connection.endpoint,
          note: response.unseenEvents > 0
            ? DisplayFormat.plural(response.unseenEvents, "new event") : response.runState?.wordOfRun ?? "not run yet",
          tone: isShown ? .current : response.hasFailed ? .failed : .plain)
      })
    picker.list.selected = tabs.shownIndex
    return present(picker)
  }

  mutating func reopenTab() -> [Effect] {
    tabs.reopen()
    return showTab(tabs.shownIndex)
  }

  mutating func showTab(_ index: Int) -> [Effect] {
    leaveVimModes()
    popups.closeAll()
    if tabs.all.indices.contains(index) { tabs.shownIndex = index }
    showFileNotice()
    return tab.editors.analysisEffects(for: .query) + tabs.fileChecks
  }

  mutating func closeTab() -> [Effect] {
    leaveVimModes()
    let effects = tab.response.isBusy ? cancelWork() : []
    return effects + apply(tabs.closeShown()) + tab.editors.analysisEffects(for: .query)
  }

  // MARK: Files

  /// Says once that the file of a restored tab was changed or is gone.
  package mutating func showFileNotice() {
    guard let notice = tabs.shown.fileNotice else { return }
    tabs.shown.fileNotice = nil
    showNotice(notice, .warning)
  }

  mutating func receive(_ answer: FileAction) -> [Effect] {
    switch answer {
    case .listed(let items): popups.filesListed(items)
    case .pathsFound(let paths, let typed):
      popups.change(LinePopup.self) { $0.complete(typed, paths) }
      if paths.count != 1 { showNotice(LinePopup.words(for: paths)) }
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
    if recordingPath != nil { return [.export(.record(to: nil))] }
    return present(LinePopup(.recordingFile, text: "session.ndjson"))
  }
}
