import ApusConfiguration
import ApusGraphQLSchema
import ApusSecrets

/// A graphql-config file: the schema, the documents and the endpoints of a project.
///
/// Reading it resolves no values. Each endpoint becomes a request that must be shown to the user.
///
///     schema: schema.graphql
///     documents: "queries/**/*.graphql"
///     exclude: "**/generated/**"
///     extensions:
///       endpoints:
///         staging:
///           url: https://staging.example/graphql
///           headers:
///             Authorization: Bearer ${STAGING_TOKEN}
///
/// Source: graphql-config 5, "Usage" and the `endpoints` extension. YAML, JSON, TOML and `package.json` are supported;
/// files in programming languages are not run.
package struct GraphQLConfig: Equatable, Sendable {
  /// An endpoint of the file.
  package struct Endpoint: Equatable, Sendable {
    /// Names the endpoint for the user: `staging`, or in a file with several projects `birds/staging`.
    package let name: String
    package let url: ProjectText
    package var headers: [ProjectRequest.Header] = []
    package var subscriptionURL: ProjectText?
    package var connectionPayload: [ProjectRequest.Header] = []
    package var authentication: ProjectAuthentication?
    /// A schema file of the project.
    package var schema: String?
    /// The purpose of requests to the endpoint, for messages.
    package var purpose: String

    /// The request to the endpoint.
    package var request: ProjectRequest {
      var request = ProjectRequest(name: name, purpose: purpose, url: url, headers: headers)
      request.subscriptionURL = subscriptionURL
      request.connectionPayload = connectionPayload
      request.authentication = authentication
      return request
    }
  }

  /// A source of a project's schema.
  package enum SchemaPart: Equatable, Sendable {
    /// The pattern of files with definitions or an introspection result.
    case files(String)
    case endpoint(Endpoint)
  }

  /// A schema and its documents. Patterns are absolute paths for `FilePattern`.
  package struct Project: Equatable, Sendable {
    /// `nil` if the file contains a single project.
    package let name: String?
    /// Sources of the schema, in the order of the file.
    package var schemaParts: [SchemaPart] = [] { didSet { patterns.schema = SchemaPatterns(schemaParts) } }
    /// Patterns of files with documents.
    package var documents: [String] = [] {
      didSet { patterns.documents = FilePatternSet(documents, hasContents: true) }
    }
    package var include: [String] = [] { didSet { patterns.include = FilePatternSet(include, hasContents: true) } }
    package var exclude: [String] = [] { didSet { patterns.exclude = FilePatternSet(exclude, hasContents: true) } }
    /// Compiled patterns, for matching many files.
    fileprivate var patterns = ProjectPatterns()
    /// Values of `extensions.apus.dialect` as written; empty if the file has none.
    package var dialectSetting: [String] = []
    /// The line width of formatted documents, from `extensions.apus.format.width`.
    package var formatWidth: Int?

    /// Patterns of the schema files.
    package var schema: [String] {
      schemaParts.compactMap { part in
        guard case .files(let pattern) = part else { return nil }
        return pattern
      }
    }

    /// Patterns of the documents, including those of `exclude` with a `!`.
    package var documentPatterns: [String] {
      documents + exclude.filter { !$0.hasPrefix("!") }.flatMap { ["!\($0)", "!\($0)/**"] }
    }

    /// Endpoints that provide the schema.
    package var schemaEndpoints: [Endpoint] {
      schemaParts.compactMap { part in
        guard case .endpoint(let endpoint) = part else { return nil }
        return endpoint
      }
    }

    /// Whether the project excludes a file.
    package func excludes(_ path: String) -> Bool { patterns.exclude.contains(path) }

    /// Whether the patterns of the documents or of `include` match a file.
    package func names(_ path: String) -> Bool {
      patterns.documents.contains(path) || patterns.include.contains(path)
    }

    /// Whether a file is one of the project's documents.
    package func isDocument(_ path: String) -> Bool {
      patterns.documents.contains(path) && !excludes(path)
    }

    /// Returns the index in `schemaParts` of the first pattern that matches a file; `nil` if the file is not part of
    /// the schema.
    package func schemaPart(of path: String) -> Int? { patterns.schema.part(of: path) }
  }

  /// Possible line widths of formatted documents.
  package static let formatWidths = 20...1000

  package let file: ProjectFile
  package var endpoints: [Endpoint] = []
  package var projects: [Project] = []

  /// Finds the nearest configuration in a folder or above it, as the language server and other tools do.
  package static func find(
    from folder: String, home: String = UserFolders.home
  ) throws(ConfigurationError) -> GraphQLConfig? {
    guard let file = try ProjectFile.find(from: folder, home: home) else { return nil }
    return try GraphQLConfig(file)
  }

  package init(_ file: ProjectFile) throws(ConfigurationError) {
    self.file = file
    let root = try ProjectFile.tree(file.bytes, file: file.path)
    if root.isNull { return }
    if root["projects"] != nil { checkKeys(of: root) }
    let reader = ProjectReader(folder: file.folder)
    if let projects = root["projects"] {
      for project in try projects.members("projects") {
        try reader.read(project.value, prefix: project.key, into: &self)
      }
    } else {
      try reader.read(root, prefix: nil, into: &self)
    }
  }

  /// Messages about dialects of the file that Apus does not know, such as a misspelled `relya`, and about misspelled
  /// keys.
  package var notes: [String] {
    let names = DialectSelection.names.joined(separator: ", ")
    let dialects = projects.flatMap { DialectSelection.unknownNames(in: $0.dialectSetting) }.map {
      "\(file.path): the dialect '\($0)' of extensions.apus.dialect is unknown; the dialects are \(names)"
    }
    return misspelledKeys + dialects
  }

  /// Messages about keys that are probably misspelled. Others belong to other tools.
  private var misspelledKeys: [String] = []

  private mutating func checkKeys(of node: YAMLNode?, _ keys: [String], in what: String) {
    guard let members = try? node?.members(what) else { return }
    for member in members where !keys.contains(member.key) {
      guard let hint = MisspelledName.hint(member.key, keys) else { continue }
      misspelledKeys.append(
        "\(ConfigurationError(file: file.path, at: member.keyPosition, "\(what) has no key '\(printable(member.key))'\(hint)"))"
      )
    }
  }

  /// Checks the keys of a project.
  fileprivate mutating func checkKeys(of node: YAMLNode) {
    checkKeys(
      of: node, ["schema", "documents", "include", "exclude", "extensions", "projects"], in: "a graphql-config project")
    checkKeys(of: node["extensions"]?["apus"], ["dialect", "format"], in: "extensions.apus")
    checkKeys(of: node["extensions"]?["apus"]?["format"], ["width"], in: "extensions.apus.format")
  }

  /// Requests of all endpoints and schemas of the file.
  package var requests: [ProjectRequest] {
    (endpoints + projects.flatMap(\.schemaEndpoints)).map(\.request).merged
  }

  /// Returns a profile for an endpoint. Throws if its request is not allowed.
  package func profile(
    of endpoint: Endpoint, trust: FileTrust?, isNamed: Bool, environment: [String: String]
  ) throws(ProjectError) -> Profile {
    var profile = try endpoint.request.profile(in: file, trust: trust, isNamed: isNamed, environment: environment)
    profile.schema = endpoint.schema
    return profile
  }
}

/// The compiled patterns of a project.
private struct ProjectPatterns: Equatable, Sendable {
  var schema = SchemaPatterns([])
  var documents = FilePatternSet([])
  var include = FilePatternSet([])
  var exclude = FilePatternSet([])
}

/// The patterns of a project's schema files, which remember the source that each belongs to.
private struct SchemaPatterns: Equatable, Sendable {
  private let parts: [GraphQLConfig.SchemaPart]
  private let requested: FilePatternIndex
  /// The index in `parts` of each pattern of `requested`.
  private let partOfPattern: [Int]
  private let unwanted: FilePatternSet

  init(_ parts: [GraphQLConfig.SchemaPart]) {
    self.parts = parts
    var patterns: [(text: String, part: Int)] = []
    var ruledOut: [String] = []
    for (index, part) in parts.enumerated() {
      guard case .files(let pattern) = part else { continue }
      if pattern.hasPrefix("!") {
        ruledOut.append(String(pattern.dropFirst()))
      } else {
        patterns.append((pattern, index))
      }
    }
    requested = FilePatternIndex(patterns.map(\.text), hasContents: true)
    partOfPattern = patterns.map(\.part)
    unwanted = FilePatternSet(ruledOut, hasContents: true)
  }

  static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

  /// Returns the index of the first part with a pattern that matches a file.
  func part(of path: String) -> Int? {
    guard !unwanted.contains(path) else { return nil }
    return requested.indices(matching: path).map { partOfPattern[$0] }.min()
  }
}

/// The projects of a graphql-config file, for finding the projects of many files.
package struct ProjectOwners: Sendable {
  private let projects: [GraphQLConfig.Project]

  package init(_ config: GraphQLConfig) { projects = config.projects }

  /// Returns the project of a file, by its absolute path with symbolic links resolved: the project that names it, else
  /// the only project or the one named `default`. A file that a project excludes does not belong to it, unless it is
  /// part of its schema.
  package func project(of path: String) -> GraphQLConfig.Project? {
    let possible = projects.filter { $0.schemaPart(of: path) != nil || !$0.excludes(path) }
    let named = possible.first { $0.schemaPart(of: path) != nil || $0.names(path) }
    let only = projects.count == 1 ? possible.first : possible.first { $0.name == "default" }
    return named ?? only
  }

  /// Whether any project excludes a file.
  package func excludes(_ path: String) -> Bool { projects.contains { $0.excludes(path) } }
}

/// Reads one project of the file.
private struct ProjectReader {
  let folder: String

  func read(_ node: YAMLNode, prefix: String?, into config: inout GraphQLConfig) throws(ConfigurationError) {
    config.checkKeys(of: node)
    var project = GraphQLConfig.Project(name: prefix)
    let isShort: Bool
    if case .scalar = node.value { isShort = true } else { isShort = false }
    let sources = try schemas(isShort ? node : node["schema"])
    project.schemaParts = try sources.map { (source) throws(ConfigurationError) in
      guard isURL(source.url) else {
        try checkVariables(source.url, source.node, "schema")
        return .files(path(source.url))
      }
      var endpoint = try endpoint(prefix ?? "default", source.node, url: source.url)
      endpoint.purpose = "the schema\(prefix.map { " of \($0)" } ?? ""), also to run operations from an editor"
      try add(source.headers, to: &endpoint)
      return .endpoint(endpoint)
    }
    if !isShort {
      project.documents = try list(node["documents"], "documents")
      project.include = try list(node["include"], "include")
      // A pattern that rules out documents excludes them.
      let ruledOut = project.documents.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
      project.exclude = try list(node["exclude"], "exclude") + ruledOut
      project.dialectSetting = try words(node["extensions"]?["apus"]?["dialect"], "extensions.apus.dialect")
      if let width = node["extensions"]?["apus"]?["format"]?["width"] {
        project.formatWidth = try width.int("extensions.apus.format.width", in: GraphQLConfig.formatWidths)
      }
    }
    config.projects.append(project)
    let schemaFile = project.schema.first { !$0.hasPrefix("!") }.map(FilePattern.path)
    guard !isShort, let endpoints = node["extensions"]?["endpoints"] else {
      // A schema URL is also an endpoint.
      config.endpoints += project.schemaEndpoints.map { source in
        var endpoint = source
        endpoint.purpose = "the endpoint \(endpoint.name)"
        return endpoint
      }
      return
    }
    for member in try endpoints.members("endpoints") {
      let name = [prefix, member.key].compactMap { $0 }.joined(separator: "/")
      var endpoint: GraphQLConfig.Endpoint
      if case .scalar = member.value.value {
        endpoint = try self.endpoint(name, member.value)
      } else {
        guard let url = member.value["url"] else { throw member.value.error("the endpoint \(name) needs a url") }
        endpoint = try self.endpoint(name, url)
        try add(member.value["headers"], to: &endpoint)
        try addAuthentication(member.value["auth"], to: &endpoint)
        try addSubscription(member.value["subscription"], to: &endpoint)
      }
      endpoint.schema = schemaFile
      config.endpoints.append(endpoint)
    }
  }

  /// Whether a source is a URL. One that begins with a variable is assumed to be, because the value is not known yet.
  private func isURL(_ source: String) -> Bool { source.contains("://") || source.hasPrefix("$") }

  private func schemas(_ node: YAMLNode?) throws(ConfigurationError) -> [(
    url: String, node: YAMLNode, headers: YAMLNode?
  )] {
    guard let node else { return [] }
    switch node.value {
    case .scalar: return [(try node.string("schema"), node, nil)]
    case .sequence(let elements):
      var all: [(url: String, node: YAMLNode, headers: YAMLNode?)] = []
      for element in elements { all += try schemas(element) }
      return all
    case .mapping(let members):
      return members.map { ($0.key, $0.value, $0.value["headers"]) }
    }
  }

  private func list(_ node: YAMLNode?, _ what: String) throws(ConfigurationError) -> [String] {
    try words(node, what).map(path)
  }

  /// Returns a single value, or the values of a list.
  private func words(_ node: YAMLNode?, _ what: String) throws(ConfigurationError) -> [String] {
    guard let node else { return [] }
    if case .scalar = node.value { return [try word(node, what)] }
    var all: [String] = []
    for element in try node.elements(what) { all.append(try word(element, what)) }
    return all
  }

  private func word(_ node: YAMLNode, _ what: String) throws(ConfigurationError) -> String {
    let text = try node.string(what)
    try checkVariables(text, node, what)
    return text
  }

  /// Throws if a variable of a path has neither a value nor a default.
  private func checkVariables(_ text: String, _ node: YAMLNode, _ what: String) throws(ConfigurationError) {
    guard let name = ProjectVariables.firstName(in: text) else { return }
    throw node.error(
      "the variable \(printable(name)) of \(what) is not set: set it, or add a default, as in ${\(printable(name)):src}"
    )
  }

  private func endpoint(
    _ name: String, _ node: YAMLNode, url: String? = nil
  ) throws(ConfigurationError) -> GraphQLConfig.Endpoint {
    let text = if let url { url } else { try node.string("the url of \(name)") }
    guard text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("$") else {
      throw node.error("the url of \(name) must begin with http:// or https://")
    }
    return GraphQLConfig.Endpoint(name: name, url: ProjectText(text), purpose: "the endpoint \(name)")
  }

  /// Reads `subscription: URL`, or `subscription:` with a `url` and `connectionParams`. Parameters that are not scalars
  /// are left out.
  private func addSubscription(
    _ node: YAMLNode?, to endpoint: inout GraphQLConfig.Endpoint
  ) throws(ConfigurationError) {
    guard let node else { return }
    var source: YAMLNode? = node
    if case .mapping = node.value { source = node["url"] }
    if let source {
      let text = try source.string("the subscription url of \(endpoint.name)")
      guard WebURL.isServer(text) || text.hasPrefix("$") else {
        throw source.error(
          "the subscription url of \(endpoint.name) must begin with https://, http://, wss:// or ws://")
      }
      endpoint.subscriptionURL = ProjectText(text)
    }
    guard case .mapping = node.value else { return }
    for member in try node["connectionParams"]?.members("connectionParams") ?? [] {
      guard case .scalar = member.value.value else { continue }
      let text = try member.value.string("the connection parameter \(member.key)")
      endpoint.connectionPayload.append(ProjectRequest.Header(name: member.key, value: ProjectText(text)))
    }
  }

  private func addAuthentication(
    _ node: YAMLNode?, to endpoint: inout GraphQLConfig.Endpoint
  ) throws(ConfigurationError) {
    guard let node else { return }
    let authentication = try ProjectAuthentication(node, of: endpoint.name)
    let name = authentication.header
    if endpoint.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      throw node.error("the endpoint \(endpoint.name) has both auth and the header \(name); remove one of them")
    }
    endpoint.authentication = authentication
  }

  private func add(_ headers: YAMLNode?, to endpoint: inout GraphQLConfig.Endpoint) throws(ConfigurationError) {
    for member in try headers?.members("headers") ?? [] {
      let text = try member.value.string("the header \(member.key)")
      try Profile.checkHeader(member, text)
      endpoint.headers.append(ProjectRequest.Header(name: member.key, value: ProjectText(text)))
    }
  }

  /// Returns the path or pattern as an absolute one, whose folder is literal. The folder contains no symbolic links, so
  /// a leading `..` is its parent folder.
  private func path(_ path: String) -> String {
    if path.hasPrefix("!") { return "!" + self.path(String(path.dropFirst())) }
    if path.contains("://") { return path }
    if path.hasPrefix("/") { return FilePattern.preferringExisting(path, in: "/") }
    var folder = FilePath(folder)
    var rest = path.utf8[...]
    while true {
      if rest.starts(with: "./".utf8) {
        rest = rest.dropFirst(2)
      } else if rest.starts(with: "../".utf8) {
        rest = rest.dropFirst(3)
        folder = folder.folder
      } else {
        let rest = FilePattern.preferringExisting(String(Substring(rest)), in: "\(folder)")
        return FilePattern.matching("\(folder)") + (folder == FilePath("/") ? "" : "/") + rest
      }
    }
  }
}
