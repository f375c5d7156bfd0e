import ApusClientRequests
import ApusConfiguration
import ApusJSON
import ApusSecrets

/// The imported contents of files of other programs: requests in folders, and environments with values for their
/// `{{variables}}`.
///
/// Text is stored as written, with its variables. `leftOut` lists everything that is not supported.
package struct ImportedCollection: Sendable {
  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String
    /// Whether the file marks the header as authentication, so that its value is a secret whatever its name.
    package var isAuthentication = false
    /// Whether the value is `user:password`, which is sent as Base64.
    package var isBasic = false

    /// Returns the header for a user and password in the form `user:password`.
    static func basic(_ credentials: String) -> Header {
      let isWhole = credentials.contains(":") || credentials.contains("{{")
      return Header(
        name: "Authorization", value: isWhole ? credentials : "\(credentials):", isAuthentication: true, isBasic: true)
    }
  }

  /// The value of a `{{variable}}`.
  package struct Value: Sendable {
    package var name: String
    package var text: String
    /// Whether the file marks the value as secret.
    package var isSecret = false
  }

  package struct Environment: Sendable {
    package var name: String
    package var values: [Value]
  }

  /// The requests, whose texts have the variables of the files.
  package var requests: [ImportedRequest] = []
  /// The values that apply in all environments.
  package var values: [Value] = []
  package var environments: [Environment] = []
  /// Messages about parts that were not imported, each with a location: "Birds / all: a script that runs before it".
  package var leftOut: [String] = []
  /// The number of requests that were not imported.
  package private(set) var skipped = 0
  /// The number of unnamed requests in the current file.
  private(set) var requestNumber = 0
  private var tracingHeaders: Set<String> = []
  /// The variables of the current script or HTTP file. They apply only in it, to the requests that are read after they are
  /// set.
  var fileValues = ImportedValues([])
  /// The first values of `values`, by name.
  private var firstValues: (count: Int, values: ImportedValues) = (0, ImportedValues([]))
  /// Whether the current file is a batch file of Windows.
  private(set) var isBatchFile = false
  /// The settings for all requests of a Bruno folder, by the folder's path.
  var inheritedBruno: [String: BrunoFile] = [:]

  package init() {}

  /// Adds the contents of a file.
  ///
  /// - Parameters:
  ///   - untrusted: The text of the file.
  ///   - name: The file's name, which distinguishes some formats.
  ///   - files: Access to the files that this one refers to.
  ///   - isFound: Whether a search found the file. Text of such a file must have the form of a request.
  package mutating func add(
    _ untrusted: UntrustedText, named name: String, files: AdjacentFiles = .none, isFound: Bool = false
  ) throws(ImportError) {
    // Some programs write a byte order mark.
    let text = String(untrusted.source.unicodeScalars.drop { $0 == "\u{FEFF}" })
    guard let first = text.first(where: { !$0.isWhitespace }) else { throw .empty(name) }
    requestNumber = 0
    isBatchFile = [".bat", ".cmd"].contains(where: name.lowercased().hasSuffix)
    fileValues = ImportedValues([])
    if text.unicodeScalars.contains("\u{FFFD}") {
      leftOut.append("characters that are not valid UTF-8; they were replaced by \u{FFFD}")
    }
    if name.hasSuffix(".bru") { return readBruno(BrunoFile(text), path: name) }
    if first == "{" || first == "[" {
      if let root = try? JSONDocument(parsing: text).root { return try add(json: root, named: name) }
      guard ImportFormat.isText(named: name) else { throw .brokenJSON(name) }
    } else if ImportedYAML.isOne(text, named: name) {
      return try add(yaml: text, named: name)
    }
    let format = ImportFormat.ofText(text, named: name)
    if format.isPowerShell { throw .powerShell(name) }
    guard !isFound || format.isCertain(of: text, named: name) else { throw .unknown(name) }
    let count = (requests.count, skipped, leftOut.count)
    format.read(text, files, into: &self)
    // A script without requests is not one of those that a search is for.
    let isEmpty = (requests.count, skipped) == (count.0, count.1) && (isFound || leftOut.count == count.2)
    guard !isEmpty || !fileValues.isEmpty && !isFound else { throw .unknown(name) }
  }

  /// Adds one of several files. Messages start with its name, and a file that cannot be read is recorded.
  package mutating func addOne(
    _ text: UntrustedText, named name: String, files: AdjacentFiles, isFound: Bool = false
  ) {
    let count = leftOut.count
    do throws(ImportError) {
      try add(text, named: name, files: files, isFound: isFound)
      // A place in a Bruno collection is already the path of its file.
      guard ![".bru", ".yml"].contains(where: name.hasSuffix) else { return }
      for index in leftOut.indices[count...] { leftOut[index] = "\(name): \(leftOut[index])" }
    } catch {
      leftOut.removeSubrange(count...)
      if isFound, !error.isOfRequest(text.source) {
        leftOut.append(
          error == .unknown(name) ? "\(name) was skipped: it has no requests in a supported format" : "\(error)")
      } else {
        skip("\(error)")
      }
    }
  }

  private mutating func add(json root: JSONValue, named name: String) throws(ImportError) {
    for case .json(let isOne, let read) in ImportFormat.all.map(\.form) where isOne(root, name) {
      return read(&self, root, name)
    }
    // Postman's API wraps a collection.
    guard let inner = root["collection"], inner["info"]?["schema"] != nil else { throw .unknown(name) }
    try add(json: inner, named: name)
  }

  private mutating func add(yaml text: String, named name: String) throws(ImportError) {
    let root: JSONValue
    do throws(ConfigurationError) {
      root = try YAMLParser.parse(text, file: name, limits: .export).json
    } catch {
      throw .brokenYAML(error.description)
    }
    for case .yaml(let isOne, let read) in ImportFormat.all.map(\.form) where isOne(root, name) {
      return read(&self, root, name)
    }
    throw .unknown(name)
  }

  // MARK: Requests

  /// Adds the GraphQL requests in an HTTP request, which can be a batch. Other requests are listed in `leftOut`.
  mutating func add(_ request: ImportedHTTPRequest) {
    let found = GraphQLContents(of: request)
    let body = ImportTemplate(request.body)
    guard !found.problems.isEmpty, !body.variables.isEmpty else { return add(found, of: request) }
    // A variable can contain the body or the document, as JSON or as plain text.
    let values = valuesInFile()
    for isInJSON in [false, true] {
      var filled = request
      filled.body = body.rendered(from: values, isInJSON: isInJSON)
      let found = GraphQLContents(of: filled)
      if found.problems.isEmpty { return add(found, of: request) }
    }
    add(found, of: request)
  }

  /// Adds a request of a program that stores the document and variables separately.
  mutating func add(_ content: RequestDraft, of request: ImportedHTTPRequest) {
    let found = GraphQLContents(url: request.url, content: content)
    let query = ImportTemplate(content.query.text)
    guard !found.problems.isEmpty, !query.variables.isEmpty else { return add(found, of: request) }
    var filled = content
    filled.query = DraftText(query.rendered(from: valuesInFile()))
    let again = GraphQLContents(url: request.url, content: filled)
    add(again.problems.isEmpty ? again : found, of: request)
  }

  /// Returns the values of the current file's variables.
  private mutating func valuesInFile() -> ImportedValues {
    guard fileValues.isEmpty else { return fileValues }
    firstValues.values.add(values[min(firstValues.count, values.count)...])
    firstValues.count = values.count
    return firstValues.values
  }

  private mutating func add(_ found: GraphQLContents, of request: ImportedHTTPRequest) {
    let name = request.name.isEmpty ? "request \(nextRequestNumber())" : LiteralBraces.shown(request.name)
    let place = ImportedRequest.title(request.folders, name)
    let usesGET = found.contents.contains(where: \.options.usesGET)
    leftOut += (request.leftOut + found.leftOut).map { "\(place): \($0)" }
    if !found.contents.isEmpty, !["POST", usesGET ? "GET" : "POST"].contains(request.method) {
      leftOut.append("\(place): \(request.method) (the request is sent with POST)")
    }
    for problem in found.problems { skip(place, problem) }
    let values = fileValues
    let headers = request.headers.filter { !isOfTracing($0.name) && !RequestDraft.isOfTheBody($0.name) }.map {
      header in
      var filled = RequestDraft.Header(name: header.name, untrusted: header.value)
      filled.isAuthentication = header.isAuthentication
      filled.isBasic = header.isBasic
      return filled
    }
    for (index, content) in found.contents.enumerated() {
      let isNamed = !request.name.isEmpty && found.contents.count == 1
      let numbered = found.contents.count == 1 ? name : "\(name) \(index + 1)"
      var draft = content
      draft.url = found.url
      draft.headers = headers
      draft.options.references = values.references(in: draft.texts)
      var imported = ImportedRequest(
        folders: request.folders, name: isNamed ? name : content.name ?? numbered, draft: draft)
      imported.notes = request.notes
      requests.append(imported)
    }
  }

  /// Records a request that is not imported.
  mutating func skip(_ place: String, _ reason: String, count: Int = 1) { skip("\(place): \(reason)", count: count) }

  private mutating func skip(_ message: String, count: Int = 1) {
    skipped += count
    leftOut.append(message)
  }

  mutating func nextRequestNumber() -> Int {
    requestNumber += 1
    return requestNumber
  }

  /// Returns whether a header identifies a single request for tracing. If imported, it would create an endpoint per request.
  private mutating func isOfTracing(_ name: String) -> Bool {
    let lowered = name.lowercased()
    let isTracing =
      Self.tracingNames.contains(lowered) || Self.tracingPrefixes.contains { lowered.hasPrefix($0) }
    if isTracing, tracingHeaders.insert(lowered).inserted {
      leftOut.append("the tracing header \(lowered)")
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

  /// Folders below this depth are left out, because each request stores the names of all folders around it.
  static let deepest = 32
}

extension RequestDraft {
  /// The operation's name, from the request or its document.
  var name: String? {
    if let operationName, !operationName.isEmpty { return operationName }
    let query = query.text
    let words = query.split(maxSplits: 8) { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let isNamed = words.count > 1 && ["query", "mutation", "subscription"].contains(words[0])
    guard isNamed, let start = query.firstRange(of: words[0]), let brace = query.firstIndex(of: "{") else { return nil }
    let head = query[start.upperBound..<max(brace, start.upperBound)]
    return head.prefix { $0 != "(" && $0 != "@" }.contains { $0.isLetter || $0 == "_" } ? String(words[1]) : nil
  }
}

/// An error that prevents the import of a file.
package enum ImportError: Error, CustomStringConvertible, Equatable {
  case empty(String)
  case brokenJSON(String)
  /// The message is from the parser.
  case brokenYAML(String)
  case powerShell(String)
  case unknown(String)

  static let powerShellAdvice = "is for PowerShell; copy it as cURL"

  package var description: String {
    switch self {
    case .empty(let name): "\(name) is empty"
    case .brokenJSON(let name): "\(name) is not valid JSON"
    case .brokenYAML(let message): message
    case .powerShell(let name): "\(name) \(Self.powerShellAdvice)"
    case .unknown(let name):
      "\(name) has no supported format: \(ImportFormat.summaries)"
    }
  }

  /// Whether text with this error may have contained requests.
  func isOfRequest(_ text: String) -> Bool {
    switch self {
    case .empty: false
    case .unknown(let name): PossibleRequest.isIn(text, named: name)
    case .powerShell: true
    case .brokenJSON, .brokenYAML: ["query", "request", "graphql", "://"].contains(where: text.contains)
    }
  }
}

extension ImportedCollection {
  /// Returns the header for an authentication method. Unsupported methods are recorded.
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
    case "oauth2":
      guard let token = value("accessToken"), !token.isEmpty else { break }
      let scheme = value("headerPrefix").map { $0.filter { $0 != " " } }.flatMap { $0.isEmpty ? nil : $0 } ?? "Bearer"
      return Header(name: "Authorization", value: "\(scheme) \(token)", isAuthentication: true)
    default: break
    }
    leftOut.append("\(place): authentication by \(kind)")
    return nil
  }
}
