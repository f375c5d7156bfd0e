import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Testing

/// The explorer with servers that delay payloads, fail, or send invalid responses.
@Suite(.timeLimit(.minutes(1))) struct ServerScenarioTests {
  private static let query = "{ bird(id: \"1\") { id name ... on Bird @defer(label: \"history\") { flights } } }"

  private func explore(
    _ answers: [ScriptedAnswer], query: String = query, width: Int = 80, height: Int = 24,
    _ drive: (ExplorerDriver, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(answers)
    try await explore(url: server.url, query: query, width: width, height: height) { try await drive($0, server) }
    server.stop()
  }

  private func explore(
    url: String, query: String = query, width: Int = 80, height: Int = 24,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let live = LiveEnvironment(client: GraphQLClient(url: url, store: CacheStore()), schema: { throw NoSchema() })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: url, query: query), environment: environment, width: width, height: height)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private struct NoSchema: Error, CustomStringConvertible {
    var description: String { "introspection is refused" }
  }

  private static let base =
    #"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#
  private static let rest =
    #"{"incremental":[{"label":"history","path":["bird"],"data":{"flights":12}}],"hasNext":false}"#

  @Test func `initial result is shown before the subsequent result arrives`() async throws {
    let gate = Gate()
    let parts = ScriptedAnswer.multipart([.text(Self.base), .hold(gate), .text(Self.rest)])
    try await explore([parts]) { driver, _ in
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen("waiting for history")
      #expect(await driver.screen.contains("name: \"Dag\""))
      #expect(await driver.screen.contains("4 Deferred ◌1"))
      gate.open()
      await driver.waitForScreen("flights: 12")
      await driver.waitForIdle()
      #expect(await driver.screen.contains("4 Deferred ●1"))
      #expect(await driver.state.tab.response.run?.phase == .complete)
    }
  }

  @Test func `a run continues in a background tab`() async throws {
    let gate = Gate()
    let parts = ScriptedAnswer.multipart([.text(Self.base), .hold(gate), .text(Self.rest)])
    try await explore([parts, .json(#"{"data":{"other":true}}"#)]) { driver, _ in
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen(#"name: "Dag""#)
      await driver.pressWithoutWaiting("Ctrl-T")
      await driver.pressWithoutWaiting("{ o t h e r Space F5")
      await driver.waitForScreen("other: true")
      gate.open()
      await driver.waitForIdle()
      #expect(await driver.screen.contains("other: true"))
      #expect(await !driver.screen.contains("flights"))
      await driver.press("Ctrl-PageUp")
      #expect(await driver.screen.contains("flights: 12"))
      #expect(await driver.screen.contains("4 Deferred ●1"))
      #expect(await driver.state.tab.response.run?.phase == .complete)
    }
  }

  @Test func `shrinking and restoring the terminal keeps the state`() async throws {
    let gate = Gate()
    let parts = ScriptedAnswer.multipart([.text(Self.base), .hold(gate), .text(Self.rest)])
    try await explore([parts]) { driver, _ in
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen("waiting for history")
      await driver.waitForScreen("5 Cache 2")
      let before = await driver.lines
      await driver.terminal.resize(width: 60, height: 16)
      await driver.waitForScreen("5 Cache")
      await driver.terminal.resize(width: 39, height: 10)
      await driver.waitForScreen("Apus needs 40×10 cells;")
      await driver.terminal.resize(width: 80, height: 24)
      await driver.waitForScreen("Ctrl-P commands")
      #expect(await driver.lines == before)
      gate.open()
      await driver.waitForScreen("flights: 12")
    }
  }

  @Test func `a long command title is truncated before its key`() async throws {
    try await explore([]) { driver, _ in
      await driver.terminal.resize(width: 60, height: 16)
      await driver.press("Ctrl-P")
      await driver.type("open another")
      await driver.waitForScreen("Open another endpoint")
      let row = await driver.lines.first { $0.contains("Open another endpoint") } ?? ""
      #expect(row.contains("… Alt-s │"), "\(row)")
    }
  }

  @Test func `a page does not wait for deferred fragments outside its list`() async throws {
    let query = """
      { birds(first: 1) { edges { node { id } } pageInfo { hasNextPage endCursor } }
        bird(id: "1") { id ... @defer { flights } } }
      """
    let page = { (id: String, more: Bool) in
      """
      {"data":{"birds":{"edges":[{"node":{"__typename":"Bird","id":"\(id)"}}],
      "pageInfo":{"hasNextPage":\(more),"endCursor":"\(id)"}},"bird":{"__typename":"Bird","id":"1"}},"hasNext":true}
      """
    }
    let rest = #"{"incremental":[{"path":["bird"],"data":{"flights":12}}],"hasNext":false}"#
    let first = ScriptedAnswer.multipart([.text(page("1", true)), .text(rest)])
    let second = ScriptedAnswer.multipart([.text(page("2", false)), .hold(Gate()), .text(rest)])
    try await explore([first, second], query: query) { driver, server in
      await driver.press("F5")
      await driver.press("Alt-3 n")
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 2)
      #expect(await driver.screen.contains("2 items, all"))
      #expect(server.requests.last?.bodyText.contains("after") == true)
      try await server.clientClosed(1)
    }
  }

  @Test func `canceling paging keeps loaded pages`() async throws {
    let page = { (id: String) in
      """
      {"data":{"birds":{"edges":[{"node":{"__typename":"Bird","id":"\(id)"}}],
      "pageInfo":{"hasNextPage":true,"endCursor":"\(id)"}}}}
      """
    }
    let query = "{ birds(first: 1) { edges { node { id } } pageInfo { hasNextPage endCursor } } }"
    try await explore([.json(page("1")), .json(page("2")), .never], query: query) { driver, server in
      await driver.press("F5")
      await driver.pressWithoutWaiting("Alt-3 N")
      await driver.waitForScreen("1 page, 2 items")
      _ = try await server.request(2)
      await driver.press("Ctrl-C")
      #expect(await driver.screen.contains("Canceled paging; the loaded pages stay"))
      #expect(await driver.state.tab.response.run?.lists.first?.itemCount == 2)
      try await server.clientClosed(2)
    }
  }

  @Test func `canceling closes the connection and keeps received data`() async throws {
    let gate = Gate()
    let parts = ScriptedAnswer.multipart([.text(Self.base), .hold(gate), .text(Self.rest)])
    try await explore([parts]) { driver, server in
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen("waiting for history")
      await driver.press("Ctrl-C")
      try await server.clientClosed()
      #expect(await driver.state.tab.response.run?.phase == .cancelled)
      #expect(await driver.screen.contains("name: \"Dag\""))
      #expect(await driver.screen.contains("⊗ history canceled"))
      await driver.press("Ctrl-C")
      #expect(await driver.screen.contains("There is no selection and no running request. Ctrl-Q quits"))
    }
  }

  @Test func `losing the connection between payloads keeps the first`() async throws {
    try await explore([.multipart([.text(Self.base), .close])]) { driver, _ in
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.phase == .failed)
      #expect(await driver.screen.contains("name: \"Dag\""))
      #expect(await driver.screen.contains("⊣ interrupted"))
    }
  }

  @Test func `every failure is described in one line`() async throws {
    let cases: [(ScriptedAnswer, String)] = [
      (.json("{\"error\":\"no\"}", status: 401), "check the credentials"),
      (
        .response(
          status: 500, headers: [("Content-Type", "text/html")], framing: .contentLength, [.text("<h1>Oh</h1>")]),
        "the server failed"
      ),
      (.json("{\"data\":{\"bird\":"), "sent invalid JSON"),
    ]
    for (answer, words) in cases {
      try await explore([answer], width: 120) { driver, _ in
        await driver.press("F5")
        let failure = try #require(await driver.state.tab.response.run?.failure)
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(!failure.message.contains("\n"))
        #expect(await driver.screen.contains("✗ failed"))
      }
    }
  }

  @Test func `an invalid document shows the errors and the HTTP status`() async throws {
    let error = #"{"message":"Cannot query field \"nam\"","locations":[{"line":1,"column":3}]}"#
    try await explore([.json(#"{"errors":[\#(error)]}"#, status: 400)], width: 120) { driver, _ in
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.failure == nil)
      let screen = await driver.screen
      for words in ["✗ failed", "HTTP 400", "1 error", "Cannot query field"] {
        #expect(screen.contains(words), "\(words):\n\(screen)")
      }
    }
  }

  @Test func `an unreachable server is reported`() async throws {
    let server = try ScriptedServer([])
    let url = server.url
    server.stop()
    try await explore(url: url) { driver in
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.failure?.stage == .network)
      #expect(await driver.screen.contains("✗ failed"))
    }
  }

  @Test func `control characters of a server never reach the terminal`() async throws {
    let hostile =
      #"{"data":{"bird":{"id":"\u001b[2J\u009b31m","name":"a\rb\u202e\u0007"}},"errors":[{"message":"\u001b]0;owned\u0007"}]}"#
    try await explore([.json(hostile)]) { driver, _ in
      await driver.press("F5")
      await driver.press("Alt-3 End")
      for line in await driver.lines {
        for scalar in line.unicodeScalars {
          #expect(!(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x202E))
        }
      }
      #expect(await driver.screen.contains("]0;owned"))
    }
  }

  @Test func `a document with a syntax error is not sent`() async throws {
    try await explore([], query: "{ bird(id: }") { driver, server in
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.count == 1)
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.failure?.stage == .document)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `operations run without a schema`() async throws {
    try await explore([.json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}}}"#)]) { driver, _ in
      #expect(await driver.screen.contains("no schema"))
      await driver.press("F5")
      await driver.press("Alt-5")
      #expect(await driver.screen.contains("Bird:1"))
    }
  }
}
