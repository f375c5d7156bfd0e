import ExplorerCore
import ExplorerTerminal

/// What an explorer is opened with.
package struct ExplorerConfiguration: Sendable {
  /// How the endpoint is named on the screen.
  package var endpoint: String
  package var world: ExplorerWorld
  /// What stands in the editor at first; empty opens with a query worth running, once the schema is known.
  package var query: String
  package var variables: String
  /// The themes to choose from, the first one shown; none takes the built-in one.
  package var themes: [Theme]
  package var keys: KeyTable

  package init(
    endpoint: String, world: ExplorerWorld, query: String = "", variables: String = "", themes: [Theme] = [],
    keys: KeyTable = .standard
  ) {
    self.endpoint = endpoint
    self.world = world
    self.query = query
    self.variables = variables
    self.themes = themes
    self.keys = keys
  }
}

/// The explorer as the command line starts it.
package enum Explorer {
  /// Shows the explorer on a terminal until it is quit. The terminal is left to the caller to restore.
  @ScreenActor
  package static func run(configuration: ExplorerConfiguration, backend: any TerminalBackend) async {
    let state = ExplorerState(
      endpoint: configuration.endpoint, query: configuration.query, variables: configuration.variables,
      themes: configuration.themes.map(\.name))
    backend.setTitle("apus \(configuration.endpoint)")
    let loop = ExplorerLoop(
      state: state, world: configuration.world, backend: backend, themes: configuration.themes, keys: configuration.keys
    )
    await loop.run()
  }
}
