import ApusSecrets

/// A named endpoint with everything a request needs: `birds: https://birds.example/graphql`. Header values keep `$NAME`
/// and `$(command)` until they are sent.
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

  private static let errorBehaviors = ["PROPAGATE", "NULL", "HALT"]

  package let name: String
  package let url: String
  /// Values of variables in the path or query of the URL, which are secret.
  package var resolvedInURL: [String] = []
  package var headers: [Header] = []
  package var authentication: Authentication?
  /// The profile that defines the sign-in, or the endpoint of a project's file. The profiles that extend it share its tokens.
  package var signInOwner: String?
  /// Values for `$NAME` in headers of the profile or a tab and in the connection payload. They take precedence over the
  /// environment of the process.
  package var environment: [Header] = []
  package var timeout: Duration?
  package var proxy: String?
  /// Whether any certificate of an https proxy is accepted.
  package var isProxyInsecure = false
  /// A PEM file with the certificate authorities of an https proxy.
  package var proxyCertificateAuthority: String?
  package var isInsecure = false
  package var certificateAuthority: String?
  package var certificate: String?
  package var key: String?
  /// The transport for subscriptions, as a value of `--subscription-transport`.
  package var subscriptionTransport: String?
  /// The URL of subscriptions, if it differs from `url`. Its scheme may be `ws` or `wss`.
  package var subscriptionURL: String?
  /// The `onError` parameter of requests: `NULL`, `PROPAGATE` or `HALT`.
  package var onError: String?
  /// Members of the WebSocket connection payload, resolved again for each connection.
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
    "extends", "url", "headers", "auth", "environment", "timeout", "proxy", "proxy-cacert", "proxy-insecure",
    "insecure", "cacert", "cert",
    "key", "schema", "theme",
    "production", "subscription-transport", "subscription-url", "connection-payload", "on-error",
    "cacheKeys",
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
    authentication = try node["auth"].map { (node) throws(ConfigurationError) in try Authentication(node) }
    if let authentication, headers.contains(where: { $0.name.lowercased() == authentication.header.lowercased() }) {
      let name = authentication.header
      throw (node["auth"] ?? node).error("\(what) has both auth and the header \(name); remove one of them")
    }
    for member in try node["environment"]?.members("environment") ?? [] {
      environment.append(try Self.variable(member))
    }
    timeout = try node["timeout"]?.seconds("timeout")
    proxy = try node["proxy"]?.string("proxy")
    isProxyInsecure = try node["proxy-insecure"]?.bool("proxy-insecure") ?? false
    proxyCertificateAuthority = try node["proxy-cacert"]?.string("proxy-cacert")
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
        let names = Self.subscriptionTransports.joined(separator: ", ")
        throw transport.error("subscription-transport must be one of \(names)")
      }
      subscriptionTransport = name
    }
    if let node = node["subscription-url"] {
      let url = try node.string("subscription-url")
      guard WebURL.isServer(url) else {
        throw node.error("subscription-url must begin with https://, http://, wss:// or ws://")
      }
      subscriptionURL = url
    }
    if let node = node["on-error"] {
      let name = try node.string("on-error")
      guard Self.errorBehaviors.contains(name) else {
        throw node.error("on-error must be one of \(Self.errorBehaviors.joined(separator: ", "))")
      }
      onError = name
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

  /// Resolves a text for this endpoint. `$TOKEN` is first searched in the profile's `environment`, whose values may
  /// refer to variables of the process.
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

  /// Whether a header, `auth` or the connection payload contains the output of a command.
  package var hasCommandCredentials: Bool {
    ((headers + connectionPayload).map(\.value) + (authentication?.texts ?? [])).contains(where: runsCommand)
  }

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
