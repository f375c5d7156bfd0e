/// Everything that the screen is drawn from. A value: `update` is the only place that changes it.
///
/// It has rooms, each a value that changes itself (`receive`, and a function a command) and reaches nothing else: what it
/// wants of the world or of another room it returns as `FollowUp`s. What concerns several rooms is in the folder `Crossings`.
package struct ExplorerState: Equatable, Sendable {
  package var connection: Connection
  package var screen: ScreenState
  package var popups: Popups = []
  /// Each has two rooms of its own, its texts and its response.
  package var tabs: Tabs
  package var typing = Typing()
  package var cache = CacheInspector()
  /// The audits of the endpoint; nil before the first.
  package var audit: AuditProgress?
  /// The response that is kept beside those that come after it.
  package var pinned: PinnedResponse?
  var elsewhere: RunElsewhere?
  /// Where what arrives is recorded.
  package var recordingPath: String?
  package var isQuitting = false

  package init(endpoint: String, query: String = "", variables: String = "", themes: [String] = []) {
    connection = Connection(endpoint: endpoint)
    screen = ScreenState(themes: themes)
    tabs = Tabs(query: query, variables: variables)
  }
}
