import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// What an explorer is opened with.
package struct ExplorerConfiguration: Sendable {
  /// How the endpoint is named on the screen.
  package var endpoint: String
  package var world: ExplorerWorld
  /// What stands in the editor at first; empty opens with a query worth running, once the schema is known.
  package var query: String
  package var variables: String
  /// The themes to choose from, the first one shown; none takes the built-in one.
  package var themes: [ThemeChoice]
  /// What `keys.yml` says.
  package var keys: KeysFile
  /// What was left open the last time.
  package var workspace: Workspace?
  /// The endpoints that can be switched to, and the one that is opened, if it has a name.
  package var profiles: [EndpointChoice]
  package var profile: EndpointChoice?
  /// Where what happens is noted for a bug report.
  package var log: ExplorerLog?
  /// A word for somebody new.
  package var hint: String?
  /// What is not as it should be from the start.
  package var warning: String?
  /// What is asked before anything is sent.
  package var question: Confirmation?
  /// How long a run must take for its end to be told on the desktop; nil for none.
  package var notifiesAfter: Duration?
  /// What was recorded and is shown again, a tab for each.
  package var recorded: [OpenedQuery] = []
  /// Whether what is certain to be written next is shown behind the cursor.
  package var showsGhostText = true

  package init(
    endpoint: String, world: ExplorerWorld, query: String = "", variables: String = "", themes: [ThemeChoice] = [],
    keys: KeysFile = KeysFile(), workspace: Workspace? = nil,
    profiles: [EndpointChoice] = [], profile: EndpointChoice? = nil,
    hint: String? = nil
  ) {
    self.endpoint = endpoint
    self.world = world
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

/// The explorer as the command line starts it.
package enum Explorer {
  /// Shows the explorer on a terminal until it is quit. The terminal is left to the caller to restore.
  @ScreenActor
  package static func run(configuration: ExplorerConfiguration, backend: any TerminalBackend) async {
    var state = ExplorerState(
      endpoint: configuration.endpoint, query: configuration.query, variables: configuration.variables,
      themes: configuration.themes.map(\.name))
    if let workspace = configuration.workspace { state.open(workspace, query: configuration.query) }
    state.tabs.open(configuration.recorded)
    state.connection.profiles = configuration.profiles
    state.connection.profile = configuration.profile?.name
    state.connection.isProduction = configuration.profile?.isProduction ?? false
    state.connection.renewsCredentials = configuration.profile?.renewsCredentials ?? false
    state.screen.notice = configuration.warning.map { Notice($0, .warning) } ?? configuration.hint.map { Notice($0) }
    if let question = configuration.question { state.popups.present(Popup(question)) }
    state.screen.notifiesAfter = configuration.notifiesAfter
    state.typing.showsGhostText = configuration.showsGhostText
    if configuration.keys.usesVim { state.typing.vim = VimState() }
    backend.setTitle(configuration.endpoint.isEmpty ? "apus" : "apus \(configuration.endpoint)")
    let loop = ExplorerLoop(
      state: state, world: configuration.world, backend: backend, themes: configuration.themes,
      keys: KeyTable.standard.applying(configuration.keys), log: configuration.log)
    await loop.run()
  }
}
