import ApusJSON
import ApusTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `auth:` of a profile with an authorization server from PyPI (Authlib), and `apus login` and `apus logout`.
@Suite(.timeLimit(.minutes(3))) struct SignInCommandTests {
  /// A folder with a configuration for the server, where a store of commands keeps the tokens.
  private struct Setup {
    let folder: TemporaryFolder
    let server: PythonServer
    /// The endpoint of subscriptions over a WebSocket.
    let socketURL: String
    var place: String { folder.path("place") }

    init() async throws {
      folder = try TemporaryFolder()
      server = try await PythonServer.start(.authorization)
      socketURL = await server.nextLine() ?? ""
      try FileManager.default.createDirectory(atPath: folder.path("config"), withIntermediateDirectories: true)
      try folder.write("config/login.graphql", "mutation($password: String!) { login(password: $password) { token } }")
      try folder.write(
        "config/config.yml",
        """
        profiles:
          robot:
            url: \(server.url)/graphql
            auth: {type: oauth2, grant: client-credentials, issuer: '\(server.url)', client-id: robot, client-secret: $S}
          socket: {extends: robot, url: '\(socketURL)', subscription-transport: ws}
          birds:
            url: \(server.url)/graphql
            auth:
              type: oauth2
              grant: device-code
              issuer: \(server.url)
              client-id: apus
              scopes: birds
              tokens: command
              store-command: cat > \(folder.path("place"))
              load-command: cat \(folder.path("place")) 2>/dev/null
          browser: {extends: birds, auth: {grant: authorization-code}}
          memory: {extends: birds, auth: {tokens: memory, store-command: , load-command: }}
          kept: {extends: robot, auth: {tokens: keyring}}
          keyring: {extends: birds, auth: {tokens: keyring, store-command: , load-command: }}
          login:
            url: \(server.url)/graphql
            auth: {type: operation, document: login.graphql, token: .data.login.token, variables: {password: $P}}
        """)
    }

    var environment: [String: String] {
      [
        "APUS_CONFIG_HOME": folder.path("config"), "APUS_STATE_HOME": folder.path("state"),
        "APUS_DATA_HOME": folder.path("data"), "APUS_CACHE_HOME": folder.path("cache"), "S": "robot-secret-5f1c",
        "P": "sesame-77c2", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
      ]
    }

    func apus(_ words: String..., setting changes: [String: String] = [:]) async throws -> ChildProcess.Outcome {
      try await ChildProcess.run(Checkout.apus, words, environment: environment.merging(changes) { $1 })
    }

    /// Starts a sign-in, whose messages are its output.
    func login(_ profile: String) throws -> ChildProcess {
      try ChildProcess(
        "/bin/sh", ["-c", "exec \(Checkout.apus) login \(profile) --no-browser 2>&1"], environment: environment)
    }

    /// Signs in with a device code, which the user enters.
    func signIn(_ profile: String = "birds", answer: String = "") async throws -> ChildProcess.Outcome {
      let login = try login(profile)
      let prompt = try #require(await login.nextLine())
      let code = try #require(prompt.firstMatch(of: #/code ([A-Z]{4}-[A-Z]{4}) /#)?.1)
      try await get("\(server.url)/device/enter?user_code=\(code)\(answer)")
      return await login.outcome()
    }

    func viewer(_ profile: String) async throws -> ChildProcess.Outcome {
      try await apus("query", profile, "-q", "{ viewer }")
    }

    /// Changes the server's behavior.
    func control(_ change: String) async throws {
      _ = try await get("\(server.url)/control?\(change)")
    }

    @discardableResult
    func get(_ url: String) async throws -> String {
      String(decoding: try await URLSession.shared.data(from: try #require(URL(string: url))).0, as: UTF8.self)
    }
  }

  @Test func `client credentials need no login, for queries, schemas and subscriptions`() async throws {
    let setup = try await Setup()
    let query = try await setup.viewer("robot")
    #expect(query.output == "{\"data\":{\"viewer\":\"robot\"}}\n" && query.exitCode == 0, "\(query.errors)")
    let schema = try await setup.apus("schema", "robot")
    #expect(schema.output.contains("viewer: String") && schema.exitCode == 0, "\(schema.errors)")
    let events = try await setup.apus("query", "socket", "-q", "subscription { ticks(count: 2) }")
    #expect(events.output == "{\"data\":{\"ticks\":0}}\n{\"data\":{\"ticks\":1}}\n", "\(events.errors)")
    let audit = try await setup.apus("audit", "robot", "--only", "http")
    #expect(audit.exitCode <= 1 && !audit.output.contains("status 401"), "\(audit.output)\(audit.errors)")
  }

  @Test func `a project's sign-in is used after trust, with tokens of its own`() async throws {
    let setup = try await Setup()
    let project = setup.folder.path("project")
    try setup.folder.write(
      "project/.graphqlrc.yml",
      """
      schema: schema.graphql
      extensions:
        endpoints:
          live:
            url: \(setup.server.url)/graphql
            auth: {type: oauth2, grant: client-credentials, issuer: '\(setup.server.url)', client-id: robot, client-secret: $S}
          person:
            url: \(setup.server.url)/graphql
            auth: {type: oauth2, grant: device-code, issuer: '\(setup.server.url)', client-id: apus, scopes: birds}
      """)
    try setup.folder.write("project/schema.graphql", "type Query { viewer: String }")
    func apus(_ words: String...) async throws -> ChildProcess.Outcome {
      try await ChildProcess.run(
        "/usr/bin/env", ["-C", project, Checkout.apus] + words, environment: setup.environment)
    }
    for words in [["query", "live", "-q", "{ viewer }"], ["login", "person", "--no-browser"], ["logout", "live"]] {
      let refused = try await ChildProcess.run(
        "/usr/bin/env", ["-C", project, Checkout.apus] + words, environment: setup.environment)
      #expect(refused.exitCode == 5 && refused.errors.contains("is not trusted"), "\(refused.errors)")
    }
    #expect(try await setup.get("\(setup.server.url)/control").contains("\"issued\":0"))
    let trust = try await apus("trust", "--yes")
    #expect(trust.exitCode == 0 && (trust.output + trust.errors).contains("auth client-secret: $S"), "\(trust.errors)")
    let query = try await apus("query", "live", "-q", "{ viewer }")
    #expect(query.output == "{\"data\":{\"viewer\":\"robot\"}}\n", "\(query.errors)")
    #expect(!(trust.output + query.output + query.errors).contains("robot-secret"))
    // There is no keyring here, and a command cannot keep tokens in memory.
    let login = try await apus("login", "person", "--no-browser")
    #expect(login.exitCode == 2 && login.errors.contains("memory"), "\(login.errors)")
  }

  /// An operation that an editor runs through the language server.
  @Test(.timeLimit(.minutes(2)))
  func `the language server runs operations and reads the schema with a signed-in profile`() async throws {
    let setup = try await Setup()
    #expect(try await setup.signIn().exitCode == 0)
    try setup.folder.write("work/a.graphql", "query A { viewer }")
    for (profile, viewer) in [("robot", "robot"), ("birds", "amelia"), ("login", "amelia")] {
      var editor = try await EditorProcess(
        in: setup.folder, "work", ["--schema", profile], environment: setup.environment)
      editor.open("work/a.graphql", "query A { viewer }")
      // The schema is fetched meanwhile.
      try await waitUntil {
        let hover = try await editor.ask("textDocument/hover", editor.place("work/a.graphql", 1, 13))
        return "\(hover)".contains("viewer: String")
      }
      let answer = try await editor.ask(
        "workspace/executeCommand",
        ["command": "apus.run", "arguments": [editor.place("work/a.graphql", 1, 7)]])
      #expect("\(answer)".contains(viewer), "\(profile): \(answer)")
      await editor.close()
    }
  }

  @Test func `a header that the user typed takes precedence over the sign-in`() async throws {
    let setup = try await Setup()
    let outcome = try await setup.apus("query", "birds", "-q", "{ viewer }", "-H", "Authorization: Bearer other")
    #expect(outcome.output.contains("sign in") && outcome.exitCode == 1)
  }

  @Test func `a device code signs in, and the token is renewed after a rejection and before it expires`() async throws {
    let setup = try await Setup()
    let login = try await setup.signIn()
    #expect(login.output.contains("apus: signed in to 'birds'") && login.exitCode == 0, "\(login.output)")
    #expect(try await setup.viewer("birds").output == "{\"data\":{\"viewer\":\"amelia\"}}\n")
    try await setup.control("revoke=all")
    #expect(try await setup.viewer("birds").exitCode == 0)
    #expect(await setup.server.says("graphql refused"))
    #expect(await setup.server.says("token refresh_token rotated"))
    #expect(await setup.server.nextLine() == "graphql amelia")
    // The store says that the token has expired, which the server never sees.
    let stored = try String(contentsOfFile: setup.place, encoding: .utf8)
    try setup.folder.write("place", stored.replacing(#/"expires_at":\d+/#, with: "\"expires_at\":1"))
    #expect(try await setup.viewer("birds").exitCode == 0)
    #expect(await setup.server.nextLine() == "token refresh_token rotated")
    #expect(await setup.server.nextLine() == "graphql amelia")
  }

  @Test func `programs that renew at the same time use each refresh token once`() async throws {
    let setup = try await Setup()
    #expect(try await setup.signIn().exitCode == 0)
    try await setup.control("lifetime=3600&revoke=all")
    let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for _ in 0..<4 { group.addTask { try await setup.viewer("birds").exitCode } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == [0, 0, 0, 0])
    #expect(try await setup.viewer("birds").exitCode == 0)
  }

  @Test func `a browser on this machine signs in with a proof key`() async throws {
    let setup = try await Setup()
    let login = try setup.login("browser")
    let prompt = try #require(await login.nextLine())
    let page = try #require(prompt.firstRange(of: "http").map { String(prompt[$0.lowerBound...]) })
    let url = try #require(URLComponents(string: page))
    let redirect = try #require(url.queryItems?.first { $0.name == "redirect_uri" }?.value)
    // Another page of the browser cannot end the sign-in.
    try await setup.get("\(redirect)?code=stolen&state=other")
    try await setup.get(redirect)
    #expect(try await setup.get(page).contains("You are signed in"))
    let outcome = await login.outcome()
    #expect(outcome.output.contains("signed in to 'browser'") && outcome.exitCode == 0, "\(outcome.output)")
    #expect(try await setup.viewer("browser").exitCode == 0)
    #expect(await setup.server.says("token authorization_code new"))
  }

  @Test func `declining ends the sign-in with its message`() async throws {
    let setup = try await Setup()
    let device = try await setup.signIn(answer: "&deny=1")
    #expect(device.output.contains("the sign-in was declined") && device.exitCode == 3, "\(device.output)")
    let login = try setup.login("browser")
    let prompt = try #require(await login.nextLine())
    let page = try #require(prompt.firstRange(of: "http").map { String(prompt[$0.lowerBound...]) })
    #expect(try await setup.get(page + "&deny=1").contains("The sign-in failed"))
    let outcome = await login.outcome()
    #expect(outcome.output.contains("the sign-in was declined") && outcome.exitCode == 3, "\(outcome.output)")
  }

  @Test func `an expired code, a wrong client and a clock that is wrong have their messages`() async throws {
    let setup = try await Setup()
    try await setup.control("device=1")
    let expired = try setup.login("birds")
    let message = await expired.outcome()
    #expect(message.output.contains("the code has expired") && message.exitCode == 3, "\(message.output)")
    try await setup.control("clock=600")
    let client = try await setup.apus("query", "robot", "-q", "{ viewer }", setting: ["S": "wrong"])
    #expect(client.errors.contains("invalid_client") && client.exitCode == 3)
    #expect(client.errors.contains("this computer's clock is 10 minutes slow"), "\(client.errors)")
  }

  @Test func `without a sign-in, a keyring or a store nothing is sent`() async throws {
    let setup = try await Setup()
    for (profile, command, words) in [
      ("birds", "query", "not signed in to 'birds'; run 'apus login birds'"),
      ("memory", "query", "not signed in to 'memory'"), ("memory", "login", "kept in memory"),
      ("keyring", "query", "no keyring can be used"), ("keyring", "login", "no keyring can be used"),
    ] {
      let outcome =
        command == "login" ? try await setup.apus("login", profile, "--no-browser") : try await setup.viewer(profile)
      #expect(outcome.errors.contains(words) && outcome.exitCode == 2, "\(profile): \(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    // The next line of the server is about the first request that reaches it.
    _ = try await setup.viewer("robot")
    #expect(await setup.server.nextLine() == "token client_credentials new")
  }

  /// Whether a keyring can be started.
  private static let hasKeyring = ["/usr/bin/dbus-run-session", "/usr/bin/gnome-keyring-daemon"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: hasKeyring, "needs dbus-run-session and gnome-keyring-daemon"))
  func `the keyring keeps a token for other programs until the user signs out`() async throws {
    let setup = try await Setup()
    // The daemon does not create its home.
    try FileManager.default.createDirectory(atPath: setup.folder.path("home"), withIntermediateDirectories: true)
    let query = "\(Checkout.apus) query kept -q '{ viewer }' 2>&1"
    let script = """
      printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
      \(query); \(query); \(Checkout.apus) doctor | grep ' kept  '; \(Checkout.apus) logout kept 2>&1; \(query)
      """
    let outcome = try await ChildProcess.run(
      "/usr/bin/dbus-run-session", ["--", "/bin/sh", "-c", script],
      environment: setup.environment.merging([
        "HOME": setup.folder.path("home"), "XDG_DATA_HOME": setup.folder.path("home/data"),
      ]) { $1 })
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 5, "\(outcome.output)\(outcome.errors)")
    #expect(lines[0] == #"{"data":{"viewer":"robot"}}"# && lines[1] == lines[0] && lines[4] == lines[0])
    #expect(lines[2].contains("oauth2 (client-credentials), token in the keyring, expires in"))
    #expect(lines[3] == "apus: signed out of 'kept'")
    var requests: [String?] = []
    for _ in 0..<6 { requests.append(await setup.server.nextLine()) }
    #expect(
      requests == [
        "token client_credentials new", "graphql robot", "graphql robot", "revoked", "token client_credentials new",
        "graphql robot",
      ])
  }

  @Test func `a sign-in that the server ended is removed`() async throws {
    let setup = try await Setup()
    #expect(try await setup.signIn().exitCode == 0)
    try await setup.control("revoke=sessions")
    let ended = try await setup.viewer("birds")
    #expect(ended.errors.contains("the sign-in of 'birds' has ended (invalid_grant)") && ended.exitCode == 3)
    #expect(try await setup.viewer("birds").exitCode == 2)
  }

  @Test func `logging out revokes the token and removes it`() async throws {
    let setup = try await Setup()
    #expect(try await setup.signIn().exitCode == 0)
    let outcome = try await setup.apus("logout", "birds")
    #expect(outcome.errors == "apus: signed out of 'birds'\n" && outcome.exitCode == 0)
    #expect(await setup.server.says("revoked"))
    #expect(try String(contentsOfFile: setup.place, encoding: .utf8) == "{}\n")
    #expect(try await setup.viewer("birds").exitCode == 2)
    #expect(try await setup.apus("logout", "birds").errors == "apus: not signed in to 'birds'\n")
  }

  @Test func `a login operation signs in, and its refusal is the server's message`() async throws {
    let setup = try await Setup()
    let query = try await setup.viewer("login")
    #expect(query.output == "{\"data\":{\"viewer\":\"amelia\"}}\n" && query.exitCode == 0, "\(query.errors)")
    let refused = try await setup.apus("query", "login", "-q", "{ viewer }", setting: ["P": "guess"])
    #expect(refused.errors.contains("wrong password") && refused.exitCode == 3, "\(refused.errors)")
  }

  @Test func `no token or secret is in a file of Apus or in its output`() async throws {
    let setup = try await Setup()
    let login = try await setup.signIn()
    var texts = [login.output]
    for words in [
      ["query", "birds", "-q", "{ viewer }", "--verbose", "--include", "--record", setup.folder.path("recording")],
      ["query", "robot", "-q", "{ viewer }", "--verbose", "--db", setup.folder.path("cache.db")],
      ["query", "login", "-q", "{ viewer }", "--verbose", "--record", setup.folder.path("login")],
      ["audit", "robot", "--only", "http", "--report", setup.folder.path("report")], ["doctor"],
    ] {
      let outcome = try await ChildProcess.run(Checkout.apus, words, environment: setup.environment)
      texts += [outcome.output, outcome.errors]
    }
    let files = try #require(FileManager.default.enumerator(atPath: setup.folder.path(""))).compactMap { $0 as? String }
    for file in files where file != "place" {
      texts.append(
        String(decoding: FileManager.default.contents(atPath: setup.folder.path(file)) ?? Data(), as: UTF8.self))
    }
    let tokens = /(at|rt|lt)-[A-Za-z0-9_-]{20}|robot-secret-5f1c|sesame-77c2/
    for text in texts { #expect(text.firstMatch(of: tokens) == nil) }
    #expect(try String(contentsOfFile: setup.place, encoding: .utf8).contains(tokens))
  }
}
