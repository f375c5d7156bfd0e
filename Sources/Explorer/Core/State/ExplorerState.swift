/// The complete state that the screen is drawn from. Only `update` changes it.
///
/// The state consists of features. Each feature is a value that changes itself (`receive`, and a function per command)
/// and accesses nothing else; for the environment and for other features it returns `FollowUp`s. Logic that involves
/// several features is in the coordinators.
package struct ExplorerState: Equatable, Sendable {
  package var endpoints: Endpoints
  package var screen: ScreenFeature
  package var popups: PopupStack = []
  /// Each tab has two features: its editors and its response.
  package var tabs: Tabs
  package var typing = TypingFeature()
  /// The response that is kept beside those that come after it.
  package var pinned: PinnedResponse?
  /// The requests of an application; `nil` without `apus tap`.
  package var requests: RequestsFeature?
  var otherEndpointRun: OtherEndpointRun?
  /// The file that incoming responses are recorded to.
  package var recordingPath: String?
  package var isQuitting = false
  /// Messages about the parts of the last import that were not imported.
  var importNotes: [String] = []
  /// The user's home folder, for paths that begin with `~`.
  package var homeFolder = ""
  /// Whether the session is not saved, so that typed text is lost when the explorer ends.
  package var isUnsavedSession = false

  package init(endpoint: String, query: String = "", variables: String = "", themes: [String] = []) {
    endpoints = Endpoints(first: endpoint)
    screen = ScreenFeature(themes: themes)
    tabs = Tabs(query: query, variables: variables)
  }

  /// Returns the path of a file that the user typed, with the home folder in place of `~`.
  func path(typed text: String) -> String {
    text == "~" || text.hasPrefix("~/") ? homeFolder + text.dropFirst() : text
  }
}
