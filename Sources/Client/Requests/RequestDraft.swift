import ApusClientAPI
import ApusSecrets

/// A request as the user writes it. Tabs edit it, imports produce it, the history stores it, and exports print it.
///
/// Secrets that were not stored are references in its texts (`DraftText`), and variables of the environment in its
/// headers. A draft with references is never sent.
package struct RequestDraft: Equatable, Sendable {
  package struct Header: Equatable, Sendable {
    package var name: String
    /// The value, in which `$NAME` and `$(command)` are expanded only if the user typed them. Imported values are
    /// literal.
    package var value: SecretText
    /// Whether the imported file marks the header as authentication, so that its value is a secret whatever its name.
    package var isAuthentication = false
    /// Whether the value is `user:password` as in the imported file; it is sent as Base64.
    package var isBasic = false

    package init(name: String, value: SecretText) {
      self.name = name
      self.value = value
    }

    /// Creates a header from untrusted text, in which dollar signs are literal.
    package init(name: String, untrusted value: String) {
      self.init(name: name, value: UntrustedText(value).literal)
    }

    /// The value if it is plain text; otherwise, an empty string.
    package var text: String { if case .text(let text)? = value.parts.first { text } else { "" } }
  }

  /// The URL of the endpoint; empty if the request belongs to no endpoint yet.
  package var url: String
  package var headers: [Header]
  package var query: DraftText
  /// Variables as JSON, which may have comments and trailing commas; empty for none.
  package var variables: DraftText
  /// The operation to run; nil for the only one.
  package var operationName: String?
  /// Extensions as JSON; empty for none.
  package var extensions = DraftText()
  package var options = RunOptions()
  package var cachePolicy = CachePolicy.networkOnly
  /// The options of the endpoint that only an `apus` command has, by name, such as `subscription-transport`.
  package var commandOptions: [Header] = []

  /// The files whose paths are values of the variables, for exports: a run finds them itself.
  package var uploads: [Upload] = []

  /// The names that the profile's environment defines, for exports and storage: references everywhere except in the query.
  package var definedNames: Set<String> = []
  /// Whether the export is for `apus` and the profile, which fills in the names that it defines.
  package var isForProfile = false

  /// A file that the request uploads.
  package struct Upload: Equatable, Sendable {
    /// The place in the variables: `picture`, `input.picture`, `files.0`.
    package var variablePath: String
    package var path: String

    package init(variablePath: String, path: String) {
      self.variablePath = variablePath
      self.path = path
    }
  }

  package init(
    url: String = "", headers: [Header] = [], query: DraftText, variables: DraftText = DraftText(),
    operationName: String? = nil
  ) {
    self.url = url
    self.headers = headers
    self.query = query
    self.variables = variables
    self.operationName = operationName
  }

  /// Creates a request without references.
  package init(
    url: String = "", headers: [Header] = [], query: String, variables: String = "", operationName: String? = nil
  ) {
    self.init(
      url: url, headers: headers, query: DraftText(query), variables: DraftText(variables),
      operationName: operationName)
  }

  /// The name of the first secret that is missing; nil if the request is complete. Comments need none.
  package var missingSecret: String? {
    let secrets = query.documentSecrets.filter { !$0.isInComment } + variables.memberSecrets + extensions.memberSecrets
    return secrets.first?.name
  }

  /// Returns whether a header describes the body or connection, so that the client sets it.
  package static func isOfTheBody(_ header: String) -> Bool {
    ["content-type", "content-length", "host", "accept-encoding"].contains(header.lowercased())
  }
}

/// A request from a file of another program.
package struct ImportedRequest: Equatable, Sendable {
  package var folders: [String]
  package var name: String
  package var notes = ""
  /// The request. Its texts have the `{{variables}}` of the file until they are filled in.
  package var draft: RequestDraft

  package init(folders: [String] = [], name: String, draft: RequestDraft) {
    self.folders = folders
    self.name = name
    self.draft = draft
  }

  /// Folders and the name: "Birds / all".
  package var title: String { Self.title(folders, name) }

  package static func title(_ folders: [String], _ name: String) -> String {
    (folders + [name]).map { $0.prefix(200) }.joined(separator: " / ")
  }
}
