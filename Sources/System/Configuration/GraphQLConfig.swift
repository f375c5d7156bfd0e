/// A graphql-config file: the schema, the documents and the endpoints of a project.
///
/// Source: graphql-config 5, "Usage" and the `endpoints` extension. YAML and JSON are read; a file in a programming
/// language is not run.
package struct GraphQLConfig: Hashable, Sendable {
  package let file: String
  /// Each endpoint as a profile; of a file with several projects, named `project/endpoint`.
  package var profiles: [Profile] = []
  /// Patterns of files that hold documents.
  package var documents: [String] = []

  private static let names = [
    ".graphqlrc", ".graphqlrc.yml", ".graphqlrc.yaml", ".graphqlrc.json", "graphql.config.yml", "graphql.config.yaml",
    "graphql.config.json",
  ]

  /// The file of a folder or of the nearest one above it.
  package static func find(
    from folder: String, environment: [String: String] = ProcessEnvironment.variables
  ) throws(ConfigurationError) -> GraphQLConfig? {
    var folder = folder[...]
    while true {
      for name in names {
        let file = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
        guard let bytes = try UserFile.read(file) else { continue }
        return try GraphQLConfig(YAMLParser.parse(bytes, file: file), folder: String(folder), environment: environment)
      }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return nil }
      folder = slash == folder.startIndex ? "/" : folder[..<slash]
    }
  }

  package init(_ root: YAMLNode, folder: String, environment: [String: String] = [:]) throws(ConfigurationError) {
    file = root.file
    if root.isNull { return }
    let reader = ProjectReader(folder: folder, environment: environment)
    if let projects = root["projects"] {
      for project in try projects.members("projects") {
        try reader.read(project.value, prefix: project.key, into: &self)
      }
    } else {
      try reader.read(root, prefix: nil, into: &self)
    }
  }
}

/// Reads one project of the file.
private struct ProjectReader {
  let folder: String
  let environment: [String: String]

  func read(_ node: YAMLNode, prefix: String?, into config: inout GraphQLConfig) throws(ConfigurationError) {
    if case .scalar = node.value {
      try addSchema(node, prefix, nil, into: &config)
      return
    }
    config.documents += try list(node["documents"], "documents")
    var schemaFile: String?
    for source in try schemas(node["schema"]) where !source.url.contains("://") {
      schemaFile = schemaFile ?? path(source.url)
    }
    let endpoints = node["extensions"]?["endpoints"]
    for member in try endpoints?.members("endpoints") ?? [] {
      let name = [prefix, member.key].compactMap { $0 }.joined(separator: "/")
      var profile: Profile
      if case .scalar = member.value.value {
        profile = try self.profile(name, member.value)
      } else {
        guard let url = member.value["url"] else { throw member.value.error("the endpoint \(name) needs a url") }
        profile = try self.profile(name, url)
        try add(member.value["headers"], to: &profile)
      }
      profile.schema = schemaFile
      config.profiles.append(profile)
    }
    if endpoints == nil { try addSchema(node["schema"], prefix, schemaFile, into: &config) }
  }

  /// A schema that is a URL is an endpoint, too.
  private func addSchema(
    _ node: YAMLNode?, _ prefix: String?, _ schemaFile: String?, into config: inout GraphQLConfig
  ) throws(ConfigurationError) {
    for source in try schemas(node) where source.url.contains("://") {
      var profile = try profile(prefix ?? "default", source.node, url: source.url)
      try add(source.headers, to: &profile)
      config.profiles.append(profile)
    }
  }

  private func schemas(_ node: YAMLNode?) throws(ConfigurationError) -> [(
    url: String, node: YAMLNode, headers: YAMLNode?
  )] {
    guard let node else { return [] }
    switch node.value {
    case .scalar: return [(try expand(node.string("schema"), node), node, nil)]
    case .sequence(let elements):
      var all: [(url: String, node: YAMLNode, headers: YAMLNode?)] = []
      for element in elements { all += try schemas(element) }
      return all
    case .mapping(let members):
      var all: [(url: String, node: YAMLNode, headers: YAMLNode?)] = []
      for member in members {
        all.append((try expand(member.key, member.value), member.value, member.value["headers"]))
      }
      return all
    }
  }

  private func list(_ node: YAMLNode?, _ what: String) throws(ConfigurationError) -> [String] {
    guard let node else { return [] }
    if case .scalar = node.value { return [path(try node.string(what))] }
    var all: [String] = []
    for element in try node.elements(what) { all.append(path(try element.string(what))) }
    return all
  }

  private func profile(_ name: String, _ node: YAMLNode, url: String? = nil) throws(ConfigurationError) -> Profile {
    let text = if let url { url } else { try expand(node.string("the url of \(name)"), node) }
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
      throw node.error("the url of \(name) must begin with http:// or https://")
    }
    return Profile(name: name, url: text)
  }

  private func add(_ headers: YAMLNode?, to profile: inout Profile) throws(ConfigurationError) {
    for member in try headers?.members("headers") ?? [] {
      let text = try member.value.string("the header \(member.key)")
      do throws(SecretTextError) {
        profile.headers.append(Profile.Header(name: member.key, value: try SecretText(withDefaultsApplied(text))))
      } catch {
        throw member.value.error("the header \(member.key): \(error)")
      }
    }
  }

  private func path(_ path: String) -> String {
    if path.hasPrefix("/") || path.contains("://") { return path }
    return "\(folder)/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
  }

  /// `${NAME:default}` is the default where there is no such variable, and stays a secret where there is.
  private func withDefaultsApplied(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      result += rest[..<start.lowerBound]
      let parts = rest[start.upperBound..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0].filter { !$0.isWhitespace })
      if parts.count > 1, environment[name] == nil {
        result += parts[1].filter { $0 != "\"" && $0 != "'" }.drop { $0 == " " }
      } else {
        result += "${\(name)}"
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// A URL with the environment's values put in.
  private func expand(_ text: String, _ node: YAMLNode) throws(ConfigurationError) -> String {
    guard text.contains("$") else { return text }
    do throws(SecretTextError) {
      return try SecretText(withDefaultsApplied(text)).resolved(environment: environment)
    } catch {
      throw node.error("\(error)")
    }
  }
}
