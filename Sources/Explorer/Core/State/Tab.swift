import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// A tab: a query with its variables, its headers and its response. What the shown tab holds reads and is changed as the
/// state's own (`state.query`), so that everything else knows one query and one response.
package struct Tab: Hashable, Sendable {
  package var id: Int
  /// The name that a person gave it.
  package var name: String?
  /// The file of a collection that its query came from.
  package var file: CollectionFile?
  /// A version of the file from outside that was told of.
  var seenOutside: CollectionFile?
  package var content: TabContent

  package init(id: Int, name: String? = nil, content: TabContent = TabContent()) {
    self.id = id
    self.name = name
    self.content = content
  }
}

/// A file that a tab's query was read from or saved to.
package struct CollectionFile: Hashable, Sendable {
  package var path: String
  /// The texts as the file has them: what differs is not saved yet.
  package var savedQuery: String
  package var savedVariables: String

  package init(path: String, savedQuery: String, savedVariables: String) {
    self.path = path
    self.savedQuery = savedQuery
    self.savedVariables = savedVariables
  }

  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// A query that a tab is opened with.
package struct OpenedQuery: Hashable, Sendable {
  package var query: String
  package var variables: String
  package var cachePolicy: CachePolicy

  package init(query: String, variables: String = "", cachePolicy: CachePolicy = .networkOnly) {
    self.query = query
    self.variables = variables
    self.cachePolicy = cachePolicy
  }
}

/// What one tab holds.
package struct TabContent: Hashable, Sendable {
  package var query = Editor(language: .graphQL)
  package var variables = Editor(language: .json)
  /// Header fields for this tab's requests, a line each; they may take their values from the environment or a command.
  package var headers = Editor(language: .plain)
  package var queryAnalysis = TextAnalysis()
  package var variablesAnalysis = TextAnalysis()
  /// Where the tab's queries look first.
  package var cachePolicy = CachePolicy.networkOnly
  package var run: Run?
  package var response = ResponseTree()
  package var rail = ListCursor()
  /// The results of the run, one for each part.
  package var history = PartHistory()
  /// What went over the wire for the run.
  package var traffic: Traffic?
  package var reading = Reading()

  package init() {}
}

extension ExplorerState {
  /// What the shown tab holds; its members stand here under their own names.
  private var shown: TabContent {
    get { tabs[shownTab].content }
    _modify { yield &tabs[shownTab].content }
  }

  package var query: Editor {
    get { shown.query }
    _modify { yield &shown.query }
  }
  package var variables: Editor {
    get { shown.variables }
    _modify { yield &shown.variables }
  }
  package var headers: Editor {
    get { shown.headers }
    _modify { yield &shown.headers }
  }
  package var queryAnalysis: TextAnalysis {
    get { shown.queryAnalysis }
    _modify { yield &shown.queryAnalysis }
  }
  package var variablesAnalysis: TextAnalysis {
    get { shown.variablesAnalysis }
    _modify { yield &shown.variablesAnalysis }
  }
  package var cachePolicy: CachePolicy {
    get { shown.cachePolicy }
    _modify { yield &shown.cachePolicy }
  }
  package var run: Run? {
    get { shown.run }
    _modify { yield &shown.run }
  }
  package var response: ResponseTree {
    get { shown.response }
    _modify { yield &shown.response }
  }
  package var rail: ListCursor {
    get { shown.rail }
    _modify { yield &shown.rail }
  }
  package var history: PartHistory {
    get { shown.history }
    _modify { yield &shown.history }
  }
  package var traffic: Traffic? {
    get { shown.traffic }
    _modify { yield &shown.traffic }
  }
  package var reading: Reading {
    get { shown.reading }
    _modify { yield &shown.reading }
  }

  /// Does something to a tab as if it were shown.
  mutating func inTab<Result>(_ index: Int, _ change: (inout ExplorerState) -> Result) -> Result {
    let shown = shownTab
    if tabs.indices.contains(index) { shownTab = index }
    defer { shownTab = shown }
    return change(&self)
  }

  /// Adds a tab behind the shown one and shows it.
  mutating func addTab(_ content: TabContent, name: String? = nil, file: CollectionFile? = nil) {
    tabCount += 1
    var tab = Tab(id: tabCount, name: name, content: content)
    tab.file = file
    shownTab += 1
    tabs.insert(tab, at: shownTab)
  }

  /// Opens queries, each in a tab: the first in the one that is shown, the others behind the last.
  package mutating func open(_ queries: [OpenedQuery]) {
    guard let first = queries.first else { return }
    query = Editor(first.query, language: .graphQL)
    variables = Editor(first.variables, language: .json)
    cachePolicy = first.cachePolicy
    awaitsExample = false
    let shown = shownTab
    for opened in queries.dropFirst() {
      var content = TabContent()
      content.query = Editor(opened.query, language: .graphQL)
      content.variables = Editor(opened.variables, language: .json)
      content.cachePolicy = opened.cachePolicy
      shownTab = tabs.count - 1
      addTab(content)
    }
    shownTab = shown
  }

  /// What a tab is called on the screen: its name, its file, its operation, or its number.
  package func title(ofTab index: Int) -> String {
    guard tabs.indices.contains(index) else { return "" }
    let tab = tabs[index]
    if let name = tab.name ?? tab.file?.name { return name }
    return tab.content.queryAnalysis.operations.lazy.compactMap(\.name).first ?? "Tab \(index + 1)"
  }

  /// The run of a tab, for what the tab's title says of it.
  package func run(ofTab index: Int) -> Run? { tabs[index].content.run }

  /// Whether a tab has texts that its file has not.
  package func isUnsaved(tab index: Int) -> Bool {
    guard tabs.indices.contains(index), let file = tabs[index].file else { return false }
    let content = tabs[index].content
    return content.query.text != file.savedQuery || content.variables.text != file.savedVariables
  }
}
