import ApusClientFormats
import ApusClientRequests
import ApusJSON
import ApusSecrets

/// A collection as files: a document for each request, its variables in a separate file, and a graphql-config file with
/// the endpoints. The files contain no secrets, which are read from the environment when a request is sent.
package struct ImportedFolder: Sendable {
  /// Files with their paths in the directory, in order.
  package private(set) var files: [(path: String, text: String)] = []
  /// Messages for the user about missing parts and required actions, one per line.
  package private(set) var notes: [String]

  private var endpoints: [Endpoint] = []
  /// Names of endpoints, by URL and headers.
  private var nameOfEndpoint: [Destination: String] = [:]
  private var environmentNames: [String] = []
  private var knownEnvironmentNames: Set<String> = []
  private var knownNotes: Set<String>
  /// Numbers of secrets, by the name of their environment variable and their value. Different secrets with the same
  /// name get different variables, so that no secret is sent to the wrong host.
  private var secrets: [String: [String: Int]] = [:]
  /// File paths in use, with the next number for each.
  private var paths: [String: Int] = [:]
  private var endpointNames: [String: Int] = [:]

  private struct Endpoint {
    let name: String
    let destination: Destination
  }

  /// The URLs and the headers of requests.
  private struct Destination: Hashable {
    var url: String
    var subscriptionURL = ""
    var headers: [Header] = []

    struct Header: Hashable {
      var name: String
      var value: String
    }
  }

  private typealias Environment = (name: String, values: ImportedValues)

  /// The maximum number of combinations of requests and environments. If there are more, only the first environment is
  /// imported.
  private static let pairLimit = 1_000_000

  /// Creates the files.
  ///
  /// - Parameter source: The name of the imported file, for a comment.
  package init(_ collection: ImportedCollection, from source: String) {
    notes = collection.leftOut.map { LiteralBraces.shown($0) }
    knownNotes = Set(notes)
    var environments: [Environment] = collection.environments.map {
      ($0.name, ImportedValues(collection.values + $0.values))
    }
    if environments.isEmpty { environments = [("default", ImportedValues(collection.values))] }
    if environments.count > Self.pairLimit / max(collection.requests.count, 1) {
      record("all environments except '\(environments[0].name)', because there are too many")
      environments = [environments[0]]
    }
    // If there are several environments, the values of their variables stay open.
    let values = collection.environments.count == 1 ? environments[0].values : ImportedValues(collection.values)
    var names: [[String]] = []
    for request in collection.requests { names.append(addEndpoints(of: request, environments)) }
    let isOne = Set(names).count == 1
    var documents: [(path: String, text: String)] = []
    for (request, endpoints) in zip(collection.requests, names) {
      documents += files(of: request, values, endpoints: isOne ? [] : endpoints)
    }
    files = [(".graphqlrc.yml", configuration(from: source))] + documents
    if !environmentNames.isEmpty {
      notes.append(
        "secrets were not written; set \(environmentNames.joined(separator: ", ")) in the environment, "
          + "then run 'apus trust' in the folder")
    }
  }

  // MARK: Endpoints

  /// Adds the endpoints of a request, one for each environment with different values. Returns their names.
  private mutating func addEndpoints(of request: ImportedRequest, _ environments: [Environment]) -> [String] {
    var names: [String] = []
    var knownNames: Set<String> = []
    for environment in environments {
      var destination = Destination(url: url(request.url(from: environment.values)))
      guard ["http://", "https://", "$"].contains(where: destination.url.hasPrefix) else {
        record("\(request.title): its URL is not an HTTP URL")
        continue
      }
      let subscriptionURL = url(request.subscriptionURL(from: environment.values))
      if subscriptionURL.hasPrefix("$") || WebURL.isServer(subscriptionURL) {
        destination.subscriptionURL = subscriptionURL
      } else if !subscriptionURL.isEmpty {
        record("\(request.title): its URL for subscriptions is not a URL")
      }
      for header in request.headers(from: environment.values) {
        guard Self.isHeaderName(header.name), !header.text.contains(where: \.isNewline) else {
          record("\(request.title): a header with an invalid name or value")
          continue
        }
        destination.headers.append(.init(name: header.name, value: headerValue(header)))
      }
      if let same = nameOfEndpoint[destination] {
        if knownNames.insert(same).inserted { names.append(same) }
        continue
      }
      let host = Self.host(destination.url)
      let name = free(Self.plainName(environment.name), host.isEmpty ? "" : Self.plainName(host))
      nameOfEndpoint[destination] = name
      endpoints.append(Endpoint(name: name, destination: destination))
      knownNames.insert(name)
      names.append(name)
    }
    return names
  }

  private mutating func record(_ text: String) { if knownNotes.insert(text).inserted { notes.append(text) } }

  /// Returns an unused name: the name itself, the name with the host, or one with a number.
  private mutating func free(_ name: String, _ host: String) -> String {
    if endpointNames[name] == nil || host.isEmpty { return Self.free(name, mark: "-", in: &endpointNames) }
    return Self.free("\(name)-\(host)", mark: "-", in: &endpointNames)
  }

  /// Returns the name, or the name with the lowest number that makes it unique. Case is ignored.
  private static func free(_ name: String, mark: String, in taken: inout [String: Int]) -> String {
    let key = name.lowercased()
    guard var number = taken[key] else {
      taken[key] = 1
      return name
    }
    var free = name
    repeat {
      number += 1
      free = "\(name)\(mark)\(number)"
    } while taken[free.lowercased()] != nil
    taken[key] = number
    taken[free.lowercased()] = 1
    return free
  }

  private static func host(_ url: String) -> String {
    guard let start = url.firstRange(of: "://") else { return "" }
    let authority = url[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
    return String(authority.split(separator: "@").last ?? authority)
  }

  private static func plainName(_ name: String) -> String {
    let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
    let trimmed = plain.drop { $0 == "-" || $0 == "." }
    return trimmed.isEmpty ? "endpoint" : String(trimmed)
  }

  private static func isHeaderName(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy {
        (0x21...0x7E).contains($0.value) && !"()<>@,;:\\\"/[]?={}".unicodeScalars.contains($0)
      }
  }

  private mutating func live(_ template: ImportTemplate) -> String {
    let (text, names) = template.live()
    for name in names where knownEnvironmentNames.insert(name).inserted { environmentNames.append(name) }
    return text
  }

  /// Returns the URL for the configuration. Secret query parameters and credentials are read from the environment.
  private mutating func url(_ url: String) -> String {
    let place = url.prefix { $0 != "?" }
    let fields = url.dropFirst(place.count + 1).split(separator: "&").map { field -> String in
      let name = field.prefix { $0 != "=" }
      let value = String(field.dropFirst(name.count + 1))
      let isSecret =
        SecretNames.contains(String(name), in: .parameter) || SecretPatterns.hidden(in: value, mark: "") != value
      guard isSecret, !field.contains("{{") else { return String(field) }
      return "\(name)={{\(environmentName(of: String(name), value))}}"
    }
    let isPlain = SecretPatterns.hidden(in: String(place), mark: "") == place
    let credentials = isPlain ? "" : environmentName(of: "URL_CREDENTIALS", String(place))
    let shown = SecretPatterns.hidden(in: String(place), mark: "{{\(credentials)}}")
    return live(ImportTemplate(shown + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))))
  }

  /// Returns the header value for the configuration. A secret is read from an environment variable that is named after
  /// its variable or header.
  private mutating func headerValue(_ header: RequestDraft.Header) -> String {
    let filled = header.text
    let template = ImportTemplate(filled)
    if header.isBasic { return basic(filled, template) }
    let isSecret =
      header.isAuthentication || SecretNames.contains(header.name, in: .header)
      || SecretPatterns.hidden(in: filled, mark: "") != filled
    guard isSecret, !template.parts.isEmpty else { return live(template) }
    let scheme = filled.prefix { $0 != " " }
    let isScheme = scheme.count < filled.count && SecretNames.schemes.contains(scheme.lowercased())
    // A value that consists of variables, such as `Bearer {{token}}`, contains no secret itself.
    let rest = ImportTemplate(isScheme ? String(filled.dropFirst(scheme.count + 1)) : filled)
    if rest.parts.allSatisfy({ if case .variable = $0 { true } else { false } }) { return live(template) }
    let name = environmentName(of: header.name, filled)
    return live(ImportTemplate("\(isScheme ? "\(scheme) " : ""){{\(name)}}"))
  }

  /// Returns a Basic authentication value. User and password are encoded together, so one environment variable has
  /// both.
  private mutating func basic(_ credentials: String, _ template: ImportTemplate) -> String {
    let name = environmentName(of: RunOptions.Reference.basicCredentials, credentials)
    let names = template.variables.map { ImportTemplate.environmentName(of: $0) }
    var parts = names.isEmpty ? "the user and the password, as user:password" : names.joined(separator: ":")
    // A user that is text is shown, because it is not a secret; a password that is text is not.
    if names.count == 1, let colon = credentials.firstIndex(of: ":") {
      let user = credentials[..<colon]
      let isUser = ImportTemplate(String(user)).variables.isEmpty
      parts = isUser ? "\(user):\(names[0])" : "\(names[0]):password"
    }
    record("basic authentication: set \(name) to the Base64 of \(parts)")
    return live(ImportTemplate("Basic {{\(name)}}"))
  }

  private mutating func environmentName(of name: String, _ secret: String) -> String {
    let name = ImportTemplate.environmentName(of: name)
    let count = secrets[name]?.count ?? 0
    let number = secrets[name]?[secret] ?? count
    if number == count { secrets[name, default: [:]][secret] = number }
    return number == 0 ? name : "\(name)_\(number + 1)"
  }

  // MARK: Files

  private func configuration(from source: String) -> String {
    let members = endpoints.map { endpoint -> (String, JSONValue) in
      let destination = endpoint.destination
      var value: [(String, JSONValue)] = [("url", JSONValue(destination.url))]
      if !destination.headers.isEmpty {
        value.append(("headers", .object(destination.headers.map { ($0.name, JSONValue($0.value)) })))
      }
      if !destination.subscriptionURL.isEmpty {
        value.append(("subscription", .object([("url", JSONValue(destination.subscriptionURL))])))
      }
      return (endpoint.name, .object(value))
    }
    let root: JSONValue = .object([
      ("documents", "**/*.graphql"), ("extensions", .object([("endpoints", .object(members))])),
    ])
    return "# Imported from \(Self.oneLine(source)).\n" + YAMLText.of(root)
  }

  private mutating func files(
    of request: ImportedRequest, _ values: ImportedValues, endpoints: [String]
  ) -> [(path: String, text: String)] {
    let content = documents(of: request, values)
    let open =
      ImportTemplate(request.query(from: values)).variables + ImportTemplate(request.variables(from: values)).variables
    let draft = request.draft
    if !content.secrets.isEmpty {
      let names = content.secrets.map { $0.joined(separator: ".") }
      notes.append(
        "\(request.title): the value of \(names.joined(separator: ", ")) was not written; pass it with --var or "
          + "--variables")
    }
    if draft.options.usesGET { notes.append("\(request.title): it is sent by GET (--get)") }
    if draft.options.usesPersistedQueries { notes.append("\(request.title): it is a persisted query (--persisted)") }
    if let onError = draft.options.onError {
      notes.append("\(request.title): it is sent with onError (--on-error \(onError.rawValue))")
    }
    if !draft.extensions.isEmpty { notes.append("\(request.title): the request's extensions (--extensions)") }
    if !open.isEmpty { notes.append("\(request.title): no value for {{\(open.joined(separator: "}}, {{"))}}") }
    var head = content.notes.split(whereSeparator: \.isNewline).map { "# \(Self.oneLine(String($0)))\n" }.joined()
    if !endpoints.isEmpty { head += "# endpoint: \(endpoints.joined(separator: ", "))\n" }
    if let name = draft.operationName, !name.isEmpty { head += "# operation: \(Self.oneLine(name))\n" }
    head += DeclaredSecrets.comment(content.secrets.map { $0.map(Self.oneLine) })
    let path = Self.free(
      (request.folders + [request.name]).map(Self.fileName).joined(separator: "/"), mark: " ", in: &paths)
    var files = [(path: "\(path).graphql", text: head + Self.ended(content.query))]
    if !content.variables.allSatisfy(\.isWhitespace) {
      files.append((path: "\(path).variables.json", text: Self.ended(content.variables)))
    }
    return files
  }

  /// Returns the texts of a request without secrets. A literal in the document becomes a variable, and a member of the
  /// variables is left out. `secrets` has the names of both.
  private func documents(
    of request: ImportedRequest, _ values: ImportedValues
  ) -> (query: String, variables: String, notes: String, secrets: [[String]]) {
    let query = request.query(from: values)
    let variables = request.variables(from: values)
    let known = SecretValues()
    for header in request.headers(from: values) {
      known.add(header: header.name, header.text, isLive: header.isAuthentication)
    }
    known.add(url: request.url(from: values))
    let redactor = Redactor(
      values: known, document: query, variables: (try? JSONDocument(parsingRelaxed: variables).root) ?? .null)
    let draft = redactor.draft(document: DraftText(query))
    let extracted = SecretVariables(draft, original: query, syntax: DocumentTemplate(draft.parsable).document)
    var secrets = extracted?.variables.map { [$0.name] } ?? []
    var shown = redactor.draft(variables: DraftText(variables))
    if !shown.isComplete, let json = JSONTemplate.parse(shown.parsable) {
      let paths = shown.memberSecrets.map(\.path).filter { !$0.isEmpty }
      secrets += paths.filter { !secrets.contains($0) }
      let rest = DeclaredSecrets.removing(paths, from: json)
      shown = DraftText(rest.count == 0 ? "" : JSONTemplate.text(rest))
    }
    return (
      LiteralBraces.shown(extracted?.document ?? draft.text), LiteralBraces.shown(shown.text),
      redactor.text(request.notes), secrets
    )
  }

  /// Returns a valid file name for all systems, without path separators and leading dashes.
  private static func fileName(_ name: String) -> String {
    let plain = String(
      name.unicodeScalars.map { scalar -> Character in
        let isControl = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        return isControl || "/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "-" : Character(scalar)
      })
    var short = ""
    for character in plain.drop(while: { " .-".contains($0) }) {
      guard short.utf8.count + character.utf8.count <= 120 else { break }
      short.append(character)
    }
    while short.last.map({ " .".contains($0) }) == true { short.removeLast() }
    return short.isEmpty ? "request" : short
  }

  /// Returns text without line ends and control characters, for a YAML comment.
  private static func oneLine(_ text: String) -> String {
    let ends: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !ends.contains($0.properties.generalCategory) }))
  }

  private static func ended(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }
}
