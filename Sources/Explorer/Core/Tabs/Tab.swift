import ApusClientAPI
import ApusExplorerText

/// A tab: a query with its variables, its headers and its response.
package struct Tab: Equatable, Sendable {
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
    numberVersions()
  }

  /// Gives the texts versions that no other tab's have: what is found out about a text comes later, and another tab may be
  /// shown by then.
  mutating func numberVersions() {
    let first = (id - 1) << 32
    content.texts.query.countVersions(from: first)
    content.texts.variables.countVersions(from: first)
    content.texts.headers.countVersions(from: first)
  }

  /// What it is called: its name, its file, or its operation.
  var title: String? {
    name ?? file?.name ?? content.texts.queryAnalysis.operations.lazy.compactMap(\.name).first
  }

  /// Whether it has texts that its file has not.
  var isUnsaved: Bool {
    guard let file else { return false }
    return content.texts.query.text != file.savedQuery || content.texts.variables.text != file.savedVariables
  }
}

/// What one tab holds: two rooms, and how its runs use the cache.
package struct TabContent: Equatable, Sendable {
  package var texts: Texts
  package var response = TabResponse()
  /// Where the tab's queries look first.
  package var cachePolicy: CachePolicy
  /// The `extensions` of the tab's requests.
  package var extensions = RequestExtensions()

  package init(
    query: String = "", variables: String = "", headers: String = "", cachePolicy: CachePolicy = .networkOnly
  ) {
    texts = Texts(query: query, variables: variables, headers: headers)
    self.cachePolicy = cachePolicy
  }

  package var hasUsualCachePolicy: Bool { cachePolicy == .networkOnly }

  func pickCachePolicy() -> [FollowUp] {
    let policies = CachePolicy.allCases
    var picker = PickerState(
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
    return [.tell("From now on: \(policy.words), \(policy.explanation)")]
  }
}

/// A file that a tab's query was read from or saved to.
package struct CollectionFile: Equatable, Sendable {
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

  /// Empty for the folder that the program was started in.
  var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
}

/// A query that a tab is opened with.
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
