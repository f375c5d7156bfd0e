import ApusASCII
import ApusGraphQLMediaTypes
import ApusSecrets

/// The form in which a tab's requests are sent.
package struct RunOptions: Hashable, Sendable {
  /// An option that can be turned on and off.
  package enum Option: String, CaseIterable, Sendable {
    case get, persisted
  }

  /// A `{{name}}` that an import declares, so that it is a reference wherever it is.
  package struct Reference: Hashable, Sendable {
    /// The origin of a value, which decides whether it can be stored.
    package enum Source: Hashable, Sendable {
      /// The user typed the value, or there is none. It is never stored.
      case user
      /// The imported file has a value. It is stored with the request, unless it is a secret by its name, place or form.
      case file
      /// The imported file marks the value as a secret. It is never stored.
      case secretOfFile
    }

    package var name: String
    /// The value; `nil` if it is not set.
    package var value: String?
    package var source: Source

    package init(name: String, value: String? = nil, source: Source = .user) {
      self.name = name
      self.value = value
      self.source = source
    }

    /// The name of the reference for a user and a password that are encoded together.
    package static let basicCredentials = "BASIC_CREDENTIALS"

    /// Returns the value for typed text: `user:password` is encoded for basic authentication. Base64 has no colon.
    package func value(typed text: String) -> String {
      name == Self.basicCredentials && text.contains(":") ? Base64.encode(Array(text.utf8)) : text
    }

    /// Whether the value is not shown.
    package var isSecret: Bool { source == .secretOfFile || SecretNames.contains(name) }
  }

  /// Whether queries, and subscriptions over HTTP, are sent by GET.
  package var usesGET = false
  /// Whether the digest of a query is sent first, and its text only if the server does not know it.
  package var usesPersistedQueries = false
  /// The `onError` parameter; `nil` for none.
  package var onError: ErrorBehavior?
  /// The URL of subscriptions; empty for that of the endpoint.
  package var subscriptionURL = ""
  /// The origin of the endpoint that `subscriptionURL` was given for; `nil` if it is unknown.
  package var subscriptionOrigin: Origin?

  /// The time limit of a request in seconds; nil for that of the endpoint.
  package var timeLimit: Int?
  /// The references of an import, in the order of their names.
  package var references: [Reference] = []
  /// The URL of an import with its references, until they have values or the user chooses an endpoint; empty for none.
  package var importedURL = ""
  /// The URL of an import with the references whose values chose the endpoint; empty if it has none, or if the user chose an
  /// endpoint.
  package var endpointURL = ""

  package init(usesGET: Bool = false, usesPersistedQueries: Bool = false) {
    self.usesGET = usesGET
    self.usesPersistedQueries = usesPersistedQueries
  }

  package var isDefault: Bool { words.isEmpty }

  /// The names of the references.
  package var referenceNames: Set<String> { Set(references.map(\.name)) }

  /// The values of the references.
  package var values: [String: String] {
    Dictionary(references.map { ($0.name, $0.value) }) { first, _ in first }.compactMapValues { $0 }
  }

  /// Returns the options as they are stored: with these values of references only.
  package func storing(_ values: [String: String]) -> RunOptions {
    var options = self
    options.references = references.map { values[$0.name] == nil ? Reference(name: $0.name) : $0 }
    return options
  }

  /// Words for the options that are set.
  package var words: [String] {
    var words = usesGET ? ["GET"] : []
    if usesPersistedQueries { words.append("persisted") }
    if let onError { words.append("onError \(onError.rawValue)") }
    if !subscriptionURL.isEmpty { words.append("subscription URL") }
    if let timeLimit { words.append("at most \(timeLimit) s") }
    return words
  }

  package subscript(option: Option) -> Bool {
    get {
      switch option {
      case .get: usesGET
      case .persisted: usesPersistedQueries
      }
    }
    set {
      switch option {
      case .get: usesGET = newValue
      case .persisted: usesPersistedQueries = newValue
      }
    }
  }
}
