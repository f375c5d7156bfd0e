import ApusClientAPI
import ApusExplorerText
import ApusJSON

/// What is known of the server's schema.
package enum SchemaState: Hashable, Sendable {
  case loading
  case loaded(typeCount: Int)
  case unavailable(String)
}

/// Everything that the screen is drawn from. A value: `update` is the only place that changes it.
package struct ExplorerState: Hashable, Sendable {
  package var endpoint: String
  /// The endpoints that can be switched to, the name of the one in use, and whether it is marked as production.
  package var profiles: [EndpointChoice] = []
  package var profile: String?
  package var isProduction = false
  /// What is to be known of the schema besides its size, such as its age.
  package var schemaNote: String?
  package var themes: [String]
  package var theme = 0
  /// The theme's name, where it was chosen in the explorer.
  package var chosenTheme: String?
  package var tabs = [Tab(id: 1)]
  package var shownTab = 0
  package var tabCount = 1
  /// What was closed and can be opened again, the last one last.
  package var closedTabs: [Tab] = []
  package var focus = PaneID.query
  /// The panes, last looked at first: where several share a place on the screen, the first of them is shown.
  package var recentPanes: [PaneID] = [.query, .response, .deferred, .variables, .cache, .headers]
  package var arrangement = Arrangement()
  /// Whether the mouse is the explorer's; else the terminal selects with it.
  package var hasMouse = true
  package var viewports: [PaneID: Viewport] = [:]
  /// The version of the text that was run: proposals for it that come late are not shown.
  package var versionWithoutProposals: Int?

  package var clipboard = ""
  /// What of it was copied from the headers, and so is the person's own text.
  var copiedHeaders: String?
  /// The places of what was completed last that are still to be filled in.
  package var snippetStops: SnippetStops?
  /// What was selected before each step of selecting by syntax.
  package var selectionsBefore: [TextSelection] = []
  /// The vim grammar, where that key map is on.
  package var vim: VimState?
  package var schema = SchemaState.loading
  /// Whether the text is still the one that the explorer opened with, so that a better one may take its place.
  package var awaitsExample = false

  package var runCount = 0
  /// Whether the fields of the response are marked with where they came from.
  package var isShowingSources = false
  package var cache = CacheInspector()

  /// Where what arrives is recorded.
  package var recordingPath: String?

  package var popups: [Popup] = []
  package var notice: Notice?
  package var isQuitting = false
  /// Advances while something runs, for what turns on the screen meanwhile.
  package var ticks = 0

  package init(endpoint: String, query: String = "", variables: String = "", themes: [String] = []) {
    self.endpoint = endpoint
    self.themes = themes
    self.query = Editor(query, language: .graphQL)
    self.variables = Editor(variables, language: .json)
    awaitsExample = query.isEmpty
  }

  package var isBusy: Bool { run.map { $0.isActive || $0.paging != nil } ?? false }

  /// Brings a pane to the front without going to it.
  package mutating func bringForward(_ pane: PaneID) {
    recentPanes.removeAll { $0 == pane }
    recentPanes.insert(pane, at: min(1, recentPanes.count))
  }

  package func viewportRows(_ pane: PaneID) -> Int { max(1, viewports[pane]?.rows ?? 10) }

  package var editor: Editor? {
    switch focus {
    case .query: query
    case .variables: variables
    case .headers: headers
    default: nil
    }
  }

  package var analysis: TextAnalysis {
    switch focus {
    case .query: queryAnalysis
    case .variables: variablesAnalysis
    default: TextAnalysis()
    }
  }
}
