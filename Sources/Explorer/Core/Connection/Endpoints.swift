/// The identity of an endpoint in a running explorer. It is not stored.
package struct EndpointID: Hashable, Sendable {
  fileprivate let number: Int

  /// The endpoint that the explorer starts with.
  package static let first = EndpointID(number: 1)
}

/// An endpoint that tabs use, with the features that belong to it.
package struct OpenEndpoint: Equatable, Sendable {
  package var connection: ConnectionFeature
  package var cache = CacheFeature()
  /// Audits of the endpoint; nil before the first.
  package var audit: AuditProgress?

  init(_ connection: ConnectionFeature) { self.connection = connection }
}

/// The endpoints of the tabs.
package struct Endpoints: Equatable, Sendable {
  /// Endpoints with names, to choose from.
  package var profiles: [EndpointChoice] = []
  /// The endpoint that the saved session belongs to.
  package internal(set) var ofSession = EndpointID.first
  private var all: [EndpointID: OpenEndpoint]
  private var lastNumber = EndpointID.first.number

  init(first endpoint: String) { all = [.first: OpenEndpoint(ConnectionFeature(endpoint: endpoint))] }

  /// An identity that was not added describes that no endpoint is open.
  package subscript(id: EndpointID) -> OpenEndpoint {
    get { all[id] ?? Self.none }
    _modify { yield &all[id, default: Self.none] }
  }

  private static let none = OpenEndpoint(ConnectionFeature(endpoint: ""))

  func contains(_ id: EndpointID) -> Bool { all[id] != nil }

  /// Whether no endpoint is open yet.
  var areNoneOpen: Bool {
    all.values.allSatisfy { !$0.connection.isOpen || $0.connection.phase != .open }
  }

  mutating func newID() -> EndpointID {
    lastNumber += 1
    return EndpointID(number: lastNumber)
  }

  mutating func add(_ connection: ConnectionFeature) -> EndpointID {
    let id = newID()
    all[id] = OpenEndpoint(connection)
    return id
  }

  /// Returns the endpoint that was opened by a name or URL, the newest of several.
  func id(openedBy word: String) -> EndpointID? {
    newest { $0.isOpened(by: word) && $0.phase != .failed }
  }

  /// Returns the newest open endpoint with a URL, without its secrets, and with the name of a profile if one is given.
  func id(openAt url: String, profile: String?) -> EndpointID? {
    newest { $0.phase == .open && $0.isAt(url) && (profile == nil || $0.profile == profile) }
  }

  /// Returns another open endpoint that sends the same requests as a chosen one. Profiles with two names stay separate.
  func id(sameAs choice: EndpointChoice, except id: EndpointID) -> EndpointID? {
    guard let identity = choice.identity else { return nil }
    let name = choice.name == choice.url ? nil : choice.name
    let found = newest {
      $0.phase == .open && $0.identity == identity && ($0.profile == name || $0.profile == nil || name == nil)
    }
    return found == id ? nil : found
  }

  private func newest(_ isFound: (ConnectionFeature) -> Bool) -> EndpointID? {
    all.filter { isFound($0.value.connection) }.keys.max { $0.number < $1.number }
  }

  /// Removes the endpoints that are not in use, and returns their identities in the order in which they were added.
  mutating func removeAll(except used: Set<EndpointID>) -> [EndpointID] {
    let unused = all.keys.filter { !used.contains($0) }.sorted { $0.number < $1.number }
    for id in unused { all[id] = nil }
    return unused
  }
}
