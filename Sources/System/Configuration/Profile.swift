import ApusSecrets

/// A named endpoint with everything a request needs. Header values keep `$NAME` and `$(command)` until they are sent.
package struct Profile: Equatable, Sendable {
  /// A name and a value that may contain variables and commands.
  package struct Header: Equatable, Sendable {
    package let name: String
    package let value: SecretText

    package init(name: String, value: SecretText) {
      self.name = name
      self.value = value
    }
  }

  private static let subscriptionTransports = ["auto", "ws", "legacy-ws", "sse", "multipart"]

  package let name: String
  package let url: String
  package var headers: [Header] = []
  /// Values for `$NAME` in headers of the profile or a tab and in the connection payload. They take precedence over the
  /// environment of the process.
  package var environment: [Header] = []
  package var timeout: Duration?
  package var proxy: String?
  package var isInsecure = false
  package var certificateAuthority: String?
  package var certificate: String?
  package var key: String?
  /// The transport for subscriptions, as a value of `--subscription-transport`.
  package var subscriptionTransport: String?
  /// The members of the WebSocket connection payload, resolved again for each connection.
  package var connectionPayload: [Header] = []
  /// The path of an SDL or introspection file, for endpoints that reject introspection.
  package var schema: String?
  package var theme: String?
  package var cacheKeys = CacheKeySettings()
  /// Whether the user confirms each mutation and the endpoint is shown in red.
  package var isProduction = false

  package init(name: String, url: String) {
    self.name = name
    self.url = url
  }

  private static let keys = [
    "url", "headers", "environment", "timeout", "proxy", "insecure", "cacert", "cert", "key", "schema", "theme",
    "production", "subscription-transport", "connection-payload", "cacheKeys",
  ]

  /// Parses `name: URL`, or `name:` with a mapping.
  init(name: String, _ node: YAMLNode) throws(ConfigurationError) {
    let what = "the profile '\(printable(name))'"
    if case .scalar = node.value {
      self.init(name: name, url: try Self.url(node, what))
      return
    }
    try node.allow(keys: Self.keys, in: what)
    guard let url = node["url"] else { throw node.error("\(what) needs a url") }
    self.init(name: name, url: try Self.url(url, what))
    for member in try node["headers"]?.members("headers") ?? [] { headers.append(try Self.header(member)) }
    for member in try node["environment"]?.members("environment") ?? [] {
      environment.append(try Self.variable(member))
    }
    timeout = try node["timeout"]?.seconds("timeout")
    proxy = try node["proxy"]?.string("proxy")
    isInsecure = try node["insecure"]?.bool("insecure") ?? false
    certificateAuthority = try node["cacert"]?.string("cacert")
    certificate = try node["cert"]?.string("cert")
    key = try node["key"]?.string("key")
    try readSubscriptions(node)
    schema = try node["schema"]?.string("schema")
    theme = try node["theme"]?.string("theme")
    if let node = node["cacheKeys"] { cacheKeys = try CacheKeySettings(node) }
    isProduction = try node["production"]?.bool("production") ?? false
  }

  private mutating func readSubscriptions(_ node: YAMLNode) throws(ConfigurationError) {
    if let transport = node["subscription-transport"] {
      let name = try transport.string("subscription-transport")
      guard Self.subscriptionTransports.contains(name) else {
        let existing = Self.subscriptionTransports.joined(separator: ", ")
        throw transport.error("subscription-transport must be one of \(existing)")
      }
      subscriptionTransport = name
    }
    for member in try node["connection-payload"]?.members("connection-payload") ?? [] {
      let text = try member.value.string("\(member.key) of the connection-payload")
      connectionPayload.append(Header(name: member.key, value: try Self.secret(text, member, "\(member.key)")))
    }
  }

  private static func url(_ node: YAMLNode, _ what: String) throws(ConfigurationError) -> String {
    let url = try node.string("the url of \(what)")
    guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.contains(where: \.isWhitespace) else {
      throw node.error("the url of \(what) must begin with http:// or https://")
    }
    return url
  }

  private static func header(_ member: YAMLNode.Member) throws(ConfigurationError) -> Header {
    let text = try member.value.string("the header \(member.key)")
    try checkHeader(member, text)
    return Header(name: member.key, value: try secret(text, member, "the header \(member.key)"))
  }

  /// Throws if the name of a header is invalid or its value contains control characters.
  package static func checkHeader(_ member: YAMLNode.Member, _ text: String) throws(ConfigurationError) {
    let separators = "()<>@,;:\\\"/[]?={}"
    let isToken = member.key.unicodeScalars.allSatisfy {
      (0x21...0x7E).contains($0.value) && !separators.unicodeScalars.contains($0)
    }
    guard !member.key.isEmpty, isToken else {
      throw ConfigurationError(
        file: member.value.file, at: member.keyPosition, "'\(printable(member.key))' cannot be the name of a header")
    }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw member.value.error("the header \(member.key) must be one line without control characters")
    }
  }

  private static func variable(_ member: YAMLNode.Member) throws(ConfigurationError) -> Header {
    guard SecretText.isName(member.key[...]) else {
      throw ConfigurationError(
        file: member.value.file, at: member.keyPosition, "'\(printable(member.key))' cannot be the name of a variable")
    }
    let what = "the variable \(member.key)"
    return Header(name: member.key, value: try secret(try member.value.string(what), member, what))
  }

  /// Resolves a text for this endpoint. A variable of the profile may refer to variables of the process.
  package func resolved(
    _ text: SecretText, process: [String: String],
    run: (String) throws(SecretTextError) -> String = CommandOutput.of
  ) throws(SecretTextError) -> String {
    try text.resolved(
      variable: { (name) throws(SecretTextError) in
        guard let override = environment.first(where: { $0.name == name }) else { return process[name] }
        return try override.value.resolved(environment: process, run: run)
      }, run: run)
  }

  /// Whether a text contains the output of a command, directly or through a variable of the profile.
  package func runsCommand(in text: SecretText) -> Bool {
    !text.commands.isEmpty
      || text.variables.contains { name in environment.first { $0.name == name }?.value.commands.isEmpty == false }
  }

  /// Whether a header or the connection payload contains the output of a command.
  package var hasCommandCredentials: Bool { (headers + connectionPayload).contains { runsCommand(in: $0.value) } }

  private static func secret(
    _ text: String, _ member: YAMLNode.Member, _ what: String
  ) throws(ConfigurationError) -> SecretText {
    do throws(SecretTextError) {
      return try SecretText(text)
    } catch {
      throw member.value.error("\(what): \(error)")
    }
  }
}
