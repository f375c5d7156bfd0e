import ApusClientRequests
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// The configuration that the explorer starts with.
package struct ExplorerConfiguration: Sendable {
  /// The endpoint's name on the screen.
  package var endpoint: String
  /// The URL of the endpoint with its secrets.
  package var wholeURL: String?
  /// The identity of the endpoint (`EndpointChoice.identity`).
  package var identity: Int?
  package var environment: ExplorerEnvironment
  /// The environment for endpoints that are not open; nil for the one of the first endpoint.
  package var unopened: ExplorerEnvironment?
  /// The initial query; if empty, an example query is shown once the schema is loaded.
  package var query: String
  package var variables: String
  /// Available themes, the first one active; if empty, the built-in theme is used.
  package var themes: [ThemeChoice]
  /// Contents of `keys.yml`.
  package var keys: KeysFile
  /// The saved session.
  package var workspace: SavedSession?
  /// Endpoints that the user can switch to, and the current one if it has a name.
  package var profiles: [EndpointChoice]
  package var profile: EndpointChoice?
  /// The log for bug reports.
  package var log: ExplorerLog?
  /// A hint for new users.
  package var hint: String?
  /// A warning shown at startup.
  package var warning: String?
  /// A question asked before any request is sent.
  package var question: ConfirmationPopup?
  /// The minimum duration of a run to notify the desktop of its end; nil for no notifications.
  package var notifiesAfter: Duration?
  /// Recorded operations to replay, one tab each.
  package var recorded: [RequestDraft] = []
  /// Whether the only possible completion is shown as ghost text.
  package var showsGhostText = true
  /// The file that the query is from.
  package var file: CollectionFile?
  /// The user's home folder.
  package var homeFolder = ""
  /// The requests of an application (`apus tap`).
  package var requests: RequestsFeature?
  /// Whether the session is not saved although the endpoint has one.
  package var isFresh = false

  package init(
    endpoint: String, environment: ExplorerEnvironment, query: String = "", variables: String = "",
    themes: [ThemeChoice] = [],
    keys: KeysFile = KeysFile(), workspace: SavedSession? = nil,
    profiles: [EndpointChoice] = [], profile: EndpointChoice? = nil,
    hint: String? = nil
  ) {
    self.endpoint = endpoint
    self.environment = environment
    self.query = query
    self.variables = variables
    self.themes = themes
    self.keys = keys
    self.workspace = workspace
    self.profiles = profiles
    self.profile = profile
    self.hint = hint
  }
}

/// The entry point of the explorer for the command line.
package enum Explorer {
  /// Runs the explorer on a terminal until the user quits. The caller restores the terminal.
  @ScreenActor
  package static func run(configuration: ExplorerConfiguration, backend: any TerminalBackend) async {
    var state = ExplorerState(
      endpoint: configuration.endpoint, query: configuration.query, variables: configuration.variables,
      themes: configuration.themes.map(\.name))
    state.endpoints.profiles = configuration.profiles
    if let profile = configuration.profile { state.connection.take(profile) }
    state.connection.word = state.connection.profile ?? configuration.wholeURL ?? state.connection.word
    state.connection.identity = configuration.identity
    state.homeFolder = configuration.homeFolder
    state.isUnsavedSession = configuration.isFresh
    state.start(with: configuration.workspace, configuration.file, query: configuration.query)
    state.tabs.open(configuration.recorded)
    state.requests = configuration.requests
    state.connection.isReplay = !configuration.recorded.isEmpty
    state.screen.notice = configuration.warning.map { Notice($0, .warning) } ?? configuration.hint.map { Notice($0) }
    state.showFileNotice()
    if let question = configuration.question { state.popups.present(Popup(question)) }
    state.screen.notifiesAfter = configuration.notifiesAfter
    state.typing.showsGhostText = configuration.showsGhostText
    if configuration.keys.usesVim { state.typing.vim = VimState() }
    let loop = ExplorerLoop(
      state: state, environment: configuration.environment, unopened: configuration.unopened, backend: backend,
      themes: configuration.themes,
      keys: KeyTable.standard.applying(configuration.keys), log: configuration.log)
    await loop.run()
  }
}
