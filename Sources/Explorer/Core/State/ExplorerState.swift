/// The complete state that the screen is drawn from. Only `update` changes it.
///
/// The state consists of features. Each feature is a value that changes itself (`receive`, and a function per command)
/// and accesses nothing else; for the environment and for other features it returns `FollowUp`s. Logic that involves
/// several features is in the coordinators.
package struct ExplorerState: Equatable, Sendable {
  package var connection: Connection
  package var screen: ScreenState
  package var popups: Popups = []
  /// Each tab has two features: its editors and its response.
  package var tabs: Tabs
  package var typing = Typing()
  package var cache = CacheInspector()
  /// The audits of the endpoint; nil before the first audit.
  package var audit: AuditProgress?
  /// The pinned response, which is shown next to later ones.
  package var pinned: PinnedResponse?
  var elsewhere: RunElsewhere?
  /// The file that incoming responses are recorded to.
  package var recordingPath: String?
  package var isQuitting = false

  package init(endpoint: String, query: String = "", variables: String = "", themes: [String] = []) {
    connection = Connection(endpoint: endpoint)
    screen = ScreenState(themes: themes)
    tabs = Tabs(query: query, variables: variables)
  }
}
