import ApusASCII
import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusJSON

/// The parameters of a request (GraphQL over HTTP, section "Request parameters"):
/// `{"operationName":"Bird","query":"…","variables":{"id":"b42"}}`.
struct RequestParameters {
  /// The longest URL that common servers and proxies accept.
  private static let longestURL = 8000

  var name: String?
  /// The document; nil if the server knows its digest.
  var text: String?
  var variables: JSONValue
  var extensions: [(String, JSONValue)]
  private var onError: JSONValue?

  init(_ operation: CompiledOperation, _ variables: JSONValue, _ options: RequestOptions) {
    name = operation.name
    text = operation.documentText
    self.variables = variables
    extensions = options.extensions.members.map { ($0.key, $0.value) }
    onError = options.onError.map { JSONValue($0.rawValue) }
  }

  init<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) {
    self.init(request.compiled, request.variables, request.options)
  }

  /// Adds a member to the extensions, replacing one of the same name.
  mutating func setExtension(_ name: String, _ value: JSONValue) {
    extensions.removeAll { $0.0 == name }
    extensions.append((name, value))
  }

  var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let name { members.append(("operationName", JSONValue(name))) }
    if let text { members.append(("query", JSONValue(text))) }
    if variables.count > 0 { members.append(("variables", variables)) }
    if let onError { members.append(("onError", onError)) }
    if !extensions.isEmpty { members.append(("extensions", .object(extensions))) }
    return members
  }

  /// The body of a POST.
  var body: [UInt8] { JSONWriter.compactBytes(.object(members)) }

  /// Returns the URL of a GET, or nil if it would be too long.
  func query(appendedTo url: String) -> String? {
    var parts: [String] = []
    for (name, value) in members {
      parts.append("\(name)=\(PercentEncoding.encoded(value.string ?? value.description))")
    }
    let base = url.prefix { $0 != "#" }
    let joint = base.contains("?") ? "&" : "?"
    let requestURL = base + joint + parts.joined(separator: "&")
    return requestURL.utf8.count <= Self.longestURL ? String(requestURL) : nil
  }
}
