import ApusClientCache
import ApusClientCore
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Testing

/// Changes outside the explorer: the schema, files, and fragments of other files.
@Suite(.timeLimit(.minutes(1))) struct OutsideScenarioTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let old = """
    type Query { bird(id: ID!): Bird swift: Bird }
    type Bird { id: ID! name: String weight: Int }
    enum Sex { MALE FEMALE }
    """
  private static let new = """
    type Query { bird(id: ID!, season: Season!): Bird swift: Bird @deprecated(reason: "Use bird.") }
    type Bird { id: ID! name: String! mass: Float }
    enum Sex { MALE FEMALE UNKNOWN }
    enum Season { SPRING }
    """

  private static func schema(_ text: String) -> Schema { Schema.load(sdl: [Document(parsing: text)]) }

  private func explore(
    _ query: String, saved: String? = nil, fetched: String = old, url: String = "http://127.0.0.1:9/graphql",
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    var endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: url, store: CacheStore()), fetchSchema: { _ in Self.schema(fetched) })
    if let saved { endpoint.keptSchema = { (Self.schema(saved), "seen 2 h ago") } }
    let store = CollectionStore(folder: folder.root)
    let live = LiveEnvironment(
      endpoint, example: "", folder: folder.root, documents: { store.documents(except: nil) })
    var environment = live.environment
    environment.openFiles(in: store)
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: url, query: query), environment: environment, width: 100, height: 34)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  @Test func `schema changes are reported and listed`() async throws {
    try await explore("{ swift { id } }", saved: Self.old, fetched: Self.new) { driver in
      #expect(await driver.screen.contains("The schema has changed in 8 places since the last session"))
      #expect(await driver.screen.contains("8 changes"))
      await driver.press("Ctrl-P")
      await driver.type("show schema changes")
      await driver.press("Enter")
      for row in [
        "Breaking: existing clients can fail (3)", "- Bird.weight", "+ Query.bird(season:)",
        "Dangerous: existing clients can get unexpected data (1)", "Safe (4)", "~ Bird.name", "was String",
        "+ Bird.mass", "+ Sex.UNKNOWN", "+ Season", "deprecated: Use bird.",
      ] {
        #expect(await driver.screen.contains(row), "\(row)")
      }
    }
  }

  @Test func `an unchanged schema has no changes`() async throws {
    try await explore("{ swift { id } }", saved: Self.old) { driver in
      #expect(await !driver.screen.contains("change"))
      await driver.press("Ctrl-P")
      await driver.type("show schema changes")
      await driver.press("Enter")
      #expect(await driver.screen.contains("The schema has not changed since Apus first loaded it"))
    }
  }

  @Test func `store keeps the previous schema`() throws {
    let folders = UserFolders(environment: folder.asHome)
    let store = SchemaStore(endpoint: "http://a.example", folders: folders)
    for _ in 0..<2 { #expect(store.write(Self.schema(Self.old))) }
    #expect(store.loadEarlier() == nil)
    #expect(store.write(Self.schema(Self.new)))
    #expect(store.loadEarlier()?.schema.type(named: "Season") == nil)
    #expect(store.load()?.schema.type(named: "Season") != nil)
  }

  @Test func `fragments of other files are resolved and sent`() async throws {
    try folder.write("parts/names.graphql", "fragment Names on Bird { name ...Ids }")
    try folder.write("ids.graphql", "query Other { swift { id } }\nfragment Ids on Bird { id }")
    let server = try ScriptedServer([.json(#"{"data":{"swift":{"name":"Apus","id":"1"}}}"#)])
    try await explore("{ swift { ...Names } }", url: server.url) { driver in
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty)
      await driver.press("F5")
      let sent = try await server.request().bodyText
      #expect(sent.contains("fragment Names on Bird") && sent.contains("fragment Ids on Bird"))
      #expect(await driver.screen.contains(#"name: "Apus""#))
      await driver.press("Home Right Right End Left Left Left")
      await driver.type("Nowhere")
      #expect(await !driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty)
    }
    server.stop()
  }

  @Test func `completion offers fragments of other files`() async throws {
    try folder.write("names.graphql", "fragment Names on Bird { name }")
    try folder.write("root.graphql", "fragment Root on Query { swift { id } }")
    try await explore("{ swift { ... } }") { driver in
      await driver.press("Home Right Right Right Right Right Right Right Right Right Right Right Right Right")
      await driver.type("Na")
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.query.text == "{ swift { ...Names } }")
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty)
      await driver.press("Left F3")
      #expect(await driver.screen.contains("fragment Names on Bird"))
      // A fragment on Query cannot be spread on a bird.
      await driver.press("Esc Right Backspace Backspace Backspace Backspace Backspace")
      await driver.type("Ro")
      #expect(await !driver.screen.contains("Root"))
    }
  }

  @Test func `upload progress is shown`() async throws {
    try folder.write("swift.txt", String(repeating: "Apus apus ", count: 2_000_000))
    let schema = "scalar Upload type Query { a: Int } type Mutation { add(file: Upload!): Int }"
    let gate = Gate()
    let server = try ScriptedServer([.json(#"{"data":{"add":31}}"#).held(by: gate)])
    try await explore("mutation Add($f: Upload!) { add(file: $f) }", fetched: schema, url: server.url) { driver in
      await driver.press("Alt-2")
      await driver.paste(#"{"f": "\#(folder.root)/swift.txt"}"#)
      await driver.pressWithoutWaiting("F5")
      await driver.wait { $0.tab.response.traffic?.upload.map { $0.sentByteCount == $0.totalByteCount } ?? false }
      let upload = try #require(await driver.state.tab.response.traffic?.upload)
      #expect(upload.totalByteCount > 20_000_000)
      await driver.pressWithoutWaiting("F9")
      await driver.waitForScreen("of 20.0 MB")
      #expect(await driver.screen.contains("upload"))
      #expect(await driver.screen.contains("20.0 MB of 20.0 MB"))
      gate.open()
      await driver.press("Esc")
      #expect(await driver.screen.contains("add: 31"))
    }
    server.stop()
  }

  @Test func `a string for an upload variable sends the file`() async throws {
    try folder.write("swift.txt", "Apus apus, in the air since May")
    let schema = """
      scalar Upload
      input Picture { title: String file: Upload! }
      type Query { a: Int }
      type Mutation { add(picture: Picture!): Int }
      """
    let server = try ScriptedServer([.json(#"{"data":{"add":31}}"#)])
    try await explore("mutation Add($p: Picture!) { add(picture: $p) }", fetched: schema, url: server.url) { driver in
      await driver.press("Alt-2")
      await driver.paste(#"{"p": {"title": "no file", "file": "\#(folder.root)/nothing.txt"}}"#)
      await driver.press("F5")
      #expect(await driver.screen.contains("is not a readable file"))
      await driver.press("Ctrl-A")
      await driver.paste(#"{"p": {"title": "a bird", "file": "\#(folder.root)/swift.txt"}}"#)
      await driver.press("F5")
      let request = try await server.request()
      #expect(request.header("Content-Type")?.hasPrefix("multipart/form-data") == true)
      #expect(request.bodyText.contains("Apus apus, in the air since May"))
      #expect(request.bodyText.contains(#"variables.p.file"#))
      #expect(await driver.screen.contains("add: 31"))
    }
    server.stop()
  }

  @Test func `an unexpected file is sent only after confirmation`() async throws {
    try folder.write("queries/add.graphql", "mutation Add($f: Upload!) { add(file: $f) }")
    try folder.write("queries/near.txt", "near the document")
    try folder.write("queries/.hidden/key", "hidden")
    try folder.write("key", "elsewhere")
    let schema = "scalar Upload type Query { a: Int } type Mutation { add(file: Upload!): Int }"
    let server = try ScriptedServer([.json(#"{"data":{"add":31}}"#)])
    try await explore("{ a }", fetched: schema, url: server.url) { driver in
      await driver.press("Alt-O")
      await driver.press("Enter")
      let files = [("queries/near.txt", false), ("queries/.hidden/key", true), ("queries/../key", true)]
      for (file, isAsked) in files {
        await driver.press("Alt-2 Ctrl-A")
        await driver.paste(#"{"f": "\#(folder.root)/\#(file)"}"#)
        let before = server.requests.count
        await driver.press("F5")
        #expect(await driver.screen.contains("Send this file to") == isAsked)
        #expect(server.requests.count == before + (isAsked ? 0 : 1))
        guard isAsked else { continue }
        let size = file.hasSuffix("../key") ? 9 : 6
        #expect(await driver.screen.contains("key, \(size) bytes"))
        await driver.press("n")
        #expect(server.requests.count == before)
        await driver.press("F5")
        await driver.press("y")
        #expect(server.requests.count == before + 1)
      }
    }
    server.stop()
  }

  @Test func `no file is sent if the schema lacks the upload scalar`() async throws {
    try folder.write("key", "hidden")
    let server = try ScriptedServer([.json(#"{"data":{"add":31}}"#)])
    try await explore("query Health($trace: Upload) { swift { id } }", url: server.url) { driver in
      await driver.press("Alt-2")
      await driver.paste(#"{"trace": "\#(folder.root)/key"}"#)
      await driver.press("F5")
      #expect(
        await driver.state.tab.response.run?.failure?.message
          == "$trace is an Upload, but the schema has no such scalar: no file was sent")
      #expect(server.requests.isEmpty)
    }
    server.stop()
  }

  @Test func `an externally changed file is reloaded when its tab is shown`() async throws {
    try folder.write("a.graphql", "{ swift { id } }")
    try await explore("{ bird }") { driver in
      await driver.press("Alt-O")
      await driver.press("Enter")
      await driver.press("Ctrl-PageUp")
      try folder.write("a.graphql", "{ swift { name } }")
      await driver.press("Ctrl-PageDown")
      #expect(await driver.state.tab.editors.query.text == "{ swift { name } }")
      #expect(await driver.screen.contains("a.graphql was changed by another program and has been reloaded"))
      await driver.type("# mine\n")
      await driver.press("Ctrl-PageUp")
      try folder.write("a.graphql", "{ theirs }")
      await driver.press("Ctrl-PageDown")
      #expect(await driver.state.tab.editors.query.text == "# mine\n{ swift { name } }")
      #expect(await driver.screen.contains("the tab has unsaved changes"))
    }
  }

  @Test func `log contains events but no typed text`() async throws {
    let log = try #require(ExplorerLog(path: folder.root + "/log"))
    var environment = ExplorerEnvironment()
    environment.endpoint.loadSchema = { $1(.schema(.failed("no key: \"token\": \"hush\""))) }
    let terminal = await VirtualTerminal(width: 80, height: 24)
    let loop = await ExplorerLoop(
      state: ExplorerState(endpoint: "http://a.example"), environment: environment, backend: terminal, themes: [],
      log: log)
    let task = Task { @ScreenActor in await loop.run() }
    await terminal.send(.key("F6"))
    await terminal.send(.key("s"))
    await terminal.send(.paste("secret text"))
    await terminal.send(.key("Ctrl-Q"))
    await task.joined
    let text = try folder.read("log")
    #expect(text.contains("key F6") && text.contains("command nextPane") && text.contains("paste of 11 bytes"))
    #expect(text.contains("effect endpoint loadSchema") && text.contains("schemaFailed"))
    #expect(!text.contains("secret") && !text.contains("hush") && !text.contains("key s"))
  }
}
