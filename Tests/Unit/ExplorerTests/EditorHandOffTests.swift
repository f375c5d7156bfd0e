import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusTestSupport
import Foundation
import Testing

/// Editing text in an external editor. The environment variable that names the editor is shared by the whole process,
/// so these tests run serially.
@Suite(.serialized, .timeLimit(.minutes(1))) struct EditorHandOffTests {
  private func with(editor: String, _ body: () async throws -> Void) async throws {
    setenv("VISUAL", editor, 1)
    defer { unsetenv("VISUAL") }
    try await body()
  }

  @Test func `the query can be edited in the external editor`() async throws {
    try await with(editor: "sed -i s/stations/species/") {
      try await writeWithDemoSchema("{\n  stations {\n    id\n  }\n}", variables: "", width: 80, height: 24) { driver in
        await driver.press("Ctrl-O")
        #expect(await driver.state.tab.editors.query.text == "{\n  species {\n    id\n  }\n}")
        await driver.press("Ctrl-O")
        #expect(await driver.screen.contains("The editor made no changes"))
      }
    }
  }

  @Test func `the variables can be edited in the external editor`() async throws {
    try await with(editor: "sed -i s/b1/b2/") {
      try await writeWithDemoSchema(
        "query B($id: ID!) { bird(id: $id) { name } }", variables: #"{"id": "b1"}"#, width: 80, height: 24
      ) { driver in
        await driver.press("Alt-2 Ctrl-O")
        #expect(await driver.state.tab.editors.variables.text == #"{"id": "b2"}"#)
        await driver.press("Ctrl-Z")
        #expect(await driver.state.tab.editors.variables.text == #"{"id": "b1"}"#)
      }
    }
  }

  @Test func `the response opens in the external editor without hidden fields`() async throws {
    let folder = try TemporaryFolder()
    struct NoSchema: Error {}
    let server = try ScriptedServer([.json(#"{"data":{"bird":{"__typename":"Bird","id":"1"}},"extensions":{"ms":3}}"#)])
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw NoSchema() })
    let environment = live.environment
    try await with(editor: "cat > /dev/null; tee '\(folder.path("seen"))' <") {
      let driver = await ExplorerDriver(
        state: ExplorerState(endpoint: server.url, query: "{ bird { id } }"), environment: environment, width: 80,
        height: 24)
      await driver.press("F5")
      await driver.press("Alt-3 Ctrl-O")
      await driver.quit()
    }
    #expect(
      try folder.read("seen") == """
        {
          "data": {
            "bird": {
              "id": "1"
            }
          },
          "extensions": {
            "ms": 3
          }
        }

        """)
    server.stop()
  }

  @Test func `a failing editor leaves the text unchanged`() async throws {
    try await with(editor: "false") {
      try await writeWithDemoSchema("{ stations { id } }", variables: "", width: 80, height: 24) { driver in
        await driver.press("Ctrl-O")
        #expect(await driver.state.tab.editors.query.text == "{ stations { id } }")
        #expect(await driver.screen.contains("false exited with status 1; the document is unchanged"))
      }
    }
  }

  @Test func `a missing file or invalid UTF-8 from the editor leaves the text unchanged`() async throws {
    let text = "{ stations { id } }"
    try await with(editor: "rm") {
      try await writeWithDemoSchema(text, variables: "", width: 160, height: 24) { driver in
        await driver.press("Ctrl-O")
        #expect(await driver.state.tab.editors.query.text == text)
        #expect(await driver.screen.contains("rm deleted its file; the document is unchanged"))
      }
    }
    try await with(editor: "printf '\\377' >") {
      try await writeWithDemoSchema(text, variables: "", width: 160, height: 24) { driver in
        await driver.press("Ctrl-O")
        #expect(await driver.state.tab.editors.query.text == text)
        let reported = try #require(await driver.screen.firstMatch(of: /is not UTF-8; it is in (\S+), and/))
        let saved = URL(fileURLWithPath: String(reported.1))
        #expect(try Data(contentsOf: saved) == Data([0xFF]))
        try FileManager.default.removeItem(at: saved)
      }
    }
  }
}
