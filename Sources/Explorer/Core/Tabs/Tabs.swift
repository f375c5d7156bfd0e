import ApusClientRequests
import ApusExplorerText

/// The open tabs, the index of the shown one, and recently closed tabs.
package struct Tabs: Equatable, Sendable {
  package var all: [Tab]
  package var shownIndex = 0
  /// Closed tabs that can be reopened, most recently closed last.
  package var closed: [Tab] = []
  /// The identifier of the newest tab.
  var lastID = 1
  /// The identifier of the newest run in any tab.
  package var lastRun = 0
  /// Whether the explorer opened without a query, so that an example may still be inserted.
  var awaitsExample: Bool
  /// Whether nothing has been opened or typed yet.
  var areUntouched: Bool { all.count == 1 && all[0].content.editors.query.version == 0 && awaitsExample }

  init(query: String, variables: String) {
    all = [Tab(id: 1, content: TabContent(query: query, variables: variables))]
    awaitsExample = query.isEmpty
  }

  package var shown: Tab {
    get { all[shownIndex] }
    _modify { yield &all[shownIndex] }
  }

  package var count: Int { all.count }
  func index(ofRun id: Int) -> Int? { all.firstIndex { $0.content.response.run?.id == id } }
  func index(ofTab id: Int) -> Int? { all.firstIndex { $0.id == id } }

  /// Returns the display title of a tab: its title, or its number.
  package func title(of index: Int) -> String {
    all.indices.contains(index) ? all[index].title ?? "Tab \(index + 1)" : ""
  }

  /// Returns the run of a tab, whose status the tab bar shows.
  package func run(of index: Int) -> Run? { all[index].content.response.run }
  package func isUnsaved(_ index: Int) -> Bool { all.indices.contains(index) && all[index].isUnsaved }

  // MARK: Opening and closing

  /// Inserts a tab after the shown one and shows it. It has the endpoint of the shown one unless it is given another.
  mutating func add(
    _ content: TabContent, at endpoint: EndpointID? = nil, name: String? = nil, file: CollectionFile? = nil
  ) {
    lastID += 1
    var tab = Tab(id: lastID, at: endpoint ?? shown.endpoint, name: name, content: content)
    tab.file = file
    shownIndex += 1
    all.insert(tab, at: shownIndex)
  }

  mutating func reopen() {
    guard let tab = closed.popLast() else { return }
    add(tab.content, at: tab.endpoint, name: tab.name, file: tab.file)
  }

  /// Closes the shown tab. The last tab is replaced by an empty one.
  mutating func closeShown() -> [FollowUp] {
    let closing = shownIndex
    if all.count == 1 { add(TabContent()) }
    let tab = all.remove(at: closing)
    shownIndex = min(closing, all.count - 1)
    var forgotten = [tab]
    var followUps: [FollowUp] = []
    if !tab.content.editors.query.buffer.isEmpty {
      forgotten = closed.dropLast(9)
      closed = closed.suffix(9) + [tab]
      followUps = [.notice("Closed \(tab.title ?? "the tab"); you can reopen it")]
    }
    return followUps + forgotten.compactMap { $0.content.response.run?.id }.map { .effect(.run($0, .forget)) }
  }

  mutating func renameShown(_ name: String) {
    let trimmed = name.drop { $0.isWhitespace }
    shown.name = trimmed.isEmpty ? nil : String(trimmed)
  }

  /// Opens each request in a tab: the first in the shown tab, the others after the last tab.
  package mutating func open(_ requests: [RequestDraft]) {
    guard let first = requests.first else { return }
    let new = TabContent(first)
    shown.content.editors.query = new.editors.query
    shown.content.editors.variables = new.editors.variables
    shown.numberVersions()
    shown.content.cachePolicy = first.cachePolicy
    awaitsExample = false
    let shownBefore = shownIndex
    for request in requests.dropFirst() {
      shownIndex = all.count - 1
      add(TabContent(request))
    }
    shownIndex = shownBefore
  }

  /// Shows an operation from the history, in the shown tab if it is empty and otherwise in a new
  /// one, so that no text is lost.
  mutating func show(_ entry: HistoryEntry) {
    let new = TabContent(entry.request)
    let editors = shown.content.editors
    if editors.query.buffer.isEmpty, editors.variables.buffer.isEmpty, shown.content.extensions.text.isEmpty {
      shown.content.editors.query = new.editors.query
      shown.content.editors.variables = new.editors.variables
      shown.content.cachePolicy = new.cachePolicy
      shown.content.runOptions = new.runOptions
      shown.content.extensions = new.extensions
    } else if shown.content.hasRequest(of: entry) {
      shown.content.cachePolicy = entry.request.cachePolicy
    } else {
      add(new)
    }
  }

  // MARK: Files

  /// Opens a file in the shown tab.
  mutating func open(_ file: CollectionFile) {
    shown.content = TabContent(query: file.savedQuery, variables: file.savedVariables)
    shown.file = file
    shown.numberVersions()
    awaitsExample = false
  }

  /// The effect that checks whether another program changed the shown tab's file, run when the user looks at the tab.
  var fileChecks: [Effect] { shown.file.map { [.file(.check(tab: shown.id, $0))] } ?? [] }

  mutating func saved(_ file: CollectionFile, tab id: Int) -> [FollowUp] {
    guard let index = index(ofTab: id) else { return [] }
    all[index].file = file
    return [.notice("Saved \(file.path)")]
  }

  /// Asks the user before overwriting a file that another program changed.
  func changedOutside(_ file: CollectionFile, tab id: Int) -> [FollowUp] {
    guard let index = index(ofTab: id) else { return [] }
    let editors = all[index].content.editors
    let question = ConfirmationPopup(
      question: "Overwrite \(file.path)?", detail: "Another program changed the file after it was read.",
      confirmation: .effect(
        .file(.save(tab: id, file, query: editors.query.text, variables: editors.variables.text, overwrites: true))))
    return [.present(Popup(question))]
  }

  mutating func differs(_ file: CollectionFile, tab id: Int) -> [FollowUp] {
    index(ofTab: id).map { takeOutsideChange(file, in: $0) } ?? []
  }

  func index(ofFile path: String) -> Int? { all.firstIndex { $0.file?.path == path } }

  /// Handles opening a file that a tab already has.
  mutating func openedAgain(_ file: CollectionFile, in index: Int) -> [FollowUp] {
    (all[index].seenOutside, all[index].keptOver) = (nil, nil)
    return takeOutsideChange(file, in: index)
  }

  /// Updates the tab to the file's new content, unless the tab has unsaved changes.
  private mutating func takeOutsideChange(_ file: CollectionFile, in index: Int) -> [FollowUp] {
    guard let held = all[index].file, held.path == file.path, held != file, all[index].keptOver != file else {
      return []
    }
    if all[index].isUnsaved {
      guard all[index].seenOutside != file else { return [] }
      all[index].seenOutside = file
      return [.notice("\(file.path) was changed by another program; the tab has unsaved changes", .warning)]
    }
    all[index].content.editors.query.setFileText(file.savedQuery)
    all[index].content.editors.variables.setFileText(file.savedVariables)
    all[index].file = file
    let effects = index == shownIndex ? all[index].content.editors.analysisEffects(for: .query) : []
    return effects.map { .effect($0) } + [.notice("\(file.path) was changed by another program and has been reloaded")]
  }
}
