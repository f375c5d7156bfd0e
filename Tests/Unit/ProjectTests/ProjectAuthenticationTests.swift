import ApusConfiguration
import ApusSecrets
import ApusTestSupport
import Testing

@testable import ApusGraphQLProjects

/// `auth:` of an endpoint in a project's file: the table in Docs/Explanation/SignIn.md.
@Suite struct ProjectAuthenticationTests {
  private let folder: TemporaryFolder
  private let store: TrustStore

  init() throws {
    folder = try TemporaryFolder()
    store = TrustStore(folders: UserFolders(environment: ["HOME": folder.root]))
  }

  private func config(_ auth: String, headers: String = "") throws -> GraphQLConfig {
    let text = """
      extensions:
        endpoints:
          live:
            url: https://live.example/graphql
            \(headers)
            auth: \(auth)
      """
    return try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
  }

  private func profile(_ config: GraphQLConfig, _ environment: [String: String] = [:]) throws -> Profile {
    _ = try store.add(config.file, shown: config.requests)
    return try config.profile(
      of: config.endpoints[0], trust: store.trust(in: config.file), isNamed: true, environment: environment)
  }

  private static let oauth =
    "{type: oauth2, grant: client-credentials, issuer: 'https://login.example', client-id: $ID, client-secret: $S, scopes: [a, b]}"

  /// The members, the lines that are shown, and the value of the header with the environment T=t, U=u.
  @Test(arguments: [
    ("{type: bearer, token: $T}", ["auth type: bearer", "auth token: $T"], "Authorization: Bearer t"),
    ("{type: bearer, token: '${NO:x}'}", ["auth type: bearer", "auth token: ${NO:x}"], "Authorization: Bearer x"),
    (
      "{type: basic, user: $U, password: $T}", ["auth type: basic", "auth user: $U", "auth password: $T"],
      "Authorization: Basic dTp0"
    ),
    (
      "{type: api-key, header: X-K, key: a$$b, prefix: Key}",
      ["auth type: api-key", "auth header: X-K", "auth key: a$$b", "auth prefix: Key"], "X-K: Key a$b"
    ),
  ])
  func `credentials without requests are shown and used after trust`(
    auth: String, shown: [String], header: String
  ) throws {
    let config = try config(auth)
    #expect(config.requests.lines.contains { $0.contains("https://live.example/graphql") })
    for line in shown { #expect(config.requests.lines.contains("   \(line)"), "\(config.requests.lines)") }
    #expect(throws: ProjectError.untrusted(file: config.file.path)) {
      try config.profile(of: config.endpoints[0], trust: nil, isNamed: true, environment: ["T": "t"])
    }
    let profile = try profile(config, ["T": "t", "U": "u"])
    let name = try #require(profile.authentication?.header)
    let value = try #require(try profile.authenticationValue(process: ["T": "t", "U": "u"]))
    #expect("\(name): \(value)" == header)
  }

  @Test func `a sign-in with OAuth is shown completely, and its tokens belong to the file`() throws {
    let config = try config(Self.oauth)
    #expect(
      config.requests.lines == [
        "1. For the endpoint live", "   https://live.example/graphql", "   auth type: oauth2",
        "   auth grant: client-credentials", "   auth issuer: https://login.example", "   auth client-id: $ID",
        "   auth client-secret: $S", "   auth scopes: a b", "   with the value of ID, S from the environment",
      ])
    let profile = try profile(config)
    guard case .oauth(let settings)? = profile.authentication?.source else {
      Issue.record("no OAuth")
      return
    }
    #expect(settings.issuer == "https://login.example" && settings.scopes == ["a", "b"])
    #expect(try settings.clientID.resolved(environment: ["ID": "robot"]) == "robot")
    #expect(try settings.clientSecret?.resolved(environment: ["S": "hush"]) == "hush")
    #expect(profile.signInOwner == "/p/.graphqlrc.yml live")
  }

  /// Each changes the request, so that earlier consent does not include it.
  @Test func `every member is part of the consent`() throws {
    let first = try config(Self.oauth)
    _ = try store.add(first.file, shown: first.requests)
    let trust = try store.trust(in: first.file)
    let changes = [
      ("client-credentials", "device-code"), ("login.example", "other.example"), ("$ID", "$S"), ("$S", "$T"),
      ("[a, b]", "[a]"), ("[a, b]", "[a, b], audience: x"), ("oauth2", "oauth2, tokens: keyring"),
      ("oauth2", "oauth2, header: X-A"), ("[a, b]", "[a, b], token-url: 'https://t.example'"),
    ]
    for (old, new) in changes {
      let changed = try config(Self.oauth.replacing(old, with: new))
      #expect(trust?.allows(changed.endpoints[0].request) == false, "\(old) → \(new)")
    }
    #expect(trust?.allows(first.endpoints[0].request) == true)
  }

  @Test(arguments: [
    ("{type: command, command: id}", ":6:", "cannot sign in with auth of type command"),
    ("{type: operation, document: a.graphql, token: .a}", ":6:", "cannot sign in with auth of type operation"),
    (
      "{type: oauth2, grant: device-code, issuer: 'https://l.example', client-id: a, tokens: command, store-command: cat, load-command: cat}",
      ":6:", "cannot keep tokens with commands"
    ),
    ("{type: bearer}", ":6:", "auth of type bearer needs token"), ("{type: bearer, tokn: x}", ":6:", "no key 'tokn'"),
    ("{type: oauth2, grant: device-code, client-id: a, issuer: 'http://l.example'}", ":6:", "must begin with https://"),
    ("x", ":6:", "auth must be a mapping"),
  ])
  func `types that run a command or send an unseen document, and mistakes, are errors`(
    auth: String, place: String, reason: String
  ) {
    #expect {
      try config(auth)
    } throws: { "\($0)".contains(place) && "\($0)".contains(reason) }
  }

  @Test func `auth and a header of its name exclude each other`() {
    #expect {
      try config("{type: bearer, token: a}", headers: "headers: {authorization: b}")
    } throws: { "\($0)".contains("has both auth and the header Authorization") }
  }

  @Test(arguments: ["$(id)", "${A:${B}}"]) func `a value with a command is shown and never sent`(text: String) throws {
    let config = try config("{type: bearer, token: '\(text)'}")
    #expect(config.requests.lines.contains { $0.contains("never sent") })
    #expect(throws: ProjectError.self) { try profile(config, ["A": "a", "B": "b"]) }
  }
}
