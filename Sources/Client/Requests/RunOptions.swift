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
    package var name: String
    /// The value, which is not stored; `nil` if it is not set.
    package var value: String?
    /// Whether the imported file has the value, as a secret.
    package var isSecretOfFile = false

    package init(name: String, value: String? = nil, isSecretOfFile: Bool = false) {
      self.name = name
      self.value = value
      self.isSecretOfFile = isSecretOfFile
    }

    /// Whether the value is not shown.
    package var isSecret: Bool { isSecretOfFile || SecretNames.contains(name) }
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

  package init(usesGET: Bool = false, usesPersistedQueries: Bool = false) {
    self.usesGET = usesGET
    self.usesPersistedQueries = usesPersistedQueries
  }

  package var isDefault: Bool { words.isEmpty }

  /// The names of the references.
  package var referenceNames: Set<String> { Set(references.map(\.name)) }

  /// The options as they are stored: without the values of the references.
  package var withoutValues: RunOptions {
    var options = self
    options.references = references.map { Reference(name: $0.name) }
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
