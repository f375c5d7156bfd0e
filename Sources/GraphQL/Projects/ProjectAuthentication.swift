import ApusConfiguration
import ApusSecrets

/// The sign-in data of an endpoint in a project's file: `auth:` with the types and members that run no command and read no
/// other file. All of it is shown to the user before anything is sent.
///
///     auth: {type: oauth2, grant: client-credentials, issuer: https://login.example, client-id: robot, client-secret: $SECRET}
package struct ProjectAuthentication: Equatable, Sendable {
  /// A member with the text that the user is shown.
  private struct Member: Equatable, Sendable {
    let name: String
    let text: String
  }

  /// The members whose text may name variables of the environment.
  private static let secretMembers = ["token", "user", "password", "key", "client-id", "client-secret"]

  /// The settings, with placeholders in place of the texts that may name variables.
  private let settings: Authentication
  private let members: [Member]
  private let secrets: [String: ProjectText]

  /// The name of the header field that contains the credentials.
  var header: String { settings.header }
  /// The texts that are resolved for a request.
  var texts: [ProjectText] { Self.secretMembers.compactMap { secrets[$0] } }
  /// All members, one per line.
  var lines: [String] { members.map { "auth \($0.name): \($0.text)" } }

  init(_ node: YAMLNode, of endpoint: String) throws(ConfigurationError) {
    let given = try node.members("auth")
    var members: [Member] = []
    var secrets: [String: ProjectText] = [:]
    var plain: [YAMLNode.Member] = []
    for member in given {
      var value = member.value
      let text = try Self.text(of: value, member.key)
      members.append(Member(name: member.key, text: text))
      if Self.secretMembers.contains(member.key) {
        secrets[member.key] = ProjectText(text)
        value = YAMLNode(value: .scalar("-", isPlain: false), position: value.position, file: value.file)
      }
      plain.append(YAMLNode.Member(key: member.key, keyPosition: member.keyPosition, value: value))
    }
    settings = try Authentication(YAMLNode(value: .mapping(plain), position: node.position, file: node.file))
    self.members = members
    self.secrets = secrets
    try check(node, endpoint)
  }

  /// Throws if the sign-in runs a command or sends a document that the user is not shown.
  private func check(_ node: YAMLNode, _ endpoint: String) throws(ConfigurationError) {
    let storage: TokenStorage
    switch settings.source {
    case .bearer, .basic, .apiKey: return
    case .oauth(let oauth): storage = oauth.tokens
    case .command, .operation:
      throw node.error(
        "the endpoint \(endpoint) cannot sign in with auth of type \(settings.typeName): define it in config.yml")
    }
    if case .commands = storage {
      throw node.error("the endpoint \(endpoint) cannot keep tokens with commands: define it in config.yml")
    }
  }

  private static func text(of node: YAMLNode, _ what: String) throws(ConfigurationError) -> String {
    guard case .sequence(let elements) = node.value else { return node.isNull ? "" : try node.string(what) }
    var texts: [String] = []
    for element in elements { texts.append(try element.string(what)) }
    return texts.joined(separator: " ")
  }

  /// Returns the settings for a request that the user agreed to.
  func resolved(
    _ text: (ProjectText) throws(ProjectError) -> SecretText
  ) throws(ProjectError) -> Authentication {
    func secret(_ name: String) throws(ProjectError) -> SecretText { try text(secrets[name] ?? ProjectText("")) }
    var settings = settings
    switch settings.source {
    case .bearer: settings.source = .bearer(try secret("token"))
    case .basic: settings.source = .basic(user: try secret("user"), password: try secret("password"))
    case .apiKey: settings.source = .apiKey(try secret("key"))
    case .oauth(var oauth):
      oauth.clientID = try secret("client-id")
      if oauth.clientSecret != nil { oauth.clientSecret = try secret("client-secret") }
      settings.source = .oauth(oauth)
    case .command, .operation: break
    }
    return settings
  }
}
