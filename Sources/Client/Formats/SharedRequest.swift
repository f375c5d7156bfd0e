import ApusASCII
import ApusJSON
import ApusSecrets

/// A GraphQL request in an exchangeable form: a curl command, an HTTP file, or an `apus` command.
package struct RequestExport: Equatable, Sendable {
  package struct Header: Equatable, Sendable {
    package var name: String
    /// The value, in which `$NAME` and `$(command)` are expanded only if the user typed them. Imported values are literal.
    package var value: SecretText
    /// Whether the import source marked this header as authentication.
    package var isAuthentication = false

    package init(name: String, value: SecretText) {
      self.name = name
      self.value = value
    }

    /// Creates a header from untrusted text. It is reduced to one line, and dollar signs in it are literal.
    package init(name: String, foreign value: String) {
      self.name = name.filter { !$0.isNewline }
      let line = value.split(whereSeparator: \.isNewline).joined(separator: " ")
      self.value = UntrustedText(line).literal
    }

    /// The value if it is plain text; otherwise, an empty string.
    package var text: String { if case .text(let text)? = value.parts.first { text } else { "" } }
  }

  package var url: String
  package var headers: [Header]
  package var query: String
  /// The variables as JSON text, which may have comments and trailing commas; empty for none.
  package var variables: String
  package var operationName: String?
  /// The extensions as JSON text; empty for none.
  package var extensions = ""
  /// Whether a query is sent by GET.
  package var usesGET = false
  /// The digest of a persisted query, which is sent with its text; nil if there is none.
  package var digest: String?
  /// The cache policy of the query; `nil` if it is sent to the network.
  package var cachePolicy: String?

  package init(url: String, headers: [Header] = [], query: String, variables: String = "", operationName: String? = nil)
  {
    self.url = url
    self.headers = headers
    self.query = query
    self.variables = variables
    self.operationName = operationName
  }

  /// The JSON body of the request.
  package var body: JSONValue {
    var members: [(String, JSONValue)] = [("query", JSONValue(query))]
    if let value = try? JSONDocument(parsingRelaxed: variables).root { members.append(("variables", value)) }
    if let operationName { members.append(("operationName", JSONValue(operationName))) }
    var values = (try? JSONDocument(parsing: extensions).root)?.members.map { ($0.key, $0.value) } ?? []
    if let digest {
      values.append(("persistedQuery", .object([("version", 1), ("sha256Hash", JSONValue(digest))])))
    }
    if !values.isEmpty { members.append(("extensions", .object(values))) }
    return .object(members)
  }

  /// The longest URL that common servers and proxies accept.
  private static let longestURL = 8000

  /// The parameters of the URL and the whole URL, if the request is sent by GET. The text of a persisted query and one
  /// whose URL would be too long are sent by POST.
  var parametersOfGET: (fields: [(name: String, value: String)], url: String)? {
    guard usesGET, digest == nil else { return nil }
    let fields = body.members.map { (name: $0.key, value: $0.value.string ?? JSONWriter.compact($0.value)) }
    let base = url.prefix { $0 != "#" }
    let query = fields.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    let requestURL = "\(base)\(base.contains("?") ? "&" : "?")\(query)"
    return requestURL.utf8.count <= Self.longestURL ? (fields, requestURL) : nil
  }

  /// Returns whether a header describes the body or connection, so that the client sets it.
  package static func isOfTheBody(_ header: String) -> Bool {
    ["content-type", "content-length", "host", "accept-encoding"].contains(header.lowercased())
  }
}
