import ApusSecrets
import Testing

@testable import ApusConfiguration

/// `auth:` and `extends:` of a profile.
struct AuthenticationSettingsTests {
  private static func settings(_ text: String) throws(ConfigurationError) -> Settings {
    try Settings(try YAMLParser.parse(Array(text.utf8), file: "/home/config.yml"))
  }

  private static func authentication(_ auth: String) throws -> Authentication {
    let settings = try settings("profiles: {p: {url: 'https://api.example', auth: {\(auth)}}}")
    return try #require(settings.profiles.first?.authentication)
  }

  private static let values: [(auth: String, header: String, value: String)] = [
    ("type: bearer, token: $T", "Authorization", "Bearer token-1"),
    ("type: bearer, token: $T, prefix: JWT", "Authorization", "JWT token-1"),
    ("type: bearer, token: $T, prefix: ''", "Authorization", "token-1"),
    ("type: bearer, token: $T, prefix: ", "Authorization", "token-1"),
    ("type: bearer, token: $T, header: X-Token", "X-Token", "Bearer token-1"),
    ("type: bearer, token: $(printf made)", "Authorization", "Bearer made"),
    ("type: basic, user: amelia, password: $T", "Authorization", "Basic YW1lbGlhOnRva2VuLTE="),
    ("type: basic, user: amelia, password: ''", "Authorization", "Basic YW1lbGlhOg=="),
    ("type: api-key, key: $T", "X-Api-Key", "token-1"),
    ("type: api-key, key: $T, header: Api-Token, prefix: Key", "Api-Token", "Key token-1"),
    ("type: command, command: printf made", "Authorization", "Bearer made"),
    ("type: command, command: 'echo \"$(printf a)\"'", "Authorization", "Bearer a"),
  ]

  @Test func `each kind of credentials without requests is a header field`() throws {
    for (auth, header, value) in Self.values {
      let settings = try Self.settings("profiles: {p: {url: 'https://api.example', auth: {\(auth)}}}")
      let profile = try #require(settings.profiles.first)
      #expect(profile.authentication?.header == header, "\(auth)")
      #expect(try profile.authenticationValue(process: ["T": "token-1"]) == value, "\(auth)")
      #expect(profile.authentication?.isSignIn == false)
      #expect(profile.hasCommandCredentials == (auth.contains("$(") || auth.contains("command")), "\(auth)")
    }
  }

  private static let grants: [(auth: String, tokens: TokenStorage)] = [
    ("grant: client-credentials, client-secret: $S", .memory), ("grant: device-code", .automatic),
    ("grant: authorization-code", .automatic), ("grant: device-code, tokens: keyring", .keyring),
    ("grant: device-code, tokens: memory", .memory),
    ("grant: client-credentials, client-secret: $S, tokens: keyring", .keyring),
    (
      "grant: device-code, tokens: command, store-command: put, load-command: get",
      .commands(store: "put", load: "get")
    ),
  ]

  @Test func `each grant has a place for its tokens`() throws {
    for (auth, tokens) in Self.grants {
      let authentication = try Self.authentication(
        "type: oauth2, issuer: 'https://id.example', client-id: apus, \(auth)")
      guard case .oauth(let settings) = authentication.source else {
        Issue.record("\(auth)")
        continue
      }
      #expect(settings.tokens == tokens, "\(auth)")
      #expect(authentication.isSignIn)
    }
  }

  @Test func `scopes are a list or words`() throws {
    for scopes in ["[birds, offline_access]", "birds offline_access", "[birds offline_access]"] {
      let authentication = try Self.authentication(
        "type: oauth2, grant: device-code, issuer: 'https://id.example', client-id: apus, scopes: \(scopes)")
      guard case .oauth(let settings) = authentication.source else { continue }
      #expect(settings.scopes == ["birds", "offline_access"])
    }
  }

  @Test func `the document of a sign-in operation is in the folder of the configuration`() throws {
    for (path, expected) in [("login.graphql", "/home/login.graphql"), ("/etc/a.graphql", "/etc/a.graphql")] {
      let authentication = try Self.authentication(
        "type: operation, document: \(path), token: .data.login.token, variables: {password: $P}")
      guard case .operation(let operation) = authentication.source else { continue }
      #expect(operation.document == expected)
      #expect(operation.token == ".data.login.token")
      #expect(operation.variables.map(\.name) == ["password"])
      #expect(operation.tokens == .memory)
    }
  }

  private static let oauth = "type: oauth2, client-id: apus"

  private static let mistakes: [(auth: String, words: String)] = [
    ("token: $T", "auth needs a type: bearer, basic, api-key, oauth2, command, operation"),
    ("type: digest", "the type of auth must be one of"),
    ("type: bearer", "needs token"), ("type: basic, user: a", "needs password"), ("type: api-key", "needs key"),
    ("type: command", "needs command"), ("type: bearer, token: $T, user: a", "has no key 'user'"),
    ("type: bearer, token: '${T'", "'${' is not closed"),
    ("type: bearer, token: $T, header: 'a b'", "cannot be the name of a header"),
    ("type: bearer, token: $T, prefix: \"a\\nb\"", "one line without control characters"),
    (oauth, "needs a grant: client-credentials, device-code, authorization-code"),
    ("\(oauth), grant: password", "the grant must be one of"),
    ("type: oauth2, grant: device-code, issuer: 'https://id.example'", "needs client-id"),
    ("\(oauth), grant: device-code", "needs an issuer, or token-url"),
    ("\(oauth), grant: device-code, token-url: 'https://a.example'", "needs an issuer, or device-url"),
    ("\(oauth), grant: authorization-code, token-url: 'https://a.example'", "needs an issuer, or authorization-url"),
    ("\(oauth), grant: client-credentials, issuer: 'https://a.example'", "needs a client-secret"),
    ("\(oauth), grant: device-code, issuer: 'http://id.example'", "must begin with https://"),
    ("\(oauth), grant: device-code, issuer: id.example", "must begin with https://"),
    ("\(oauth), grant: device-code, issuer: 'https://a.example', tokens: file", "tokens must be keyring, memory or"),
    ("\(oauth), grant: device-code, issuer: 'https://a.example', tokens: command", "needs store-command"),
    ("\(oauth), grant: device-code, issuer: 'https://a.example', load-command: a", "needs 'tokens: command'"),
    ("\(oauth), grant: device-code, issuer: 'https://a.example', redirect-port: 0", "from 1 to 65535"),
    ("\(oauth), grant: device-code, issuer: 'https://a.example', client-authentication: jwt", "must be basic or body"),
    ("type: operation, token: .a", "needs document"), ("type: operation, document: a", "needs token"),
    ("type: operation, document: a, token: .a, variables: {'a-b': c}", "cannot be the name of a variable"),
  ]

  @Test func `each mistake in auth is reported with its line and column`() {
    for (auth, words) in Self.mistakes {
      do {
        _ = try Self.authentication(auth)
        Issue.record("accepted: \(auth)")
      } catch let error as ConfigurationError {
        #expect(error.message.contains(words), "\(auth): \(error)")
        #expect(error.line == 1 && error.column > 1, "\(auth)")
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test func `a server on this machine needs no encryption`() throws {
    for url in ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"] {
      _ = try Self.authentication("\(Self.oauth), grant: device-code, issuer: '\(url)'")
    }
    for url in ["http://127.0.0.1.evil.example", "http://localhost.example", "http://10.0.0.1"] {
      #expect(throws: ConfigurationError.self, "\(url)") {
        try Self.authentication("\(Self.oauth), grant: device-code, issuer: '\(url)'")
      }
    }
  }

  @Test func `auth and a header of its name contradict each other`() {
    #expect(throws: ConfigurationError.self) {
      try Self.settings(
        "profiles: {p: {url: 'https://a.example', headers: {authorization: x}, auth: {type: bearer, token: $T}}}")
    }
  }

  // MARK: Inheritance

  private static let base = """
    profiles:
      production:
        url: https://api.example/graphql
        timeout: 5
        production: true
        headers: {X-Team: birds, X-Trace: "1"}
        environment: {TEAM: birds, LEVEL: high}
        auth: {type: oauth2, grant: device-code, issuer: 'https://id.example', client-id: apus, scopes: birds}
      plain: https://plain.example/graphql

    """

  private static func profile(_ lines: String) throws -> Profile {
    try #require(try settings(base + lines).profiles.last)
  }

  @Test func `a profile takes everything that it does not set, headers, environment and auth by member`() throws {
    let profile = try Self.profile(
      """
        dev:
          extends: production
          url: https://dev.example/graphql
          production: false
          headers: {x-trace: "2"}
          environment: {LEVEL: low}
          auth: {scopes: birds admin}
      """)
    #expect(profile.url == "https://dev.example/graphql")
    #expect(profile.timeout == .seconds(5))
    #expect(!profile.isProduction)
    #expect(profile.headers.map { "\($0.name): \($0.value)" } == ["X-Team: birds", "x-trace: 2"])
    #expect(profile.environment.map { "\($0.name)=\($0.value)" } == ["TEAM=birds", "LEVEL=low"])
    guard case .oauth(let settings) = try #require(profile.authentication).source else { return }
    #expect(settings.issuer == "https://id.example" && settings.scopes == ["birds", "admin"])
    #expect(profile.signInOwner == "production")
  }

  @Test func `a profile can be extended over several steps, and from its short form`() throws {
    let profile = try Self.profile("  a:\n    extends: production\n  b:\n    extends: a\n    timeout: 7\n")
    #expect(profile.url == "https://api.example/graphql" && profile.timeout == .seconds(7) && profile.isProduction)
    #expect(profile.signInOwner == "production")
    #expect(try Self.profile("  a:\n    extends: plain\n    timeout: 7\n").url == "https://plain.example/graphql")
  }

  @Test func `auth of another type takes nothing, and a null removes an inherited value`() throws {
    let other = try Self.profile("  a:\n    extends: production\n    auth: {type: bearer, token: $T}\n")
    #expect(other.authentication?.typeName == "bearer" && other.signInOwner == "a")
    let none = try Self.profile("  a:\n    extends: production\n    auth:\n    timeout:\n")
    #expect(none.authentication == nil && none.timeout == nil && none.signInOwner == nil)
  }

  @Test func `profiles that share a sign-in are found, and others are not`() throws {
    let settings = try Self.settings(
      Self.base + """
          staging: {extends: production, url: 'https://staging.example'}
          admin: {extends: production, auth: {scopes: admin}}
        """)
    let production = try #require(settings.profile(named: "production"))
    #expect(settings.profiles(sharingSignInOf: production).map(\.name) == ["production", "staging"])
    let admin = try #require(settings.profile(named: "admin"))
    #expect(settings.profiles(sharingSignInOf: admin).map(\.name) == ["admin"])
  }

  private static let wrongBases: [(lines: String, words: String, line: Int, column: Int)] = [
    ("  a:\n    extends: missing\n", "there is no profile 'missing' to extend; the others are", 11, 14),
    ("  a:\n    extends: a\n", "the profiles extend each other: a → a", 11, 14),
    ("  a:\n    extends: b\n  b:\n    extends: a\n", "the profiles extend each other: a → b → a", 13, 14),
    ("  a:\n    extends: [b]\n", "extends must be text, not a list", 11, 14),
  ]

  @Test func `the depth and the number of taken members are limited`() throws {
    func problems(_ profiles: String) throws -> [String] {
      Settings(tolerating: try YAMLParser.parse(Array("profiles:\n\(profiles)".utf8), file: "config.yml")).problems.map
      {
        "\($0)"
      }
    }
    func chain(_ count: Int) -> String {
      "  p0: http://h\n" + (0..<count).map { "  p\($0 + 1): {extends: p\($0)}\n" }.joined()
    }
    #expect(try problems(chain(31)).isEmpty)
    // The profiles that come later are complete already when they extend an earlier one.
    #expect(try problems(chain(2000)).isEmpty)
    let reversed = (0..<40).map { "  p\($0): {extends: p\($0 + 1)}\n" }.joined() + "  p40: http://h\n"
    #expect(try problems(reversed).first?.contains("more than 32 profiles extend one another") == true)
    let headers = (0..<1000).map { "      H\($0): a\n" }.joined()
    let many =
      "  a:\n    url: http://h\n    headers:\n\(headers)" + (0..<200).map { "  p\($0): {extends: a}\n" }.joined()
    let found = try problems(many)
    #expect(found.count == 101 && found.allSatisfy { $0.contains("take more than 100000 members from each other") })
  }

  @Test func `an unknown profile and a cycle are errors at their place`() throws {
    for (lines, words, line, column) in Self.wrongBases {
      do {
        _ = try Self.settings(Self.base + lines)
        Issue.record("accepted: \(lines)")
      } catch {
        #expect(error.message.contains(words), "\(error)")
        #expect(error.line == line && error.column == column, "\(error)")
      }
    }
  }
}
