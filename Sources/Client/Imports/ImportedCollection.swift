import ApusClientFormats
import ApusConfiguration
import ApusJSON
import ApusSecrets

/// The contents of files of other programs: requests in folders, and the environments that fill in their `{{variables}}`.
///
/// Text is as it was written, with its variables. `leftOut` names everything that is not supported.
package struct ImportedCollection: Sendable {
  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String
    /// Whether the file says that it authenticates the user: its value is a secret, whatever its name is.
    package var isAuthentication = false
    /// Whether the value is `user:password`, which is sent in Base64.
    package var isBasic = false

    /// The header of a user and a password, `user:password`.
    static func basic(_ credentials: String) -> Header {
      let isWhole = credentials.contains(":") || credentials.contains("{{")
      return Header(
        name: "Authorization", value: isWhole ? credentials : "\(credentials):", isAuthentication: true, isBasic: true)
    }
  }

  package struct Request: Sendable {
    package var folders: [String] = []
    package var name: String
    package var notes: String = ""
    package var url: String
    package var headers: [Header] = []
    package var query: String
    /// JSON text, which may have variables outside of its strings; empty for none.
    package var variables: String = ""
    package var operationName: String?
    /// JSON text; empty for none.
    package var extensions: String = ""
  }

  /// The value of a `{{variable}}`.
  package struct Value: Sendable {
    package var name: String
    package var text: String
    /// Whether the file says so.
    package var isSecret = false
  }

  package struct Environment: Sendable {
    package var name: String
    package var values: [Value]
  }

  package var requests: [Request] = []
  /// The values that hold in every environment.
  package var values: [Value] = []
  package var environments: [Environment] = []
  /// Each with its place: "Birds / all: a script that runs before it".
  package var leftOut: [String] = []
  /// The number of requests that were not taken.
  package private(set) var skipped = 0
  /// The number of requests in this file without a name.
  private(set) var requestNumber = 0
  private var tracingHeaders: Set<String> = []
  /// The settings for all requests of a Bruno folder, by the folder's path.
  var inheritedBruno: [String: BrunoFile] = [:]

  package init() {}

  /// Adds the contents of a file.
  ///
  /// - Parameters:
  ///   - name: The file's name, which decides between some formats.
  ///   - files: The files that this one may name.
  package mutating func add(
    _ foreign: ForeignText, named name: String, files: AdjacentFiles = .none
  ) throws(ImportFailure) {
    // Some programs begin a file with a byte order mark.
    let text = String(foreign.source.unicodeScalars.drop { $0 == "\u{FEFF}" })
    guard let first = text.first(where: { !$0.isWhitespace }) else { throw .empty(name) }
    requestNumber = 0
    if name.hasSuffix(".bru") { return readBruno(BrunoFile(text), path: name) }
    if first == "{" || first == "[" {
      guard let root = try? JSONDocument(parsing: text).root else { throw .brokenJSON(name) }
      return try add(json: root, named: name)
    }
    if ImportedYAML.isOne(text, named: name) { return try add(yaml: text, named: name) }
    let count = (requests.count, leftOut.count)
    ImportedTextFormat(of: text, named: name).read(text, files, into: &self)
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

  private mutating func add(yaml text: String, named name: String) throws(ImportFailure) {
    let root: JSONValue
    do throws(ConfigurationError) {
      root = ImportedYAML.json(try YAMLParser.parse(text, file: name))
    } catch {
      throw .brokenYAML(error.description)
    }
    if root["type"]?.string?.contains("insomnia.rest/") == true {
      readInsomnia5(root)
    } else {
      readOpenCollection(root, path: name)
    }
  }

  // MARK: Requests

  /// Adds the GraphQL requests of a request over HTTP: one, or those of a batch. Others are named.
  mutating func add(_ request: ImportedHTTPRequest) { add(GraphQLContents(of: request), of: request) }

  /// Adds a request of a program that keeps the document and the variables by themselves.
  mutating func add(_ content: GraphQLContent, of request: ImportedHTTPRequest) {
    add(GraphQLContents(url: request.url, content: content), of: request)
  }

  private mutating func add(_ found: GraphQLContents, of request: ImportedHTTPRequest) {
    let name = request.name.isEmpty ? "request \(nextRequestNumber())" : request.name
    let place = Self.place(request.folders, name)
    leftOut += request.leftOut.map { "\(place): \($0)" }
    for problem in found.problems { skip(place, problem) }
    let headers = request.headers.filter { !isOfTracing($0.name) && !SharedRequest.isOfTheBody($0.name) }
    for (index, content) in found.contents.enumerated() {
      let isNamed = !request.name.isEmpty && found.contents.count == 1
      let numbered = found.contents.count == 1 ? name : "\(name) \(index + 1)"
      requests.append(
        Request(
          folders: request.folders, name: isNamed ? name : content.name ?? numbered, notes: request.notes,
          url: found.url, headers: headers, query: content.query, variables: content.variables,
          operationName: content.operationName, extensions: content.extensions))
    }
  }

  /// Names a request that is not taken.
  mutating func skip(_ place: String, _ reason: String, count: Int = 1) {
    skipped += count
    leftOut.append("\(place): \(reason)")
  }

  mutating func nextRequestNumber() -> Int {
    requestNumber += 1
    return requestNumber
  }

  /// Whether a header names one request to a program that traces it. It would make an endpoint of each request.
  private mutating func isOfTracing(_ name: String) -> Bool {
    let lowered = name.lowercased()
    let isTracing =
      Self.tracingNames.contains(lowered) || Self.tracingPrefixes.contains { lowered.hasPrefix($0) }
    if isTracing, tracingHeaders.insert(lowered).inserted {
      leftOut.append("the header \(lowered), which traces a single request")
    }
    return isTracing
  }

  private static let tracingNames: Set<String> = [
    "traceparent", "tracestate", "baggage", "sentry-trace", "b3", "newrelic", "uber-trace-id", "request-id",
    "x-request-id", "x-correlation-id", "correlation-id", "x-trace-id", "x-cloud-trace-context", "x-amzn-trace-id",
    "x-client-trace-id", "x-operation-id", "elastic-apm-traceparent", "x-apollo-operation-name",
    "x-apollo-operation-id", "x-apollo-operation-type", "x-graphql-operation-name", "graphql-operation-name",
  ]
  private static let tracingPrefixes = ["x-b3-", "x-datadog-", "ot-tracer-", "x-ot-span-", "uberctx-"]

  /// The number of folders within one another that are read: each request has the names of all.
  static let deepest = 32

  static func place(_ folders: [String], _ name: String) -> String {
    (folders + [name]).map { $0.prefix(200) }.joined(separator: " / ")
  }
}

extension GraphQLContent {
  /// The operation's name, as the request or its document says.
  var name: String? {
    if let operationName, !operationName.isEmpty { return operationName }
    let words = query.split(maxSplits: 8) { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let isNamed = words.count > 1 && ["query", "mutation", "subscription"].contains(words[0])
    guard isNamed, let start = query.firstRange(of: words[0]), let brace = query.firstIndex(of: "{") else { return nil }
    let head = query[start.upperBound..<max(brace, start.upperBound)]
    return head.prefix { $0 != "(" && $0 != "@" }.contains { $0.isLetter || $0 == "_" } ? String(words[1]) : nil
  }
}

/// Why a file is not imported at all.
package enum ImportFailure: Error, CustomStringConvertible, Equatable {
  case empty(String)
  case brokenJSON(String)
  /// The parser's message.
  case brokenYAML(String)
  case unknown(String)

  package var description: String {
    switch self {
    case .empty(let name): "\(name) is empty"
    case .brokenJSON(let name): "\(name) begins like JSON, but cannot be read as JSON"
    case .brokenYAML(let message): message
    case .unknown(let name):
      "\(name) has no format that can be imported: curl commands, PowerShell or fetch calls, .http files, Postman 2.1, "
        + "Insomnia 4 and 5, Bruno, OpenCollection, Altair, HAR"
    }
  }
}

extension ImportedCollection {
  /// Returns the header of an authentication method. Methods without a header are named.
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
    case "basic": return .basic("\(value("username") ?? ""):\(value("password") ?? "")")
    default: break
    }
    leftOut.append("\(place): authentication by \(kind)")
    return nil
  }
}
