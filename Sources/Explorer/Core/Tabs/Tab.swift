import ApusClientAPI
import ApusClientRequests
import ApusExplorerText
import ApusSecrets

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
  /// The version of the file that the restored tab differs from; its text is kept until the file changes again.
  var keptOver: CollectionFile?
  /// The notice about the file of a restored tab, until the tab is shown.
  var fileNotice: String?
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

  /// The name of the tab, its file, its operation or the first field of an anonymous operation; the first of these that
  /// exists. The number of an application's request precedes it: "`#3 Birds`".
  var title: String? {
    let operations = content.editors.queryAnalysis.operations
    let title = name ?? file?.name ?? operations.lazy.compactMap(\.name).first ?? operations.first?.firstField
    guard let number = content.response.observedRequest else { return title }
    return "#\(number)" + (title.map { " \($0)" } ?? "")
  }

  /// Whether the user typed text that is in no file.
  var hasTypedText: Bool {
    if file != nil { return isUnsaved }
    let editors = [content.editors.query, content.editors.variables, content.editors.headers]
    return editors.contains { $0.history.canUndo && !$0.buffer.isEmpty }
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

  /// Creates the content for a stored or imported request. Its headers and extensions belong to the server of its URL.
  package init(_ draft: RequestDraft) {
    let headers = draft.headers.map { "\($0.name): \($0.value.source)" }.joined(separator: "\n")
    self.init(headers: headers, cachePolicy: draft.cachePolicy)
    editors.query = Editor(draft.query, language: .graphQL)
    editors.variables = Editor(draft.variables, language: .json)
    editors.shareReferences()
    if !headers.isEmpty { editors.headerOrigins = HeaderOrigins(importing: headers, for: Origin(url: draft.url)) }
    if !draft.extensions.isEmpty { extensions = RequestExtensions(draft.extensions, for: .init(imported: draft.url)) }
    runOptions = draft.options
    let names = draft.options.referenceNames
    if !TemplateText.names(in: draft.url, isReference: names.contains).isEmpty { runOptions.importedURL = draft.url }
    if !runOptions.subscriptionURL.isEmpty, runOptions.subscriptionOrigin == nil {
      runOptions.subscriptionOrigin = Origin(url: draft.url)
    }
  }

  /// The request of the tab, without its endpoint and its headers.
  package var draft: RequestDraft {
    var draft = RequestDraft(query: editors.query.draft, variables: editors.variables.draft)
    draft.extensions = extensions.draft
    draft.options = runOptions
    draft.cachePolicy = cachePolicy
    return draft
  }

  /// Whether the requests of the tab are those of a history entry, apart from the cache policy.
  func hasRequest(of entry: HistoryEntry) -> Bool {
    var (own, other) = (draft, entry.request)
    (other.url, other.cachePolicy) = ("", cachePolicy)
    // The entry has plain values only.
    let values = own.options.values
    guard other.options.values.allSatisfy({ values[$0.key] == $0.value }) else { return false }
    (own.options, other.options) = (own.options.storing([:]), other.options.storing([:]))
    (own.options.importedURL, own.options.endpointURL) = ("", "")
    return own == other
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
    let watch = response.run.map { [FollowUp.effect(.run($0.id, .changePolicy(policy)))] } ?? []
    return watch + [.notice("Cache policy: \(policy.words) (\(policy.explanation))")]
  }
}

/// A file that a tab's query was read from or saved to. Its texts have the editor's line ends. Files with the same
/// texts are equal.
package struct CollectionFile: Equatable, Sendable {
  package var path: String
  /// The query in the file; if the editor differs, it has unsaved changes.
  package var savedQuery: String
  package var savedVariables: String
  /// The line end of the file, which a copy under another name gets too.
  package var lineEnd = LineEnd.lineFeed

  package init(path: String, savedQuery: String, savedVariables: String) {
    self.path = path
    self.savedQuery = savedQuery
    self.savedVariables = savedVariables
  }

  package static func == (left: CollectionFile, right: CollectionFile) -> Bool {
    left.path == right.path && left.savedQuery == right.savedQuery && left.savedVariables == right.savedVariables
  }

  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The folder of the file, such as `queries` for `queries/birds.graphql`; empty for the current directory.
  var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
}
