import ApusJSON
import ApusSecrets

/// What files of other programs hold: requests in folders, and the environments that fill in their `{{variables}}`.
///
/// Texts are as they were written, variables in them and all. What is not understood is named in `leftOut`.
package struct ImportedCollection: Sendable {
  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String
    /// Whether the file says that it authenticates the user: its value is a secret, whatever its name is.
    package var isAuthentication = false
  }

  package struct Request: Sendable {
    package var folders: [String] = []
    package var name: String
    package var notes: String = ""
    package var url: String
    package var headers: [Header] = []
    package var query: String
    /// JSON text; empty for none.
    package var variables: String = ""
    package var operationName: String?
  }

  /// What a `{{variable}}` stands for.
  package struct Value: Sendable {
    package var name: String
    package var text: String
    /// The file says so.
    package var isSecret = false
  }

  package struct Environment: Sendable {
    package var name: String
    package var values: [Value]
  }

  package var requests: [Request] = []
  /// What holds in every environment.
  package var values: [Value] = []
  package var environments: [Environment] = []
  /// Each with its place: "Birds / all: a script that runs before it".
  package var leftOut: [String] = []
  /// What holds for all requests of a folder of Bruno's, by the folder's path.
  var inheritedBruno: [String: BrunoFile] = [:]

  package init() {}

  /// Adds what a file holds.
  ///
  /// - Parameter name: the file's name, which tells some formats.
  package mutating func add(_ foreign: ForeignText, named name: String) throws(ImportFailure) {
    let text = foreign.source
    guard let first = text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else { throw .empty(name) }
    if name.hasSuffix(".bru") { return readBruno(text, path: name) }
    if first == "{" || first == "[" {
      guard let root = try? JSONDocument(parsing: text.drop { $0 == "\u{FEFF}" }.description).root else {
        throw .brokenJSON(name)
      }
      return try add(json: root, named: name)
    }
    if text.hasPrefix("type: collection.insomnia.rest/") { throw .newInsomnia(name) }
    let count = (requests.count, leftOut.count)
    if CurlCommands.isOne(text) { readCurl(text) } else { readHTTP(text, named: name) }
    guard (requests.count, leftOut.count) != count || !values.isEmpty else { throw .unknown(name) }
  }

  private mutating func add(json root: JSONValue, named name: String) throws(ImportFailure) {
    let schema = root["info"]?["schema"]?.string ?? ""
    if schema.contains("/collection/v2.") || root["info"]?["_postman_id"] != nil && root["item"] != nil {
      readPostman(root)
    } else if root["_postman_variable_scope"] != nil || root["values"]?.kind == .array && root["name"] != nil {
      readPostmanEnvironment(root)
    } else if root["_type"]?.string == "export", root["resources"]?.kind == .array {
      readInsomnia(root)
    } else if let type = root["type"]?.string, ["collection", "window", "environment"].contains(type) {
      readAltair(root, type: type)
    } else if root["log"]?["entries"]?.kind == .array {
      readHAR(root)
    } else if name.hasSuffix(".env.json"), root.kind == .object {
      readHTTPEnvironments(root, isSecret: name.contains(".private."))
    } else {
      throw .unknown(name)
    }
  }

  /// Adds a request of whose body only the text is known; what is no GraphQL is named.
  mutating func add(
    folders: [String], name: String, notes: String = "", url: String, headers: [Header], body: String
  ) {
    let place = Self.place(folders, name)
    let shared = headers.map { SharedRequest.Header(name: $0.name, foreign: $0.value) }
    guard let request = SharedRequest(url: url, headers: shared, body: body) else {
      leftOut.append("\(place): it is no GraphQL request")
      return
    }
    let kept = Set(request.headers.map(\.name))
    // Some programs write variables as a text within the JSON.
    let written = (try? JSONDocument(parsing: body).root)?["variables"]?.string
    requests.append(
      Request(
        folders: folders, name: name, notes: notes, url: request.url,
        headers: headers.filter { kept.contains($0.name) },
        query: request.query, variables: written ?? request.variables, operationName: request.operationName))
  }

  /// Folders in one another that are read: each request has the names of all.
  static let deepest = 32

  static func place(_ folders: [String], _ name: String) -> String {
    (folders + [name]).map { $0.prefix(200) }.joined(separator: " / ")
  }
}

/// Why a file is not imported at all.
package enum ImportFailure: Error, CustomStringConvertible, Equatable {
  case empty(String)
  case brokenJSON(String)
  case newInsomnia(String)
  case unknown(String)

  package var description: String {
    switch self {
    case .empty(let name): "\(name) is empty"
    case .brokenJSON(let name): "\(name) is no JSON, though it begins like it"
    case .newInsomnia(let name): "\(name) is in Insomnia's format 5; export it as format 4 (JSON)"
    case .unknown(let name):
      "\(name) is none of what can be imported: curl commands, .http files, Postman 2.1, Insomnia 4, Bruno, Altair, HAR"
    }
  }
}

extension ImportedCollection {
  /// The header that a way of authenticating comes to; what comes to none is named.
  mutating func header(
    ofAuthentication kind: String, at place: String, _ value: (String) -> String?
  ) -> Header? {
    switch kind.lowercased() {
    case "", "none", "noauth", "inherit": return nil
    case "bearer":
      let scheme = value("prefix").flatMap { $0.isEmpty ? nil : $0 } ?? "Bearer"
      return Header(name: "Authorization", value: "\(scheme) \(value("token") ?? "")", isAuthentication: true)
    case "apikey" where ["header", "", nil].contains(value("in") ?? value("addTo") ?? value("placement")):
      guard let name = value("key"), !name.isEmpty else { break }
      return Header(name: name, value: value("value") ?? "", isAuthentication: true)
    case "basic":
      // The two are encoded together, which a file that names them apart cannot say: both are asked for as one.
      leftOut.append("\(place): basic authentication; set BASIC_CREDENTIALS to Base64 of user:password")
      return Header(name: "Authorization", value: "Basic {{BASIC_CREDENTIALS}}")
    default: break
    }
    leftOut.append("\(place): authentication by \(kind)")
    return nil
  }
}
