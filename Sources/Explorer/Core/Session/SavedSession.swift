import ApusClientAPI
import ApusClientRequests
import ApusExplorerText
import ApusJSON
import ApusSecrets

/// A saved session: every tab with its editors, cursors, scroll positions, folds and response, and the screen layout.
/// It is cheap to create, so that it can be taken after each change.
package struct SavedSession: Equatable, Sendable {
  /// An editor's contents and the position in it.
  package struct EditorContent: Equatable, Sendable {
    package var buffer: TextBuffer
    package var selection: TextSelection
    package var scroll: TextPosition
    package var folds: [ClosedRange<Int>] = []
    package var wraps = false
    package var history = EditorHistory()
    /// Places of secrets that are not saved.
    package var references: [Range<TextPosition>] = []
    /// Whether the text had references, so that an earlier state may have them.
    var hasHadReferences = false

    package init(
      _ text: String = "", selection: TextSelection = TextSelection(.start), scroll: TextPosition = .start
    ) {
      buffer = TextBuffer(text)
      self.selection = selection
      self.scroll = scroll
    }

    init(_ editor: Editor) {
      buffer = editor.buffer
      selection = editor.selection
      scroll = editor.scroll
      folds = editor.folds
      wraps = editor.wraps
      history = editor.history
      references = editor.references
      hasHadReferences = editor.hasHadReferences
    }

    /// The text with its references.
    package var draft: DraftText {
      get {
        DraftText(
          buffer.text,
          references: references.map { buffer.offset(of: $0.lowerBound)..<buffer.offset(of: $0.upperBound) })
      }
      set {
        buffer = TextBuffer(newValue.text)
        references = newValue.references.map { buffer.position(of: $0.lowerBound)..<buffer.position(of: $0.upperBound) }
      }
    }

    func editor(_ language: Editor.Language) -> Editor {
      var editor = Editor(buffer.text, language: language)
      editor.restore(history)
      editor.folds = folds.filter { $0.lowerBound >= 0 && $0.upperBound < editor.buffer.lineCount }
      editor.wraps = wraps
      editor.hold(references)
      editor.select(selection)
      editor.scroll = scroll
      return editor
    }
  }

  /// The position in a response.
  package struct ResponseViewState: Equatable, Sendable {
    var folds = FoldTree()
    package var selected = 0
    package var scroll = 0

    package init() {}

    /// The folds that the user changed, as a list.
    package var listedFolds: [Fold] {
      get { folds.saved }
      set { folds = newValue.reduce(into: FoldTree()) { $0.set($1.isOpen, at: $1.steps[...]) } }
    }
  }

  /// A fold that the user opened or closed.
  package struct Fold: Equatable, Sendable {
    package var steps: [FoldStep]
    package var isOpen: Bool

    package init(steps: [FoldStep], isOpen: Bool) {
      self.steps = steps
      self.isOpen = isOpen
    }
  }

  /// The endpoint of a tab, without secrets.
  package struct Endpoint: Hashable, Sendable {
    /// The name of the profile; nil for a URL.
    package var name: String?
    package var url: String
    /// Whether secrets are missing in the URL, so that it opens nothing.
    package var lacksSecrets: Bool

    package init(name: String?, url: String, lacksSecrets: Bool) {
      self.name = name
      self.url = url
      self.lacksSecrets = lacksSecrets
    }
  }

  /// The file of a tab, with the texts that the tab shared with it.
  package struct File: Equatable, Sendable {
    package var path: String
    package var query: DraftText
    package var variables: DraftText

    package init(path: String, query: DraftText, variables: DraftText) {
      self.path = path
      self.query = query
      self.variables = variables
    }
  }

  /// A notice of a restored tab about its file.
  package struct FileNotice: Equatable, Sendable {
    var text: String
    /// The present version, which does not replace the tab's text; nil if the file is gone.
    var file: CollectionFile?
  }

  package struct Tab: Equatable, Sendable {
    package var id: Int
    package var name: String?
    package var file: File?
    /// A notice that the file was changed or is gone, and its present version.
    package var fileNotice: FileNotice?
    /// Operations in the query. A tab in the background gets its title from these without being analyzed.
    package var operations: [EditorAnalysis.Operation] = []
    package var query = EditorContent()
    package var variables = EditorContent()
    package var headers = EditorContent()
    /// Servers that each header line is for, such as `https://birds.example`; `nil` in an older file, whose headers are
    /// for its endpoint.
    package var headerOrigins: [[Origin]?]?
    /// The endpoint; `nil` for the one of the session.
    package var endpoint: Endpoint?
    package var cachePolicy = CachePolicy.networkOnly
    package var extensions = RequestExtensions()
    package var runOptions = RunOptions()
    /// The names that the profile's environment defines, which are references; not stored.
    package var definedNames: Set<String> = []
    package var response: SavedResponse?
    package var responseView = ResponseViewState()
    /// The sort order and the filter of the deferred pane.
    package var deferredListing = DeferredListing()

    package init(id: Int) {
      self.id = id
    }
  }

  package var tabs: [Tab]
  package var shownTab: Int
  package var focus: PaneID
  package var recentPanes: [PaneID]
  /// The theme, if it was chosen in the explorer.
  package var theme: String?
  package var arrangement = PaneLayout()

  package init(tabs: [Tab], shownTab: Int = 0, focus: PaneID = .query, recentPanes: [PaneID] = PaneID.walk) {
    self.tabs = tabs
    self.shownTab = shownTab
    self.focus = focus
    self.recentPanes = recentPanes
  }
}

/// A response in a saved session. Equality compares the run and its progress (payload, pages, rereads, status and
/// whether its cache use is known), but not the data.
package struct SavedResponse: Equatable, Sendable {
  package var run: Int
  /// The request, used to redact its secrets; not written to the file. `nil` for a response of an earlier session,
  /// which is already redacted.
  package var request: RunRequest?
  package var operation: OperationInfo?
  package var payloadCount: Int
  package var pages = 0
  /// The run's outcome, with the reason if it failed.
  package var status = HistoryEntry.Status.complete
  package var failure: RunError?
  /// The number of times that it was reread from the cache.
  var rereads = 0
  package var byteCount: Int
  package var elapsed: Duration
  package var data: JSONValue?
  package var errors: [GraphQLError]
  package var extensions: JSONValue?
  package var fragments: [DeferredFragment]
  /// Paths that the cache could not supply, and the run's cache use once it is counted.
  package var missing: [ResponsePath] = []
  package var cacheUse: CacheUsage?

  package init(
    run: Int, operation: OperationInfo? = nil, payloadCount: Int = 1, byteCount: Int = 0, elapsed: Duration = .zero,
    data: JSONValue? = nil, errors: [GraphQLError] = [],
    fragments: [DeferredFragment] = []
  ) {
    self.run = run
    self.operation = operation
    self.payloadCount = payloadCount
    self.byteCount = byteCount
    self.elapsed = elapsed
    self.data = data
    self.errors = errors
    self.fragments = fragments
  }

  package static func == (left: SavedResponse, right: SavedResponse) -> Bool {
    left.run == right.run && left.payloadCount == right.payloadCount && left.pages == right.pages
      && left.rereads == right.rereads
      && left.status == right.status
      && (left.cacheUse == nil) == (right.cacheUse == nil)
  }
}

extension SavedSession {
  package init(_ state: ExplorerState) {
    tabs = state.tabs.all.map { tab in
      let content = tab.content
      var saved = Tab(id: tab.id)
      saved.name = tab.name
      saved.file = tab.file.map {
        File(path: $0.path, query: DraftText($0.savedQuery), variables: DraftText($0.savedVariables))
      }
      saved.operations = content.editors.queryAnalysis.operations
      saved.query = EditorContent(content.editors.query)
      saved.variables = EditorContent(content.editors.variables)
      saved.headers = EditorContent(content.editors.headers)
      saved.headerOrigins = content.editors.headerOrigins.saved
      if tab.endpoint != state.endpoints.ofSession {
        saved.endpoint = Endpoint(state.endpoints[tab.endpoint].connection)
      }
      saved.cachePolicy = content.cachePolicy
      saved.extensions = content.extensions
      saved.runOptions = content.runOptions
      saved.definedNames = state.endpoints[tab.endpoint].connection.environmentNames
      saved.responseView = content.response.tree.location
      saved.deferredListing = content.response.deferredListing.saved
      // A run that was canceled before a payload arrived shows the response of the previous run.
      if let run = content.response.run, let status = run.endedAs, run.payloadCount > 0 || status != .cancelled {
        let newest = content.response.newest
        saved.response = SavedResponse(
          run: run.id, operation: run.operation, payloadCount: run.payloadCount, byteCount: run.byteCount,
          elapsed: run.elapsed, data: newest.data, errors: newest.errors, fragments: newest.fragments)
        saved.response?.extensions = newest.extensions
        saved.response?.request = run.request
        saved.response?.pages = run.pages
        saved.response?.status = status
        saved.response?.failure = run.failure
        saved.response?.rereads = run.rereads
        saved.response?.missing = content.response.payloads.missing ?? content.response.restoredMissing
        saved.response?.cacheUse = run.cacheUse
      }
      return saved
    }
    shownTab = state.tabs.shownIndex
    focus = state.screen.focus
    recentPanes = state.screen.recentPanes
    theme = state.screen.chosenTheme
    arrangement = state.screen.arrangement
  }
}

extension ExplorerState {
  /// Replaces the initial empty session with a saved one.
  package mutating func restore(_ workspace: SavedSession) {
    guard !workspace.tabs.isEmpty else { return }
    let ids = addEndpoints(of: workspace)
    tabs.all = workspace.tabs.map { Self.tab($0, at: $0.endpoint.flatMap { ids[$0] } ?? endpoints.ofSession) }
    if endpoints[endpoints.ofSession].connection.isOpen { bindHeadersToOpenEndpoints() }
    tabs.lastID = tabs.all.map(\.id).max() ?? 1
    tabs.lastRun = max(tabs.lastRun, workspace.tabs.compactMap(\.response?.run).max() ?? 0)
    tabs.shownIndex = min(max(0, workspace.shownTab), tabs.count - 1)
    showSessionEndpoint()
    screen.focus = workspace.focus
    let recent = workspace.recentPanes
    screen.recentPanes = recent + PaneID.walk.filter { !recent.contains($0) }
    screen.arrangement = workspace.arrangement
    tabs.awaitsExample = false
    if let name = workspace.theme, let index = screen.themes.firstIndex(of: name) { screen.chooseTheme(index) }
  }

  /// Returns the tab of a session.
  static func tab(_ saved: SavedSession.Tab, at endpoint: EndpointID) -> Tab {
    var tab = ApusExplorerCore.Tab(id: saved.id, at: endpoint, name: saved.name)
    tab.file = saved.file.map {
      CollectionFile(path: $0.path, savedQuery: $0.query.text, savedVariables: $0.variables.text)
    }
    tab.fileNotice = saved.fileNotice?.text
    tab.keptOver = saved.fileNotice?.file
    tab.content.editors.query = saved.query.editor(.graphQL)
    tab.content.editors.variables = saved.variables.editor(.json)
    tab.content.editors.headers = saved.headers.editor(.plain)
    tab.content.editors.shareReferences()
    tab.content.editors.headerOrigins = HeaderOrigins(restoring: saved.headers.buffer, saved.headerOrigins)
    tab.numberVersions()
    tab.content.cachePolicy = saved.cachePolicy
    tab.content.extensions = saved.extensions
    tab.content.runOptions = saved.runOptions
    tab.content.editors.queryAnalysis.operations = saved.operations
    tab.content.response.deferredListing = saved.deferredListing
    if let response = saved.response { tab.content.response.restore(response, at: saved.responseView) }
    return tab
  }
}

extension ExplorerState {
  /// Adds the endpoints of restored tabs, each to be opened when its tab is shown. One that is the endpoint of the
  /// session is not added again.
  mutating func addEndpoints(of workspace: SavedSession) -> [SavedSession.Endpoint: EndpointID] {
    var ids: [SavedSession.Endpoint: EndpointID] = [:]
    for saved in workspace.tabs.compactMap(\.endpoint) where ids[saved] == nil {
      let isOfSession = saved.names(endpoints[endpoints.ofSession].connection)
      ids[saved] = isOfSession ? endpoints.ofSession : endpoints.add(saved.connection(among: endpoints.profiles))
    }
    return ids
  }

  /// Shows a tab of the endpoint that the user opened; a new one if there is none.
  private mutating func showSessionEndpoint() {
    guard tabs.shown.endpoint != endpoints.ofSession else { return }
    if let index = tabs.all.firstIndex(where: { $0.endpoint == endpoints.ofSession }) {
      tabs.shownIndex = index
    } else {
      tabs.add(TabContent(), at: endpoints.ofSession)
    }
  }
}

extension SavedSession.Endpoint {
  fileprivate init(_ connection: ConnectionFeature) {
    self.init(
      name: connection.profile, url: connection.endpoint,
      lacksSecrets: connection.profile == nil && connection.word != connection.endpoint)
  }

  /// Whether an open endpoint has this name or, without a name, this URL.
  fileprivate func names(_ connection: ConnectionFeature) -> Bool {
    name == connection.profile && (name != nil || (!lacksSecrets && connection.isOpened(by: url)))
  }

  fileprivate func connection(among profiles: [EndpointChoice]) -> ConnectionFeature {
    var connection = ConnectionFeature(endpoint: url)
    connection.source = .session
    if let choice = profiles.first(where: { $0.name == name }) { connection.take(choice) }
    connection.profile = name
    connection.word = lacksSecrets ? nil : name ?? url
    if lacksSecrets {
      connection.phase = .failed
      connection.schema = .unavailable("The secrets in the URL are not saved: open \(url) with them (Alt-s)")
    } else {
      connection.wait()
    }
    return connection
  }
}

extension ExplorerState {
  /// Restores a saved session; a separately given query opens in a new tab.
  package mutating func open(_ workspace: SavedSession, query: String) {
    restore(workspace)
    guard !query.isEmpty, tab.editors.query.text != query else { return }
    tabs.add(TabContent(query: query))
    screen.focus = .query
  }

  /// Restores the saved session and shows the file that the command line names, in its tab or in a new one.
  package mutating func start(with workspace: SavedSession?, _ file: CollectionFile?, query: String) {
    guard let file else {
      if let workspace { open(workspace, query: query) }
      return
    }
    if let workspace { restore(workspace) }
    screen.focus = .query
    if let index = tabs.index(ofFile: file.path) {
      tabs.shownIndex = index
      _ = tabs.openedAgain(file, in: index)
    } else if workspace == nil {
      tabs.open(file)
    } else {
      tabs.add(TabContent(query: file.savedQuery, variables: file.savedVariables), file: file)
    }
  }
}

extension Run {
  /// The run's outcome; nil while it is in progress.
  fileprivate var endedAs: HistoryEntry.Status? {
    switch phase {
    case .sending, .receiving: nil
    case .complete: .complete
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }
}

extension ResponseFeature {
  fileprivate mutating func restore(_ saved: SavedResponse, at view: SavedSession.ResponseViewState) {
    var run = Run(id: saved.run)
    run.operation = saved.operation
    switch saved.status {
    case .complete: run.phase = .complete
    case .failed: run.phase = .failed
    case .cancelled: run.phase = .cancelled
    }
    run.failure = saved.failure
    run.payloadCount = saved.payloadCount
    run.pages = saved.pages
    run.byteCount = saved.byteCount
    run.elapsed = saved.elapsed
    run.errors = saved.errors
    run.extensions = saved.extensions
    run.fragments = saved.fragments
    self.run = run
    tree.begin(run.operation)
    self.run?.cacheUse = saved.cacheUse
    restoredMissing = saved.missing
    tree.show(
      ResponseTree.Content(
        data: saved.data, errors: saved.errors, extensions: saved.extensions, fragments: saved.fragments,
        missing: saved.missing))
    tree.restore(view)
    arrangeDeferred()
  }
}
