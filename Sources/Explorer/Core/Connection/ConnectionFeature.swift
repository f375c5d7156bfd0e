import ApusSecrets

/// The loading state of the server's schema.
package enum SchemaState: Equatable, Sendable {
  case loading
  case loaded(typeCount: Int)
  case unavailable(String)
}

/// The endpoint of a tab, and the state of its schema.
package struct ConnectionFeature: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    /// The endpoint is opened when a tab with it is shown.
    case waiting
    /// A question is presented before the endpoint is opened.
    case asking
    case opening, open, failed
  }

  /// The reason why a tab has the endpoint.
  package enum Source: Equatable, Sendable {
    /// The user chose it.
    case user
    /// It was restored with a saved session.
    case session
    /// A request was imported for it. The tabs use the other endpoint if the user declines to open it.
    case imported(fallback: EndpointID)
  }

  /// The URL with secrets redacted; empty if there is no endpoint.
  package var endpoint: String
  package var phase = Phase.open
  package var source = Source.user
  /// The name or the URL, with its secrets, that opens the endpoint again; nil if it is unknown.
  package var word: String?
  /// The name of the endpoint; nil if it has only a URL.
  package var profile: String?
  package var isProduction = false
  /// Whether a recording answers, so that nothing is sent.
  package var isReplay = false
  /// Whether a command of the profile supplies the credentials and can be run again to renew them.
  package var renewsCredentials = false
  /// Whether the user can sign in to the endpoint.
  package var takesSignIn = false
  /// The names in the profile's environment, which are references in double braces.
  package var environmentNames: Set<String> = []
  /// A number that this endpoint shares with those that send the same requests; nil if it is unknown.
  package var identity: Int?
  /// The theme of the profile.
  package var theme: String?
  package var schema = SchemaState.loading
  /// Additional information about the schema, such as its age.
  package var schemaNote: String?
  /// Headers that the schema was requested with so far.
  private var askedWith: Set<TabHeaders> = []
  /// Headers that the user typed for this endpoint or sent to it. Only these are sent to it automatically.
  private var ownHeaders: TabHeaders?
  /// Headers at the time when the user focused them.
  private var headersBefore: TabHeaders?

  package init(endpoint: String) {
    self.endpoint = endpoint
    if !endpoint.isEmpty { word = endpoint }
    if endpoint.isEmpty { schema = .unavailable(Self.noEndpoint) }
  }

  package static let noEndpoint = "no endpoint is open: choose one or type a URL (Alt-s)"

  package var isOpen: Bool { !endpoint.isEmpty }

  /// The origin of the endpoint; `nil` while no endpoint is open.
  package var origin: Origin? { Origin(url: endpoint) }

  var reasonAgainstRenewing: String? {
    if !isOpen { return Self.noEndpoint }
    return renewsCredentials ? nil : "This endpoint's credentials come neither from a $(command) nor from a sign-in"
  }

  var reasonAgainstSigningIn: String? {
    if !isOpen { return Self.noEndpoint }
    return takesSignIn ? nil : "The endpoint has no profile with a sign-in (auth: type: oauth2)"
  }

  var hasSchema: Bool { if case .loaded = schema { true } else { false } }
}

package enum SchemaAction: Equatable, Sendable {
  /// The example is a query to run, for an empty editor.
  case loaded(typeCount: Int, example: String?)
  case failed(String)
  /// The number of differences from the previously loaded schema.
  case changed(Int)
  case noted(String?)
}

extension ConnectionFeature {
  mutating func receive(_ answer: SchemaAction) -> [FollowUp] {
    switch answer {
    case .loaded(let typeCount, _): schema = .loaded(typeCount: typeCount)
    case .failed(let reason):
      schema = .unavailable(reason)
      // The endpoint at the start of the message is shortened so that the reason fits into the line.
      let isNamed = !endpoint.isEmpty && reason.hasPrefix(endpoint)
      let said = isNamed ? "the server\(reason.dropFirst(endpoint.count))" : reason
      return [.notice("No schema (F4 shows what to do): \(said)", .warning)]
    case .changed(let count):
      schemaNote = count == 1 ? "1 change" : "\(count) changes"
      return [.notice("The schema has changed in \(count == 1 ? "1 place" : "\(count) places") since the last session")]
    case .noted(let note): schemaNote = note
    }
    return []
  }

  mutating func loadSchema(_ request: SchemaRequest) -> [FollowUp] {
    schema = .loading
    if case .server(let headers) = request { askedWith.insert(headers) }
    return [.effect(.endpoint(.loadSchema(request)))]
  }

  /// Requests the schema again if the server refused it and these headers have not been tried yet: a token that the
  /// user types for a query usually opens introspection as well. Headers from another tab's server are never tried.
  mutating func askAgain(with headers: TabHeaders) -> [FollowUp] {
    guard isOpen, phase == .open, case .unavailable = schema, headers == ownHeaders, !askedWith.contains(headers)
    else { return [] }
    return loadSchema(.server(headers))
  }

  mutating func wentToHeaders(_ headers: TabHeaders) { headersBefore = headers }

  /// Assigns headers that were edited since `wentToHeaders` to this endpoint.
  mutating func leftHeaders(_ headers: TabHeaders) {
    if headers != headersBefore { ownHeaders = headers }
  }

  /// Records that a request was sent with these headers, so that they belong to this endpoint.
  mutating func sent(with headers: TabHeaders) { ownHeaders = headers }

  /// Switches to an endpoint that was opened; its schema is loaded next.
  mutating func connected(to choice: EndpointChoice) -> [FollowUp] {
    // Headers that the user typed for the previous server are not sent to this one.
    askedWith = []
    ownHeaders = nil
    endpoint = choice.url
    schemaNote = nil
    phase = .open
    source = .user
    take(choice)
    identity = choice.identity
    word = profile ?? choice.wholeURL ?? choice.url
    let notice = words + (choice.note.map { " (\($0))" } ?? "")
    return [.notice(notice, isProduction ? .warning : .information)]
  }

  /// Sets the name to that of a profile that was chosen for the endpoint, if it has none.
  mutating func setName(from choice: EndpointChoice) {
    guard profile == nil, choice.name != choice.url else { return }
    take(choice)
    word = choice.name
  }

  /// Whether an endpoint of this name or URL is this one. URLs are compared in their normal form.
  func isOpened(by word: String) -> Bool {
    guard isOpen, let own = self.word else { return false }
    return own == word || (profile == nil && NormalizedURL.of(own) == NormalizedURL.of(word))
  }

  /// Whether the endpoint has a URL, compared in its normal form and without its secrets.
  func isAt(_ url: String) -> Bool { NormalizedURL.of(endpoint) == NormalizedURL.of(url) }

  /// Uses the settings of a profile.
  package mutating func take(_ choice: EndpointChoice) {
    profile = choice.name == choice.url ? nil : choice.name
    isProduction = choice.isProduction
    renewsCredentials = choice.renewsCredentials
    takesSignIn = choice.takesSignIn
    environmentNames = choice.environmentNames
    theme = choice.theme
  }

  /// The host and port of the URL, such as `birds.example:8443`, or all of it if it has none.
  var host: String {
    guard let origin = origin?.description, let scheme = origin.firstRange(of: "://") else { return endpoint }
    return String(origin[scheme.upperBound...])
  }

  /// The URL without its scheme: `birds.example/graphql`.
  var address: String { endpoint.firstRange(of: "://").map { String(endpoint[$0.upperBound...]) } ?? endpoint }

  var label: String { profile ?? host }

  /// The endpoint with the name of its profile: `staging: https://birds.example/graphql`.
  package var words: String { profile.map { "\($0): \(endpoint)" } ?? endpoint }

  /// Opens the endpoint when a tab with it is shown.
  mutating func wait() {
    guard word != nil, source != .user else { return }
    phase = .waiting
    schema = .unavailable("\(endpoint) is not open yet")
  }

  mutating func failed(_ reason: String) {
    guard phase != .open else { return }
    phase = .failed
    schema = .unavailable(reason)
  }
}
