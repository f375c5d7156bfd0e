import ApusConfiguration
import ApusGraphQLSchema

/// A graphql-config file: the schema, the documents and the endpoints of a project.
///
/// Reading it resolves no values. Each endpoint becomes a request that must be shown to the user.
///
/// Source: graphql-config 5, "Usage" and the `endpoints` extension. YAML, JSON, TOML and `package.json` are supported; files
/// in programming languages are not run.
package struct GraphQLConfig: Equatable, Sendable {
  /// An endpoint of the file.
  package struct Endpoint: Equatable, Sendable {
    /// The name; in a file with several projects, `project/endpoint`.
    package let name: String
    package let url: ProjectText
    package var headers: [ProjectRequest.Header] = []
    /// A schema file of the project.
    package var schema: String?
    /// The purpose of requests to the endpoint, for messages.
    package var purpose: String

    /// The request to the endpoint.
    package var request: ProjectRequest {
      ProjectRequest(name: name, purpose: purpose, url: url, headers: headers)
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
    /// The sources of the schema, in the order of the file.
    package var schemaParts: [SchemaPart] = []
    /// The patterns of files with documents.
    package var documents: [String] = []
    package var include: [String] = []
    package var exclude: [String] = []
    /// The values of `extensions.apus.dialect` as written; empty if the file has none.
    package var dialectSetting: [String] = []

    /// The patterns of the schema files.
    package var schema: [String] {
      schemaParts.compactMap { part in
        guard case .files(let pattern) = part else { return nil }
        return pattern
      }
    }

    /// The patterns of the documents, including those of `exclude` with a `!`.
    package var documentPatterns: [String] {
      documents + exclude.filter { !$0.hasPrefix("!") }.flatMap { ["!\($0)", "!\($0)/**"] }
    }

    /// The endpoints that provide the schema.
    package var schemaEndpoints: [Endpoint] {
      schemaParts.compactMap { part in
        guard case .endpoint(let endpoint) = part else { return nil }
        return endpoint
      }
    }

    /// Whether the project excludes a file.
    package func excludes(_ path: String) -> Bool { FilePatternSet(exclude, hasContents: true).contains(path) }

    /// Whether a file is one of the project's documents.
    package func isDocument(_ path: String) -> Bool {
      FilePatternSet(documents, hasContents: true).contains(path) && !excludes(path)
    }

    /// Returns the index in `schemaParts` of the first pattern that matches a file; `nil` if the file is not part of the
    /// schema.
    package func schemaPart(of path: String) -> Int? {
      let unwanted = schema.filter { $0.hasPrefix("!") }
      return schemaParts.firstIndex { part in
        guard case .files(let pattern) = part, !pattern.hasPrefix("!") else { return false }
        return FilePatternSet([pattern] + unwanted, hasContents: true).contains(path)
      }
    }
  }

  package let file: ProjectFile
  package var endpoints: [Endpoint] = []
  package var projects: [Project] = []

  /// Returns the project of a file, by its absolute path with symbolic links resolved: the project that names it, else the
  /// only project or the one named `default`. A file that a project excludes does not belong to it, unless it is part of its
  /// schema.
  package func project(of path: String) -> Project? { ProjectOwners(self).project(of: path) }

  /// Returns the nearest configuration in a folder or above it.
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
    let reader = ProjectReader(folder: file.folder)
    if let projects = root["projects"] {
      for project in try projects.members("projects") {
        try reader.read(project.value, prefix: project.key, into: &self)
      }
    } else {
      try reader.read(root, prefix: nil, into: &self)
    }
  }

  /// The messages about dialects of the file that Apus does not know.
  package var dialectNotes: [String] {
    let names = DialectSelection.names.joined(separator: ", ")
    return projects.flatMap { DialectSelection.unknownNames(in: $0.dialectSetting) }.map {
      "\(file.path): the dialect '\($0)' of extensions.apus.dialect is unknown; the dialects are \(names)"
    }
  }

  /// The requests of all endpoints and schemas of the file.
  package var requests: [ProjectRequest] {
    (endpoints + projects.flatMap(\.schemaEndpoints)).map(\.request).merged
  }

  package func endpoint(named name: String) -> Endpoint? { endpoints.first { $0.name == name } }

  /// Returns a profile for an endpoint. Throws if its request is not allowed.
  package func profile(
    of endpoint: Endpoint, trust: FileTrust?, isNamed: Bool, environment: [String: String]
  ) throws(ProjectError) -> Profile {
    var profile = try endpoint.request.profile(in: file, trust: trust, isNamed: isNamed, environment: environment)
    profile.schema = endpoint.schema
    return profile
  }
}

/// The projects of a graphql-config file with compiled patterns, for finding the projects of many files.
package struct ProjectOwners: Sendable {
  private struct Owner: Sendable {
    let project: GraphQLConfig.Project
    let schema: FilePatternSet
    let named: [FilePatternSet]
    let excluded: FilePatternSet

    init(_ project: GraphQLConfig.Project) {
      self.project = project
      schema = FilePatternSet(project.schema, hasContents: true)
      named = [project.documents, project.include].map { FilePatternSet($0, hasContents: true) }
      excluded = FilePatternSet(project.exclude, hasContents: true)
    }
  }

  private let owners: [Owner]

  package init(_ config: GraphQLConfig) { owners = config.projects.map(Owner.init) }

  /// Returns the project of a file, like `GraphQLConfig.project(of:)`.
  package func project(of path: String) -> GraphQLConfig.Project? {
    let possible = owners.filter { $0.schema.contains(path) || !$0.excluded.contains(path) }
    let named = possible.first { $0.schema.contains(path) || $0.named.contains { $0.contains(path) } }
    let only = owners.count == 1 ? possible.first : possible.first { $0.project.name == "default" }
    return (named ?? only)?.project
  }

  /// Whether any project excludes a file.
  package func excludes(_ path: String) -> Bool { owners.contains { $0.excluded.contains(path) } }
}

/// Reads one project of the file.
private struct ProjectReader {
  let folder: String

  func read(_ node: YAMLNode, prefix: String?, into config: inout GraphQLConfig) throws(ConfigurationError) {
    var project = GraphQLConfig.Project(name: prefix)
    let isShort: Bool
    if case .scalar = node.value { isShort = true } else { isShort = false }
    let sources = try schemas(isShort ? node : node["schema"])
    project.schemaParts = try sources.map { (source) throws(ConfigurationError) in
      guard isURL(source.url) else { return .files(path(source.url)) }
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
    }
    config.projects.append(project)
    let schemaFile = project.schema.first { !$0.hasPrefix("!") }
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
    if case .scalar = node.value { return [try node.string(what)] }
    var all: [String] = []
    for element in try node.elements(what) { all.append(try element.string(what)) }
    return all
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

  private func add(_ headers: YAMLNode?, to endpoint: inout GraphQLConfig.Endpoint) throws(ConfigurationError) {
    for member in try headers?.members("headers") ?? [] {
      let text = try member.value.string("the header \(member.key)")
      try Profile.checkHeader(member, text)
      endpoint.headers.append(ProjectRequest.Header(name: member.key, value: ProjectText(text)))
    }
  }

  /// Returns the path or pattern as an absolute one. The folder contains no symbolic links, so a leading `..` is its parent
  /// folder.
  private func path(_ path: String) -> String {
    if path.hasPrefix("!") { return "!" + self.path(String(path.dropFirst())) }
    if path.hasPrefix("/") || path.contains("://") { return path }
    var folder = FilePath(folder)
    var rest = path.utf8[...]
    while true {
      if rest.starts(with: "./".utf8) {
        rest = rest.dropFirst(2)
      } else if rest.starts(with: "../".utf8) {
        rest = rest.dropFirst(3)
        folder = folder.folder
      } else {
        return "\(folder.appending(rest))"
      }
    }
  }
}
