import ApusClientCache
import ApusClientCore
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusSecrets
import ApusTestSupport
import Foundation
import Testing

/// Secrets placed wherever a user or server can put them must not appear in any written file.
@Suite(.timeLimit(.minutes(1))) struct SavedSecretsTests {
  private let home: TemporaryFolder
  private let server: ScriptedServer

  init() throws {
    home = try TemporaryFolder()
    // The server echoes the request.
    server = try ScriptedServer { request, _ in
      .json(#"{"data":{"a":"\#(request.header("X-Live") ?? "")","token":"planted-answer","b":1}}"#)
    }
  }

  /// Runs an explorer with all kinds of storage enabled, and quits it.
  private func explore(at url: String? = nil, _ drive: (ExplorerDriver) async throws -> Void) async throws {
    let url = url ?? server.url
    let folders = UserFolders(environment: home.asHome)
    let secrets = SecretValues()
    let schema = Schema.load(sdl: [
      Document(parsing: "type Query { a(pin: Int, password: String): String token: String b: Int }")
    ])
    var endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: url, store: CacheStore()), fetchSchema: { _ in schema })
    endpoint.resolveHeader = { try $0.resolved(environment: ["LIVE": "planted-live"], run: { $0 }) }
    let live = LiveEnvironment(endpoint, example: "", secrets: secrets)
    var environment = live.environment
    environment.attachHistory(in: HistoryStore(folders: folders, secrets: secrets, now: { 1_000_000 }))
    let store = try SessionStore.open("secrets", in: folders, secrets: secrets, delay: .zero)
    environment.saveSession { store }
    environment.openFiles(in: CollectionStore(folder: home.root))
    var state = ExplorerState(endpoint: url)
    if let workspace = store.restore() { state.open(workspace, query: "") }
    let log = try #require(ExplorerLog(path: home.path("log"), secrets: secrets))
    let driver = await ExplorerDriver(state: state, environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
    await log.finish()
  }

  private func planted() throws -> [String] {
    try home.files(in: "").flatMap { file -> [String] in
      guard let bytes = try? home.bytes(file) else { return [] }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.contains("planted") ? ["\(file) has a secret"] : []
    }
  }

  @Test func `no file contains a secret`() async throws {
    try await explore { driver in
      await driver.press("Ctrl-P")
      await driver.type("record incoming")
      await driver.press("Enter Ctrl-U")
      await driver.type(home.path("session.ndjson"))
      await driver.press("Enter")
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(
        #"query Q($password: String = "planted-default", $p: Int) { a(pin: $p, password: $password) token b }"#)
      await driver.press("Alt-2 Ctrl-A")
      await driver.paste(#"{"password": "planted-variable", "p": 1, "tokens": ["planted-list"]}"#)
      await driver.press("Alt-6")
      await driver.type("X-Live: $LIVE\nAuthorization: Bearer planted-typed\n# Cookie: Bearer planted12345")
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.phase == .complete)
      let request = try await server.request()
      #expect(request.header("Authorization") == "Bearer planted-typed")
      #expect(request.header("X-Live") == "planted-live")
      await driver.press("Alt-6 Ctrl-End")
      await driver.type("\nX-Kept: $LIVE")
    }
    #expect(try planted() == [])
    let files = try home.files(in: "")
    #expect(files.contains("data/history.sqlite") && files.contains("session.ndjson"))
    #expect(files.contains { $0.hasSuffix("workspace.json") } && files.contains { $0.hasSuffix("response-1.json") })
    try await explore { driver in
      let headers = await driver.state.tab.editors.headers.text
      #expect(headers.contains("X-Live: $LIVE") && headers.contains("X-Kept: $LIVE"))
      #expect(headers.contains("Authorization: \(Redactor.mark)"))
      #expect(await driver.state.tab.editors.variables.text.contains(Redactor.mark))
    }
  }

  /// The server echoes a variable in a value, within a string, escaped and in an error, and the tab has other variables
  /// when the session is saved.
  @Test func `a saved response omits a variable echoed by the server`() async throws {
    let echo = try ScriptedServer { request, _ in
      guard request.bodyText.contains("planted-echo") else { return .json(#"{"data":{"b":1}}"#) }
      let message = #"no planted\\u002decho/4711, &#x70;lanted-echo&#47;4711"#
      return .json(#"{"data":{"a":"planted-echo/4711","token":"x","b":1},"errors":[{"message":"\#(message)"}]}"#)
    }
    try await explore(at: echo.url) { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste("query Q($password: String) { a(password: $password) b }")
      await driver.press("Alt-2 Ctrl-A")
      await driver.paste(#"{"password": "planted-echo/4711"}"#)
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.phase == .complete)
      #expect(await driver.screen.contains("planted-echo/4711"))
      await driver.press("Alt-2 Ctrl-A")
      await driver.paste("{}")
    }
    #expect(try planted() == [])
    let file = try #require(try home.files(in: "").first { $0.hasSuffix("response-1.json") })
    #expect(try home.read(file).contains(Redactor.mark))
  }

  @Test func `a saved schema omits credentials echoed by the server`() throws {
    let secrets = SecretValues()
    secrets.add(header: "Authorization", "Bearer planted-token", isLive: true)
    let folders = UserFolders(environment: home.asHome)
    let store = SchemaStore(endpoint: "https://a.example/graphql", folders: folders, secrets: secrets)
    let text = """
      "For planted-token"
      type Query { a(b: String = "planted-token"): Int @deprecated(reason: "planted-token") }
      """
    #expect(store.write(Schema.load(sdl: [Document(parsing: text)])))
    #expect(store.load()?.schema.types.contains { $0.name == "Query" } == true)
    #expect(try planted() == [])
    #expect(try home.files(in: "").contains { $0.hasSuffix(".graphql") })
  }

  @Test(arguments: [
    "type planted_token { a: Int }", "enum E { A planted_token }", "input I { planted_token: Int = 1 }",
  ])
  func `a schema with a credential as a name is not saved`(definition: String) throws {
    let secrets = SecretValues()
    secrets.add(header: "Authorization", "Bearer planted_token", isLive: true)
    let store = SchemaStore(
      endpoint: "https://a.example/graphql", folders: UserFolders(environment: home.asHome), secrets: secrets)
    #expect(store.write(Schema.load(sdl: [Document(parsing: "type Query { a: Int }")])))
    #expect(!store.write(Schema.load(sdl: [Document(parsing: "type Query { a: Int } \(definition)")])))
    #expect(store.load()?.schema.types.contains { $0.name == "Query" } == true)
    #expect(try planted() == [])
  }

  @Test func `a saved response is unchanged, and its notice says that it contains a secret`() async throws {
    try await explore { driver in
      await driver.paste("{ a b }")
      await driver.press("Alt-6")
      await driver.type("X-Live: $LIVE")
      await driver.press("F5 Ctrl-P")
      await driver.type("save the response")
      await driver.press("Enter Ctrl-U")
      await driver.type("answer.json")
      await driver.press("Enter")
      #expect(await driver.state.screen.notice?.text == "Wrote answer.json (it contains a secret)")
    }
    #expect(try home.read("answer.json").contains("planted-live"))
    #expect(try planted() == ["answer.json has a secret"])
  }

  @Test func `a deleted secret is not in the saved undo history`() async throws {
    try await explore { driver in
      await driver.type("# begin ")
      await driver.paste(#"{ a(password: "planted") }"#)
      await driver.press("Ctrl-A Delete")
      await driver.type("{ b }")
      await driver.press("Alt-6")
      await driver.type("Authorization: Bearer planted")
      await driver.press("Ctrl-A Delete")
    }
    #expect(try planted() == [])
  }

  @Test func `a header line without a colon is saved without its secret`() async throws {
    for line in ["Authorization planted", "X-Api-Key = planted", "  Cookie sid=planted"] {
      try await explore { driver in
        await driver.press("Alt-6")
        await driver.type(line)
      }
      #expect(try planted() == [], "\(line)")
    }
    #expect(HeaderLine.secretName(inWrong: "Authorization") == nil && HeaderLine.secretName(inWrong: "Accept x") == nil)
    #expect(HeaderLine.secretName(inWrong: "# Authorization x") == nil)
  }

  /// In Swift, the colon, the space and the following mark form one character.
  @Test func `a header value starting with a combining mark is redacted`() throws {
    for line in ["X-Ring:\u{301}1", "X-Ring: \u{301}1", "  X-Ring:\t\u{301}1 "] {
      let header = try #require(HeaderLine(line), "\(line)")
      #expect(header.name == "X-Ring")
      #expect(header.value.unicodeScalars.elementsEqual("\u{301}1".unicodeScalars))
      #expect(Array(line.utf8)[header.valueColumn...].starts(with: header.value.utf8))
    }
    #expect(!HeaderLine.isWrong("#\u{301} a comment") && HeaderLine.isWrong("no header"))
  }

  @Test func `every file is readable only by the user`() async throws {
    // Folders left accessible to others by an older version or the user.
    try home.write("data/open", "")
    chmod(home.path("data"), 0o755)
    try await explore { driver in
      await driver.paste("{ b }")
      await driver.press("F5")
      await driver.press("Ctrl-P")
      await driver.type("run again from the history")
      await driver.press("Esc")
    }
    for file in try home.files(in: "") where file != "data/open" && file != "data" && file != "state" {
      var isFolder: ObjCBool = false
      #expect(FileManager.default.fileExists(atPath: home.path(file), isDirectory: &isFolder))
      #expect(try home.mode(of: file) == (isFolder.boolValue ? 0o700 : 0o600), "\(file)")
    }
    #expect(try home.mode(of: "data") == 0o700)
  }
}
