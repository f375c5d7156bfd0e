import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerText
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// Variables with comments and trailing commas, and paths of uploads.
@Suite(.timeLimit(.minutes(1))) struct RelaxedVariablesScenarioTests {
  private static let variables = """
    {
      // which one
      "id": "b1", /* the first
      one */
      "n": 2,
    }
    """

  private func explore(
    _ query: String, variables: String,
    schema: String = "scalar Upload type Query { a(id: ID, n: Int, f: Upload): Int }",
    _ drive: (ExplorerDriver, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer { _, _ in .json(#"{"data":{"a":1}}"#) }
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()),
      schema: { Schema.load(sdl: [Document(parsing: schema)]) })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query, variables: variables), environment: environment,
      width: 100,
      height: 30)
    await driver.waitForIdle()
    try await drive(driver, server)
    await driver.quit()
    server.stop()
  }

  @Test func `the server gets strict JSON, and a copied request has it too`() async throws {
    try await explore("query($id: ID, $n: Int) { a(id: $id, n: $n) }", variables: Self.variables) { driver, server in
      await driver.press("Alt-2")
      #expect(await driver.state.analysis.diagnostics.isEmpty)
      await driver.press("F5")
      let body = try #require(try? JSONDocument(parsing: server.requests.first?.bodyText ?? "").root)
      #expect(body["variables"]?.description == #"{"id":"b1","n":2}"#)
      for words in ["as a curl", "as an apus", "HTTP file"] {
        await driver.press("Ctrl-P")
        await driver.type("copy \(words)")
        await driver.press("Enter")
        let copied = try #require(await driver.terminal.clipboard)
        #expect(copied.contains("\"b1\"") && !copied.contains("which one"), "\(copied)")
      }
    }
  }

  @Test func `the form changes a value and leaves the comments`() async throws {
    try await explore("query($id: ID, $n: Int) { a(id: $id, n: $n) }", variables: Self.variables) { driver, _ in
      await driver.press("Alt-2")
      await driver.press("Alt-v")
      await driver.press("Down")
      await driver.press("Enter")
      await driver.press("Ctrl-U")
      await driver.type("7")
      await driver.press("Enter Escape")
      let text = await driver.state.tab.editors.variables.text
      #expect(text == Self.variables.replacing("\"n\": 2", with: "\"n\": 7"))
    }
  }

  @Test func `lines of variables are commented out by a key`() async throws {
    try await explore("query($n: Int) { a(n: $n) }", variables: "{\n  \"n\": x\n}") { driver, _ in
      await driver.press("Alt-2")
      #expect(await driver.state.analysis.diagnostics.count == 1)
      await driver.press("Down Ctrl-/")
      #expect(await driver.state.tab.editors.variables.text == "{\n  // \"n\": x\n}")
      #expect(await driver.state.analysis.diagnostics.isEmpty)
      await driver.press("Ctrl-/")
      #expect(await driver.state.tab.editors.variables.text == "{\n  \"n\": x\n}")
    }
  }

  @Test func `the path of an upload is completed folder by folder`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("photos/swift one.png", "x")
    try folder.write("photos/.hidden", "x")
    try folder.write("plans/a.txt", "x")
    let start = "{\"f\": \"\(folder.root)/"
    try await explore("query($f: Upload) { a(f: $f) }", variables: start + "\"}") { driver, _ in
      await driver.press("Alt-2 End Left Left")
      await driver.type("p")
      let screen = await driver.screen
      #expect(screen.contains("photos/") && screen.contains("plans/"))
      await driver.type("h")
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.variables.text == start + "photos/\"}")
      #expect(await driver.screen.contains("swift one.png"))
      #expect(await !driver.screen.contains(".hidden"))
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.variables.text == start + "photos/swift one.png\"}")
    }
  }
}
