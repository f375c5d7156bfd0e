import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// A tab: a query with its variables, its headers and its response. What the shown tab holds stands in the state itself,
/// so that everything else knows one query and one response; what the others hold waits in them.
package struct Tab: Hashable, Sendable {
  package var id: Int
  /// The name that a person gave it.
  package var name: String?
  /// The file of a collection that its query came from.
  package var file: CollectionFile?
  /// A version of the file from outside that was told of.
  var seenOutside: CollectionFile?
  /// nil for the shown tab.
  var content: TabContent?

  package init(id: Int, name: String? = nil) {
    self.id = id
    self.name = name
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
struct TabContent: Hashable, Sendable {
  var query = Editor(language: .graphQL)
  var variables = Editor(language: .json)
  var headers = Editor(language: .plain)
  var queryAnalysis = TextAnalysis()
  var variablesAnalysis = TextAnalysis()
  var cachePolicy = CachePolicy.networkOnly
  var run: Run?
  var response = ResponseTree()
  var rail = ListCursor()
  var history = PartHistory()
  var traffic: Traffic?
  var reading = Reading()
}

extension ExplorerState {
  private var content: TabContent {
    get {
      TabContent(
        query: query, variables: variables, headers: headers, queryAnalysis: queryAnalysis,
        variablesAnalysis: variablesAnalysis, cachePolicy: cachePolicy, run: run, response: response, rail: rail,
        history: history,
        traffic: traffic, reading: reading)
    }
    set {
      query = newValue.query
      variables = newValue.variables
      headers = newValue.headers
      queryAnalysis = newValue.queryAnalysis
      variablesAnalysis = newValue.variablesAnalysis
      cachePolicy = newValue.cachePolicy
      run = newValue.run
      response = newValue.response
      rail = newValue.rail
      history = newValue.history
      traffic = newValue.traffic
      reading = newValue.reading
    }
  }

  /// Puts a tab's content in the place of the shown one's.
  mutating func swapIn(_ index: Int) {
    guard index != shownTab, tabs.indices.contains(index), let incoming = tabs[index].content else { return }
    if tabs.indices.contains(shownTab) { tabs[shownTab].content = content }
    content = incoming
    tabs[index].content = nil
    shownTab = index
  }

  /// Does something to a tab as if it were shown.
  mutating func inTab<Result>(_ index: Int, _ change: (inout ExplorerState) -> Result) -> Result {
    let shown = shownTab
    swapIn(index)
    defer { swapIn(shown) }
    return change(&self)
  }

  /// Adds a tab behind the shown one and shows it.
  mutating func addTab(_ content: TabContent, name: String? = nil, file: CollectionFile? = nil) {
    tabCount += 1
    var tab = Tab(id: tabCount, name: name)
    tab.file = file
    tab.content = content
    tabs.insert(tab, at: shownTab + 1)
    swapIn(shownTab + 1)
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
      swapIn(tabs.count - 1)
      addTab(content)
    }
    swapIn(shown)
  }

  /// What a tab is called on the screen: its name, its file, its operation, or its number.
  package func title(ofTab index: Int) -> String {
    guard tabs.indices.contains(index) else { return "" }
    let tab = tabs[index]
    if let name = tab.name ?? tab.file?.name { return name }
    let analysis = index == shownTab ? queryAnalysis : tab.content?.queryAnalysis
    return analysis?.operations.lazy.compactMap(\.name).first ?? "Tab \(index + 1)"
  }

  /// The run of a tab, for what the tab's title says of it.
  package func run(ofTab index: Int) -> Run? { index == shownTab ? run : tabs[index].content?.run }

  /// Whether a tab has texts that its file has not.
  package func isUnsaved(tab index: Int) -> Bool {
    guard tabs.indices.contains(index), let file = tabs[index].file else { return false }
    let (query, variables) =
      index == shownTab
      ? (self.query.text, self.variables.text)
      : (tabs[index].content?.query.text ?? "", tabs[index].content?.variables.text ?? "")
    return query != file.savedQuery || variables != file.savedVariables
  }
}
