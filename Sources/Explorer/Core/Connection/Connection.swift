import ApusSecrets

/// What is known of the server's schema.
package enum SchemaState: Equatable, Sendable {
  case loading
  case loaded(typeCount: Int)
  case unavailable(String)
}

/// The endpoint that is open, those that can be switched to, and what is known of its schema.
package struct Connection: Equatable, Sendable {
  /// As it is named on the screen; empty while none is open.
  package var endpoint: String
  /// The endpoints with names, the name of the one in use, and whether it is marked as production.
  package var profiles: [EndpointChoice] = []
  package var profile: String?
  package var isProduction = false
  /// Whether a command of the profile gives its credentials, and can give them again.
  package var renewsCredentials = false
  package var schema = SchemaState.loading
  /// What is to be known of the schema besides its size, such as its age.
  package var schemaNote: String?
  /// The headers that the server was asked for its schema with.
  private var askedWith: Set<TabHeaders> = []
  /// Headers that the person has written for this endpoint, or sent to it: no others go there by themselves.
  private var ownHeaders: TabHeaders?
  /// The headers as they were when the person went to them.
  private var headersBefore: TabHeaders?

  init(endpoint: String) {
    self.endpoint = endpoint
    if endpoint.isEmpty { schema = .unavailable(Self.noEndpoint) }
  }

  package static let noEndpoint = "no endpoint is open: choose one, or type a URL (Alt-s)"

  package var isOpen: Bool { !endpoint.isEmpty }

  /// The server of the endpoint; `nil` while none is open.
  package var origin: Origin? { Origin(url: endpoint) }

  var reasonAgainstRenewing: String? {
    if !isOpen { return Self.noEndpoint }
    return renewsCredentials ? nil : "No $(command) of a profile gives the credentials of this endpoint"
  }

  var hasSchema: Bool { if case .loaded = schema { true } else { false } }
}

/// What the world tells of the schema.
package enum SchemaAnswer: Equatable, Sendable {
  /// With a query worth running, for an editor that holds nothing.
  case loaded(typeCount: Int, example: String?)
  case failed(String)
  /// It differs from the one of the last time in so many places.
  case changed(Int)
  case noted(String?)
}

extension Connection {
  mutating func receive(_ answer: SchemaAnswer) -> [FollowUp] {
    switch answer {
    case .loaded(let typeCount, _): schema = .loaded(typeCount: typeCount)
    case .failed(let reason):
      schema = .unavailable(reason)
      // The line has room for the reason, rather than for the endpoint that stands in it otherwise.
      let isNamed = !endpoint.isEmpty && reason.hasPrefix(endpoint)
      let said = isNamed ? "the server\(reason.dropFirst(endpoint.count))" : reason
      return [.tell("No schema (F4 says what to do): \(said)", .warning)]
    case .changed(let count):
      schemaNote = count == 1 ? "1 change" : "\(count) changes"
      return [.tell("The schema has changed in \(count == 1 ? "1 place" : "\(count) places") since the last time")]
    case .noted(let note): schemaNote = note
    }
    return []
  }

  mutating func loadSchema(_ request: SchemaRequest) -> [FollowUp] {
    schema = .loading
    if case .server(let headers) = request { askedWith.insert(headers) }
    return [.effect(.loadSchema(request))]
  }

  /// Asks the server again that has refused its schema, with headers that it was not asked with yet.
  mutating func askAgain(with headers: TabHeaders) -> [FollowUp] {
    guard isOpen, case .unavailable = schema, headers == ownHeaders, !askedWith.contains(headers) else { return [] }
    return loadSchema(.server(headers))
  }

  mutating func wentToHeaders(_ headers: TabHeaders) { headersBefore = headers }

  /// What was written there meanwhile is for this endpoint.
  mutating func leftHeaders(_ headers: TabHeaders) {
    if headers != headersBefore { ownHeaders = headers }
  }

  /// Something was sent with these headers, so they are for this endpoint.
  mutating func sent(with headers: TabHeaders) { ownHeaders = headers }

  /// Takes the endpoint that is open now; its schema is to be loaded next.
  mutating func connected(to choice: EndpointChoice) -> [FollowUp] {
    askedWith = []
    ownHeaders = nil
    profile = choice.name == choice.url ? nil : choice.name
    endpoint = choice.url
    isProduction = choice.isProduction
    renewsCredentials = choice.renewsCredentials
    schemaNote = nil
    let words = choice.name == choice.url ? choice.url : "\(choice.name): \(choice.url)"
    return [.tell(words, choice.isProduction ? .warning : .information)]
  }

  /// Shows what can be opened; what was open lately comes when the history has told it.
  func pickEndpoint(_ purpose: PickerState.Purpose = .endpoints) -> [FollowUp] {
    let offered = profiles.filter { purpose == .endpoints || $0.name != profile }
    let items = offered.map { choice in
      PickerItem(
        id: choice.name, title: choice.name, detail: choice.url,
        note: choice.isProduction ? "production" : choice.origin,
        tone: choice.isProduction ? .production : choice.name == profile ? .current : .plain)
    }
    var picker = PickerState(purpose, items: items)
    picker.list.selected = offered.firstIndex { $0.name == profile } ?? 0
    return [.present(Popup(picker)), .effect(.listEndpoints)]
  }
}
