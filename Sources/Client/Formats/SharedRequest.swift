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
    package init(name: String, foreign value: String) {
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

  package init(url: String, headers: [Header] = [], query: String, variables: String = "", operationName: String? = nil)
  {
    self.url = url
    self.headers = headers
    self.query = query
    self.variables = variables
    self.operationName = operationName
  }

  /// The body that is sent.
  package var body: JSONValue {
    var members: [(String, JSONValue)] = [("query", JSONValue(query))]
    if let value = try? JSONDocument(parsing: variables).root { members.append(("variables", value)) }
    if let operationName { members.append(("operationName", JSONValue(operationName))) }
    if let value = try? JSONDocument(parsing: extensions).root { members.append(("extensions", value)) }
    return .object(members)
  }

  /// Whether a header describes the body, which the sender of a request does by itself.
  package static func isOfTheBody(_ header: String) -> Bool {
    ["content-type", "content-length", "host", "accept-encoding"].contains(header.lowercased())
  }
}
