import ApusClientAPI
import ApusExplorerText

/// A tab: a query with its variables, its headers and its response.
package struct Tab: Equatable, Sendable {
  package var id: Int
  package var endpoint: EndpointID
  /// The endpoint that is being opened for the tab.
  var awaitedEndpoint: EndpointID?
  /// The name that the user gave the tab.
  package var name: String?
  /// The file of a collection that the query came from.
  package var file: CollectionFile?
  /// The last external version of the file that the user was notified of.
  var seenOutside: CollectionFile?
  package var content: TabContent

  package init(id: Int, at endpoint: EndpointID = .first, name: String? = nil, content: TabContent = TabContent()) {
    self.id = id
    self.endpoint = endpoint
    self.name = name
    self.content = content
    numberVersions()
  }

  /// Gives the editors version numbers that no other tab uses, because an analysis may
  /// arrive while another tab is shown.
  mutating func numberVersions() {
    let first = (id - 1) << 32
    content.editors.query.countVersions(from: first)
    content.editors.variables.countVersions(from: first)
    content.editors.headers.countVersions(from: first)
  }

  /// The name of the tab, its file or its operation; the first of these that exists.
  var title: String? {
    name ?? file?.name ?? content.editors.queryAnalysis.operations.lazy.compactMap(\.name).first
  }

  /// Whether the editors differ from the file.
  var isUnsaved: Bool {
    guard let file else { return false }
    return content.editors.query.text != file.savedQuery || content.editors.variables.text != file.savedVariables
  }
}

/// The content of a tab: its editors, its response, and the settings of its requests.
package struct TabContent: Equatable, Sendable {
  package var editors: EditorFeature
  package var response = ResponseFeature()
  /// The cache policy of the tab's queries.
  package var cachePolicy: CachePolicy
  /// The `extensions` of the tab's requests.
  package var extensions = RequestExtensions()
  package var runOptions = RunOptions()

  package init(
    query: String = "", variables: String = "", headers: String = "", cachePolicy: CachePolicy = .networkOnly
  ) {
    editors = EditorFeature(query: query, variables: variables, headers: headers)
    self.cachePolicy = cachePolicy
  }

  init(_ entry: HistoryEntry) {
    self.init(query: entry.query, variables: entry.variables, cachePolicy: entry.cachePolicy)
    runOptions = entry.options
    if !entry.extensions.isEmpty {
      extensions = RequestExtensions(entry.extensions, for: .init(imported: entry.endpoint))
    }
  }

  /// Whether the requests of the tab are those of a history entry, apart from the cache policy.
  func hasRequest(of entry: HistoryEntry) -> Bool {
    editors.query.text == entry.query && editors.variables.text == entry.variables && runOptions == entry.options
      && extensions.text == entry.extensions
  }

  package var hasUsualCachePolicy: Bool { cachePolicy == .networkOnly }

  func pickCachePolicy() -> [FollowUp] {
    let policies = CachePolicy.allCases
    var picker = PickerPopup(
      .cachePolicies,
      items: policies.map {
        PickerItem(
          id: $0.rawValue, title: $0.words, detail: $0.explanation, tone: $0 == cachePolicy ? .current : .plain)
      })
    picker.list.selected = policies.firstIndex(of: cachePolicy) ?? 0
    return [.present(Popup(picker))]
  }

  mutating func chooseCachePolicy(_ name: String) -> [FollowUp] {
    guard let policy = CachePolicy(rawValue: name) else { return [] }
    cachePolicy = policy
    return [.tell("Cache policy: \(policy.words) (\(policy.explanation))")]
  }
}

/// A file that a tab's query was read from or saved to.
package struct CollectionFile: Equatable, Sendable {
  package var path: String
  /// The query in the file; if the editor differs, it has unsaved changes.
  package var savedQuery: String
  package var savedVariables: String

  package init(path: String, savedQuery: String, savedVariables: String) {
    self.path = path
    self.savedQuery = savedQuery
    self.savedVariables = savedVariables
  }

  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The folder of the file; empty for the current directory.
  var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
}

/// A query to open in a tab.
package struct OpenedQuery: Equatable, Sendable {
  package var query: String
  package var variables: String
  package var cachePolicy: CachePolicy

  package init(query: String, variables: String = "", cachePolicy: CachePolicy = .networkOnly) {
    self.query = query
    self.variables = variables
    self.cachePolicy = cachePolicy
  }
}
