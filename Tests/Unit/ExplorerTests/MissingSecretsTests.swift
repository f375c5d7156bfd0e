import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusSQLite
import ApusSecrets
import ApusTestSupport
import Foundation
import Synchronization
import Testing

/// The rows of the table in `Docs/Development/MissingSecrets.md`: a secret that was not saved is never sent, copied or saved
/// as its mark.
@Suite(.timeLimit(.minutes(1))) struct MissingSecretsTests {
  private let home: TemporaryFolder
  private let server: ScriptedServer
  private let clipboard = Clipboard()

  private final class Clipboard: Sendable {
    private let text = Mutex("")
    var content: String { text.withLock { $0 } }
    func copy(_ copied: String) { text.withLock { $0 = copied } }
  }

  init() throws {
    home = try TemporaryFolder()
    server = try ScriptedServer { _, _ in .json(#"{"data":{"a":"x","b":1}}"#) }
  }

  /// Runs an explorer that stores everything, and quits it.
  private func explore(_ drive: (ExplorerDriver) async throws -> Void) async throws {
    let folders = UserFolders(environment: home.asHome)
    let secrets = SecretValues()
    let schema = Schema.load(sdl: [
      Document(
        parsing: """
          directive @secret on ARGUMENT_DEFINITION
          type Query { a(pin: Int, password: String, note: String, code: String @secret, in: In): String b: Int }
          input In { password: String name: String }
          """)
    ])
    let endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: server.url, store: CacheStore()), fetchSchema: { _ in schema })
    var environment = LiveEnvironment(endpoint, example: "", secrets: secrets).environment
    environment.wait = ExplorerEnvironment().wait
    environment.attachHistory(in: HistoryStore(folders: folders, secrets: secrets, now: { 1_000_000 }))
    environment.exchange.putOnClipboard = { [clipboard] text in
      clipboard.copy(text)
      return .terminal
    }
    let store = try SessionStore.open("secrets", in: folders, secrets: secrets, delay: .zero)
    environment.saveSession { store }
    let files = CollectionStore(folder: home.root)
    environment.openFiles(in: files)
    var state = ExplorerState(endpoint: server.url)
    state.endpoints.profiles = [EndpointChoice(name: "other", url: "https://other.example/graphql")]
    if let session = store.restore(files: files) { state.open(session, query: "") }
    state.showFileNotice()
    let driver = await ExplorerDriver(state: state, environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private func command(_ title: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type(title)
    await driver.press("Enter")
  }

  /// The text that is selected in the editor of a pane.
  private func selected(_ pane: PaneID, _ driver: ExplorerDriver) async -> String? {
    await driver.state.tab.editors.editor(in: pane).map { $0.buffer.text(in: $0.selection.range) }
  }

  // MARK: A saved session

  struct Case: CustomTestStringConvertible, Sendable {
    var query = "{ b }"
    var variables = ""
    var headers = ""
    var pane: PaneID
    var name: String
    /// The text that the request has once the secret is typed.
    var sent: String

    var testDescription: String { "\(pane) \(name)" }
  }

  static let cases: [Case] = [
    Case(query: #"{ a(password: "hush1") }"#, pane: .query, name: "password", sent: #"password: \"typed\""#),
    Case(query: #"{ a(code: "hush2") }"#, pane: .query, name: "code", sent: #"code: \"typed\""#),
    Case(query: #"{ a(in: {password: "hush3", name: "x"}) }"#, pane: .query, name: "password", sent: "typed"),
    Case(
      query: #"query ($password: String = "hush4") { a(password: $password) }"#, pane: .query, name: "password",
      sent: "typed"),
    Case(query: #"{ a(note: "Bearer hush567890123456789") }"#, pane: .query, name: "note", sent: #"\"Bearer typed\""#),
    Case(
      query: "query ($password: String) { a(password: $password) }", variables: #"{"password": "hush6"}"#,
      pane: .variables, name: "password", sent: #""password":"typed""#),
    Case(
      query: "query ($in: In) { a(in: $in) }", variables: #"{"in": {"name": "x", "password": "hush7"}}"#,
      pane: .variables, name: "in.password", sent: #""password":"typed""#),
    Case(headers: "X-Api-Key: hush8", pane: .headers, name: "X-Api-Key", sent: "typed"),
  ]

  @Test(arguments: cases)
  func `a run waits for the secrets that the session did not save`(example: Case) async throws {
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(example.query)
      await driver.press("Alt-2 Ctrl-A")
      if !example.variables.isEmpty { await driver.paste(example.variables) }
      await driver.press("Alt-6")
      if !example.headers.isEmpty { await driver.paste(example.headers) }
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.phase == .complete)
    }
    for file in try home.files(in: "") {
      if let bytes = try? home.bytes(file) {
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hush"), "\(file)")
      }
    }
    // A session that is saved again keeps its references.
    for _ in 0..<2 {
      try await explore { driver in
        await driver.press("Alt-1 F5")
        #expect(server.requests.count == 1)
        #expect(await driver.screen.contains("Nothing was sent: type the value of '\(example.name)' here"))
        #expect(await driver.state.screen.focus == example.pane)
        #expect(await selected(example.pane, driver) == Redactor.mark)
      }
    }
    try await explore { driver in
      await driver.press("Alt-1 F5")
      await driver.type("typed")
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.phase == .complete)
    }
    #expect(server.requests.count == 2)
    let request = try #require(server.requests.last)
    #expect(request.bodyText.contains(example.sent) || request.header("X-Api-Key") == example.sent)
    #expect(!request.bodyText.contains(Redactor.mark))
  }

  @Test func `a mark that the user typed is sent`() async throws {
    let query = #"{ a(password: "•••", note: "•••") }"#
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(query)
      await driver.press("F5")
    }
    #expect(server.requests.count == 1 && server.requests[0].bodyText.contains(#"note: \"•••\""#))
    // The note is not secret, so it is text after a restart, too.
    try await explore { driver in
      await driver.press("F5")
      #expect(await driver.state.tab.editors.query.draft.documentSecrets.map(\.name) == ["password"])
      await driver.type("x")
      await driver.press("F5")
    }
    #expect(server.requests.count == 2 && server.requests[1].bodyText.contains(#"password: \"x\", note: \"•••\""#))
  }

  @Test func `extensions without their secret are not sent`() async throws {
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste("{ b }")
      await command("Request extensions", driver)
      await driver.press("Ctrl-U")
      await driver.paste(#"{"token": "hush1", "trace": true}"#)
      await driver.press("Enter F5")
      #expect(server.requests.last?.bodyText.contains("hush1") == true)
    }
    try await explore { driver in
      await driver.press("Alt-1 F5")
      #expect(server.requests.count == 1)
      #expect(await driver.screen.contains("type the value of 'token'"))
      // Leaving the mark in its place fills in nothing.
      await driver.press("Enter F5")
      #expect(server.requests.count == 1)
      await driver.press("Ctrl-U")
      await driver.paste(#"{"token": "typed"}"#)
      await driver.press("Enter F5")
    }
    #expect(server.requests.count == 2 && server.requests[1].bodyText.contains(#""token":"typed""#))
  }

  /// The present form of the session file has no list of references.
  @Test func `an older session has references at places that count as secret`() async throws {
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(#"{ a(password: "•••", note: "•••") }"#)
      await driver.press("Alt-2 Ctrl-A")
      await driver.paste(#"{"token": "•••", "b": "•••"}"#)
    }
    let file = try #require(try home.files(in: "").first { $0.hasSuffix("workspace.json") })
    var json = try home.read(file)
    while let range = json.firstRange(of: /,\s*"references": \[[^{}"]*\]/) { json.removeSubrange(range) }
    #expect(!json.contains("references"))
    try home.write(file, json)
    try await explore { driver in
      #expect(await driver.state.tab.editors.query.draft.documentSecrets.map(\.name) == ["password"])
      #expect(await driver.state.tab.editors.variables.draft.memberSecrets.map(\.name) == ["token"])
      await driver.press("Alt-1 F5")
    }
    #expect(server.requests.isEmpty)
  }

  // MARK: Files

  @Test func `a tab of an unchanged file is read from its file`() async throws {
    let text = "{ a(password: \"hush\") }\n"
    try home.write("a.graphql", text)
    try home.write("a.variables.json", "{\"token\": \"hush2\"}\n")
    try await explore { driver in
      await driver.press("Alt-O")
      await driver.type("a.graphql")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == text)
    }
    try await explore { driver in
      #expect(await driver.state.tab.editors.query.text == text)
      #expect(await driver.state.tab.editors.variables.text == "{\"token\": \"hush2\"}\n")
      let shown = await driver.state.tabs.shownIndex
      #expect(await !driver.state.tabs.isUnsaved(shown))
      await driver.press("Ctrl-S F5")
    }
    #expect(try home.read("a.graphql") == text)
    #expect(server.requests.count == 1 && server.requests[0].bodyText.contains("hush"))
  }

  @Test(arguments: [nil, "{ a(password: \"other\") b }\n"])
  func `a tab whose file was changed or is gone keeps its text`(present: String?) async throws {
    try home.write("a.graphql", "{ a(password: \"hush\") }\n")
    try await explore { driver in
      await driver.press("Alt-O")
      await driver.type("a.graphql")
      await driver.press("Enter")
    }
    try FileManager.default.removeItem(atPath: home.path("a.graphql"))
    if let present { try home.write("a.graphql", present) }
    try await explore { driver in
      #expect(await driver.state.tab.editors.query.text == "{ a(password: \"•••\") }\n")
      let reason = present == nil ? "a.graphql is gone" : "a.graphql was changed"
      #expect(await driver.state.tab.editors.query.draft.references.count == 1)
      #expect(await driver.screen.contains(reason))
      await driver.press("Ctrl-S")
      #expect(await driver.screen.contains("The file was not saved: type the value of 'password' here"))
      #expect(await selected(.query, driver) == Redactor.mark)
    }
    #expect((try? home.read("a.graphql")) == present)
  }

  @Test func `a changed tab of a file keeps its changes and its references`() async throws {
    try home.write("a.graphql", "{ a(password: \"hush\") }\n")
    try await explore { driver in
      await driver.press("Alt-O")
      await driver.type("a.graphql")
      await driver.press("Enter Ctrl-Home")
      await driver.type("# c\n")
    }
    try await explore { driver in
      #expect(await driver.state.tab.editors.query.text == "# c\n{ a(password: \"•••\") }\n")
      let shown = await driver.state.tabs.shownIndex
      #expect(await driver.state.tabs.isUnsaved(shown))
      await driver.press("Ctrl-S")
      #expect((try? home.read("a.graphql")) == "{ a(password: \"hush\") }\n")
      await driver.type("new")
      await driver.press("Ctrl-S")
    }
    #expect(try home.read("a.graphql") == "# c\n{ a(password: \"new\") }\n")
  }

  // MARK: History

  @Test func `an operation of the history waits for its secrets`() async throws {
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(#"query Q($token: String) { a(password: "hush1", note: "•••") }"#)
      await driver.press("Alt-2 Ctrl-A")
      await driver.paste(#"{"token": "hush2"}"#)
      await driver.press("F5 Alt-1 Ctrl-A")
      await driver.type("{ b }")
      await driver.press("Alt-2 Ctrl-A Delete")
    }
    #expect(server.requests.count == 1)
    try await explore { driver in
      await driver.press("Alt-H")
      await driver.press("Ctrl-R")
      #expect(server.requests.count == 1)
      #expect(await driver.screen.contains("type the value of 'password' here"))
      await driver.type("typed1")
      await driver.press("F5")
      #expect(server.requests.count == 1)
      #expect(await driver.state.screen.focus == .variables)
      await driver.type("typed2")
      await driver.press("F5")
    }
    let body = try #require(server.requests.last).bodyText
    #expect(server.requests.count == 2 && body.contains("typed1") && body.contains("typed2"))
    #expect(body.contains(#"note: \"•••\""#))
  }

  @Test func `a row of an older history has references at places that count as secret`() async throws {
    let folders = UserFolders(environment: home.asHome)
    let store = HistoryStore(folders: folders, now: { 1 })
    try await store.record(
      HistoryEntry(operation: "query", request: .init(url: server.url, query: "{ b }"), status: .complete))
    let connection = try SQLiteConnection(path: folders.data + "/history.sqlite")
    try connection.execute(
      """
      UPDATE entries SET query = '{ a(password: "•••", note: "•••") }', variables = '{"token": "•••"}',
        extensions = '{"jwt":"•••"}', secretPlaces = NULL
      """)
    let request = try #require(try await store.search("").first).request
    #expect(request.query.documentSecrets.map(\.name) == ["password"])
    #expect(request.variables.memberSecrets.map(\.name) == ["token"])
    #expect(request.extensions.memberSecrets.map(\.name) == ["jwt"])
  }

  // MARK: Another endpoint and another tab

  @Test func `a comparison with another endpoint waits for the secrets`() async throws {
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(#"{ a(password: "hush") }"#)
    }
    try await explore { driver in
      await driver.press("Alt-1 Alt-S Enter")
      #expect(await driver.screen.contains("type the value of 'password' here"))
      #expect(await driver.state.tabs.count == 1)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a copy of a tab has the references of the tab`() async throws {
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(#"{ a(password: "hush") }"#)
      await driver.press("Alt-6")
      await driver.paste("X-Api-Key: hush3")
    }
    try await explore { driver in
      await command("duplicate the tab", driver)
      #expect(await driver.state.tabs.count == 2)
      #expect(await driver.state.tab.editors.headers.references.count == 1)
      await driver.press("F5")
      #expect(await driver.screen.contains("type the value of 'password' here"))
    }
    #expect(server.requests.isEmpty)
  }

  /// The explorer stops a run before; this is the last place before the network.
  @Test func `the environment refuses a request with a reference`() async throws {
    let endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: server.url, store: CacheStore()), fetchSchema: { _ in throw NoSchema() })
    let live = LiveEnvironment(endpoint, example: "", secrets: SecretValues())
    let failures = Mutex<[String]>([])
    let variables = Redactor().draft(variables: DraftText(#"{"token": "hush"}"#))
    await live.environment.runs.start(RunRequest(id: 1, draft: RequestDraft(query: "{ b }", variables: variables))) {
      action in
      if case .run(1, .failed(let error)) = action { failures.withLock { $0.append(error.message) } }
    }
    #expect(
      failures.withLock { $0 } == [
        "Nothing was sent: the value of 'token' is missing, because secrets are not saved"
      ])
    await live.environment.runs.start(
      RunRequest(id: 2, draft: RequestDraft(query: "# secrets: token\nquery Q($token: String) { b }"))
    ) { action in
      if case .run(2, .failed(let error)) = action { failures.withLock { $0.append(error.message) } }
    }
    #expect(failures.withLock { $0 }.last == "Nothing was sent: add the secret 'token' to the variables")
    #expect(server.requests.isEmpty)
  }

  private struct NoSchema: Error {}

  // MARK: Copies

  @Test(arguments: [
    (
      "Copy as a curl command",
      [#""password":"'"${PASSWORD:?}"'""#, #""token":"'"${TOKEN:?}"'""#, "a(password: $password"]
    ),
    (
      "Copy as an apus command",
      [#"--var password="${PASSWORD:?}""#, #"--var token="${TOKEN:?}""#, "--header 'X-Api-Key: $"]
    ),
    ("Copy as an HTTP file", [#""password": "{{PASSWORD}}""#, #""token": "{{TOKEN}}""#, "X-Api-Key: {{X_API_KEY}}"]),
  ])
  func `a copy names the variables to set`(title: String, pieces: [String]) async throws {
    func check(_ driver: ExplorerDriver) async {
      await driver.press("Alt-1")
      await command(title, driver)
      let text = clipboard.content
      for piece in pieces { #expect(text.contains(piece), "\(text)") }
      #expect(!text.contains("hush") && text.contains("note: \\\"•••") == !title.contains("apus"), "\(text)")
      #expect(text.components(separatedBy: Redactor.mark).count == 2, "\(text)")
      #expect(await driver.screen.contains("PASSWORD"))
    }
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(#"query Q($token: String) { a(password: "hush1", note: "•••") }"#)
      await driver.press("Alt-2 Ctrl-A")
      await driver.paste(#"{"token": "hush2"}"#)
      await driver.press("Alt-6")
      await driver.paste("X-Api-Key: hush3")
      await check(driver)
    }
    try await explore { driver in await check(driver) }
    #expect(server.requests.isEmpty)
  }

  // MARK: Editing

  @Test(arguments: ["Ctrl-A Ctrl-X Ctrl-V", "Ctrl-A Delete Ctrl-Z", "Alt-f", "Ctrl-Home Enter Up"])
  func `a reference stays one when its text moves`(keys: String) async throws {
    try await explore { driver in
      await driver.press("Alt-1 Ctrl-A")
      await driver.paste(#"{ a(password: "hush") }"#)
    }
    try await explore { driver in
      await driver.press("Alt-1")
      await driver.press(keys)
      await driver.press("Alt-1 F5")
      #expect(await driver.screen.contains("type the value of 'password' here"))
    }
    #expect(server.requests.isEmpty)
  }
}
