import ApusJSON
import ApusSecrets

/// A GraphQL request as people hand it on: a curl command, an HTTP file, an `apus` command line.
package struct SharedRequest: Equatable, Sendable {
  package struct Header: Equatable, Sendable {
    package var name: String
    /// Live where the person wrote it so; what was imported is literal.
    package var value: SecretText
    /// Whether the text that it was imported from says that it authenticates the user.
    package var isAuthentication = false

    package init(name: String, value: SecretText) {
      self.name = name
      self.value = value
    }

    /// A header that somebody else wrote: one line, and every dollar sign in it is one.
    init(name: String, foreign value: String) {
      self.name = name.filter { !$0.isNewline }
      let line = value.split(whereSeparator: \.isNewline).joined(separator: " ")
      self.value = ForeignText(line).literal
    }

    /// The value where it is nothing but text.
    package var text: String { if case .text(let text)? = value.parts.first { text } else { "" } }
  }

  package var url: String
  package var headers: [Header]
  package var query: String
  /// JSON text; empty for none.
  package var variables: String
  package var operationName: String?
  /// JSON text; empty for none.
  package var extensions = ""
  /// Where the query looks first, for who has a cache; nil where it simply goes to the network.
  package var cachePolicy: String?
  /// What an imported text asks for that this does not do, in the text's own words; a person is told.
  package var leftOut: [String] = []

  package init(url: String, headers: [Header] = [], query: String, variables: String = "", operationName: String? = nil)
  {
    self.url = url
    self.headers = headers
    self.query = query
    self.variables = variables
    self.operationName = operationName
  }

  /// Reads whichever of the forms the text is; nil if it is none.
  package init?(importing foreign: ForeignText) {
    let text = foreign.source
    let start = text.drop { $0.isWhitespace || $0 == "$" }
    if start.hasPrefix("curl") {
      guard let request = SharedRequest(curl: String(start)) else { return nil }
      self = request
    } else {
      guard let request = SharedRequest(http: text) else { return nil }
      self = request
    }
  }

  /// The body that is sent.
  package var body: JSONValue {
    var members: [(String, JSONValue)] = [("query", JSONValue(query))]
    if let value = try? JSONDocument(parsing: variables).root { members.append(("variables", value)) }
    if let operationName { members.append(("operationName", JSONValue(operationName))) }
    if let value = try? JSONDocument(parsing: extensions).root { members.append(("extensions", value)) }
    return .object(members)
  }

  /// What is sent, as JSON, as the fields of a form, as a document alone, or in the URL's query.
  init?(url: String, headers: [Header], body: String) {
    let kept = Self.kept(headers)
    let isDocument = headers.contains {
      $0.name.lowercased() == "content-type" && $0.text.lowercased().contains("application/graphql")
        && !$0.text.contains("json")
    }
    if let json = try? JSONDocument(parsing: body).root, let query = json["query"]?.string {
      let variables = json["variables"].flatMap { $0.kind == .object && $0.count > 0 ? JSONWriter.pretty($0) : nil }
      self.init(
        url: url, headers: kept, query: query, variables: variables ?? "", operationName: json["operationName"]?.string)
      extensions = Self.extensions(in: json["extensions"])
    } else if let request = SharedRequest(url: url, headers: kept, fields: URLQuery.fields(body[...])) {
      self = request
    } else if isDocument || body.contains("{") && !body.drop(while: \.isWhitespace).hasPrefix("{\"") {
      self.init(url: url, headers: kept, query: body)
    } else if body.isEmpty, let request = SharedRequest(inURL: url, headers: kept) {
      self = request
    } else {
      return nil
    }
  }

  /// A request whose document is in the URL, as GET requests have it. What else is in the URL's query stays.
  ///
  /// Source: GraphQL over HTTP, "GET".
  private init?(inURL url: String, headers: [Header]) {
    let whole = url.prefix { $0 != "#" }
    guard let mark = whole.firstIndex(of: "?") else { return nil }
    let fields = URLQuery.fields(whole[whole.index(after: mark)...])
    let own = ["query", "variables", "operationName", "extensions"]
    let others = fields.filter { !own.contains($0.name) }.map(\.source)
    let place = whole[..<mark] + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    self.init(url: String(place), headers: headers, fields: fields)
  }

  private init?(url: String, headers: [Header], fields: [(name: String, value: String, source: Substring)]) {
    func value(_ name: String) -> String? { fields.first { $0.name == name && !$0.value.isEmpty }?.value }
    guard let query = value("query") else { return nil }
    let variables = value("variables").flatMap { try? JSONDocument(parsing: $0).root }
    self.init(
      url: url, headers: headers, query: query,
      variables: variables.flatMap { $0.kind == .object && $0.count > 0 ? JSONWriter.pretty($0) : nil } ?? "",
      operationName: value("operationName"))
    extensions = Self.extensions(in: value("extensions").flatMap { try? JSONDocument(parsing: $0).root })
  }

  /// The extensions of an imported request, without the digest of a persisted query, which its sender adds.
  private static func extensions(in json: JSONValue?) -> String {
    let members = json.map { $0.members.filter { $0.key != "persistedQuery" }.map { ($0.key, $0.value) } } ?? []
    return members.isEmpty ? "" : JSONWriter.compact(.object(members))
  }

  /// What the body itself says of its type is of no use to whoever runs the request anew.
  static func kept(_ headers: [Header]) -> [Header] {
    headers.filter { !isOfTheBody($0.name) }
  }

  static func isOfTheBody(_ header: String) -> Bool {
    ["content-type", "content-length", "host", "accept-encoding"].contains(header.lowercased())
  }
}
