import ApusSecrets

extension Authentication {
  private static let types = ["bearer", "basic", "api-key", "oauth2", "command", "operation"]

  /// Parses the mapping of `auth:`, whose keys depend on its `type`: `{type: api-key, key: $KEY, header: X-Key}`.
  package init(_ node: YAMLNode) throws(ConfigurationError) {
    _ = try node.members("auth")
    guard let type = node["type"] else { throw node.error("auth needs a type: \(Self.types.joined(separator: ", "))") }
    switch try type.string("the type of auth") {
    case "bearer":
      try node.allow(keys: ["type", "token", "header", "prefix"], in: "auth of type bearer")
      source = .bearer(try node.secret("token", of: "auth of type bearer"))
    case "basic":
      try node.allow(keys: ["type", "user", "password"], in: "auth of type basic")
      source = .basic(
        user: try node.secret("user", of: "auth of type basic"),
        password: try node.secret("password", of: "auth of type basic"))
      prefix = "Basic "
    case "api-key":
      try node.allow(keys: ["type", "key", "header", "prefix"], in: "auth of type api-key")
      source = .apiKey(try node.secret("key", of: "auth of type api-key"))
      (header, prefix) = ("X-Api-Key", "")
    case "command":
      try node.allow(keys: ["type", "command", "header", "prefix"], in: "auth of type command")
      source = .command(try node.text("command", of: "auth of type command"))
    case "oauth2":
      try node.allow(keys: OAuthSettings.keys + ["type", "header", "prefix"], in: "auth of type oauth2")
      source = .oauth(try OAuthSettings(node))
    case "operation":
      try node.allow(keys: SignInOperation.keys + ["type", "header", "prefix"], in: "auth of type operation")
      source = .operation(try SignInOperation(node))
    default: throw type.error("the type of auth must be one of \(Self.types.joined(separator: ", "))")
    }
    if let name = node["header"] {
      header = try name.string("the header of auth")
      try Profile.checkHeader(YAMLNode.Member(key: header, keyPosition: name.position, value: name), "")
    }
    if case .mapping(let members) = node.value, let given = members.first(where: { $0.key == "prefix" }) {
      let text = given.value.isNull ? "" : try given.value.string("the prefix of auth")
      try Profile.checkHeader(YAMLNode.Member(key: header, keyPosition: given.keyPosition, value: given.value), text)
      prefix = text.isEmpty ? "" : text + " "
    }
  }
}

extension OAuthSettings {
  fileprivate static let keys =
    [
      "grant", "issuer", "token-url", "device-url", "authorization-url", "client-id", "client-secret",
      "client-authentication", "scopes", "audience", "redirect-port",
    ] + TokenStorage.keys

  private static let what = "auth of type oauth2"

  fileprivate init(_ node: YAMLNode) throws(ConfigurationError) {
    let grants = Grant.allCases.map(\.rawValue).joined(separator: ", ")
    guard let given = node["grant"] else { throw node.error("\(Self.what) needs a grant: \(grants)") }
    guard let grant = Grant(rawValue: try given.string("the grant")) else {
      throw given.error("the grant must be one of \(grants)")
    }
    self.grant = grant
    clientID = try node.secret("client-id", of: Self.what)
    issuer = try node.secureURL("issuer")
    tokenURL = try node.secureURL("token-url")
    deviceURL = try node.secureURL("device-url")
    authorizationURL = try node.secureURL("authorization-url")
    if node["client-secret"] != nil { clientSecret = try node.secret("client-secret", of: Self.what) }
    if let place = node["client-authentication"] {
      guard let known = ClientAuthentication(rawValue: try place.string("client-authentication")) else {
        throw place.error("client-authentication must be basic or body")
      }
      clientAuthentication = known
    }
    scopes = try node["scopes"].map { (node) throws(ConfigurationError) in try Self.scopes(node) } ?? []
    audience = try node["audience"]?.string("the audience")
    redirectPort = try node["redirect-port"]?.int("redirect-port", in: 1...65_535)
    tokens = try TokenStorage(node, isAutomatic: grant.isInteractive)
    try check(node)
  }

  /// Throws if the grant lacks a URL or a secret.
  private func check(_ node: YAMLNode) throws(ConfigurationError) {
    if grant == .clientCredentials, clientSecret == nil {
      throw node.error("the grant client-credentials needs a client-secret: $NAME or $(command)")
    }
    guard issuer == nil else { return }
    func require(_ key: String, _ value: String?) throws(ConfigurationError) {
      if value == nil { throw node.error("the grant \(grant.rawValue) needs an issuer, or \(key)") }
    }
    try require("token-url", tokenURL)
    switch grant {
    case .clientCredentials: break
    case .deviceCode: try require("device-url", deviceURL)
    case .authorizationCode: try require("authorization-url", authorizationURL)
    }
  }

  /// Parses scopes: `[birds, nests]`, or `birds nests` (RFC 6749, section 3.3).
  private static func scopes(_ node: YAMLNode) throws(ConfigurationError) -> [String] {
    guard case .sequence(let elements) = node.value else {
      return try node.string("scopes").split(separator: " ").map(String.init)
    }
    var names: [String] = []
    for element in elements { names += try element.string("a scope").split(separator: " ").map(String.init) }
    return names
  }
}

extension TokenStorage {
  fileprivate static let keys = ["tokens", "store-command", "load-command"]

  /// - Parameter isAutomatic: Whether the tokens are kept in the keyring by default, and not only in memory.
  fileprivate init(_ node: YAMLNode, isAutomatic: Bool) throws(ConfigurationError) {
    let name = try node["tokens"]?.string("tokens")
    switch name {
    case nil: self = isAutomatic ? .automatic : .memory
    case "keyring": self = .keyring
    case "memory": self = .memory
    case "command":
      self = .commands(
        store: try node.text("store-command", of: "tokens: command"),
        load: try node.text("load-command", of: "tokens: command"))
      return
    case .some: throw (node["tokens"] ?? node).error("tokens must be keyring, memory or command")
    }
    for key in ["store-command", "load-command"] {
      if let extra = node[key] { throw extra.error("\(key) needs 'tokens: command'") }
    }
  }
}

extension SignInOperation {
  fileprivate static let keys = ["document", "token", "variables"] + TokenStorage.keys

  fileprivate init(_ node: YAMLNode) throws(ConfigurationError) {
    let path = UserFolders.expandingHome(in: try node.text("document", of: "auth of type operation"))
    let folder = node.file.lastIndex(of: "/").map { String(node.file[...$0]) } ?? ""
    document = path.hasPrefix("/") ? path : folder + path
    token = try node.text("token", of: "auth of type operation")
    for member in try node["variables"]?.members("variables") ?? [] {
      guard SecretText.isName(member.key[...]) else {
        throw ConfigurationError(
          file: node.file, at: member.keyPosition, "'\(printable(member.key))' cannot be the name of a variable")
      }
      variables.append(Profile.Header(name: member.key, value: try member.value.secret("the variable \(member.key)")))
    }
    tokens = try TokenStorage(node, isAutomatic: false)
  }
}

extension YAMLNode {
  fileprivate func text(_ key: String, of what: String) throws(ConfigurationError) -> String {
    guard let value = self[key] else { throw error("\(what) needs \(key)") }
    let text = try value.string(key)
    guard !text.isEmpty else { throw value.error("\(key) is empty") }
    return text
  }

  fileprivate func secret(_ key: String, of what: String) throws(ConfigurationError) -> SecretText {
    guard let value = self[key] else { throw error("\(what) needs \(key)") }
    return try value.secret(key)
  }

  fileprivate func secret(_ what: String) throws(ConfigurationError) -> SecretText {
    let text = try string(what)
    do throws(SecretTextError) { return try SecretText(text) } catch { throw self.error("\(what): \(error)") }
  }

  /// Reads a URL to which credentials are sent. It must be encrypted, unless the server is on this machine.
  fileprivate func secureURL(_ key: String) throws(ConfigurationError) -> String? {
    guard let value = self[key] else { return nil }
    let url = try value.string(key)
    guard let origin = Origin(url: url), origin.isSecure, !url.contains(where: \.isWhitespace) else {
      throw value.error("\(key) must begin with https://, or with http:// for a server on this machine")
    }
    return url
  }
}
