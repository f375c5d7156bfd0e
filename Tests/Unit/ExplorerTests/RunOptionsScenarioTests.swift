import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusJSON
import ApusTestSupport
import Testing

/// Request options: queries by GET, persisted queries, extensions; shown, copied and saved.
@Suite(.timeLimit(.minutes(1))) struct RunOptionsScenarioTests {
  private static let notFound = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#

  private func explore(
    _ query: String, variables: String = "", answers: [String] = [],
    _ drive: (ExplorerDriver, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer { _, number in
      .json(number < answers.count ? answers[number] : #"{"data":{"a":1}}"#)
    }
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()),
      schema: { throw EnvironmentError("refused") })
    var environment = live.environment
    environment.wait = ExplorerEnvironment().wait
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query, variables: variables), environment: environment,
      width: 120,
      height: 40)
    await driver.waitForIdle()
    try await drive(driver, server)
    await driver.quit()
    server.stop()
  }

  private func command(_ words: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type(words)
    await driver.press("Enter")
  }

  private func turnOn(_ option: String, _ driver: ExplorerDriver) async {
    await command("request options", driver)
    await driver.type(option)
    await driver.press("Enter")
  }

  @Test func `a query by GET is shown, read in the traffic and copied as it was sent`() async throws {
    let query = "query Q($n: Int) { a(n: $n, s: \"x & y\") }"
    try await explore(query, variables: "{\"n\": 2}") { driver, server in
      await turnOn("get", driver)
      #expect(await driver.screen.contains("From now on this tab's queries are sent by GET"))
      await driver.press("F5")
      let sent = try #require(server.requests.first)
      #expect(sent.method == "GET" && sent.bodyText.isEmpty)
      #expect(await driver.screen.contains("network only, GET"))
      await driver.press("F9")
      let screen = await driver.screen
      #expect(screen.contains("GET \(server.url)"))
      await driver.press("/")
      await driver.type("\"n\": 2")
      await driver.press("Enter")
      #expect(await driver.lines.contains { $0.contains("1 of 1 line") })
      await driver.press("Escape")
      await driver.press("Escape")
      await command("copy as a curl", driver)
      let curl = try #require(await driver.terminal.clipboard)
      let outcome = try await ChildProcess.run("/bin/sh", ["-c", curl])
      #expect(outcome.output.contains("\"a\":1"), "\(outcome.errors)")
      let copied = try #require(server.requests.last)
      #expect(server.requests.count == 2 && copied.method == "GET")
      // curl writes a space as a plus sign.
      #expect(sent.target.contains("x%20%26%20y") && copied.target.contains("x+%26+y"))
      for target in [sent.target, copied.target] {
        #expect(target.lowercased().contains("variables=%7b%22n%22%3a2%7d"), "\(target)")
      }
      await command("copy as an apus", driver)
      #expect(await driver.terminal.clipboard?.contains("--get") == true)
      await command("copy as an HTTP", driver)
      #expect(await driver.terminal.clipboard?.hasPrefix("GET \(server.url)?query=") == true)
    }
  }

  @Test func `a mutation stays a POST`() async throws {
    try await explore("mutation { a }") { driver, server in
      await turnOn("get", driver)
      await driver.press("F5")
      #expect(server.requests.first?.method == "POST")
      await command("copy as an apus", driver)
      #expect(await driver.terminal.clipboard?.contains("--get") == false)
    }
  }

  @Test func `the hash of a persisted query is sent first, and its text when the server asks for it`() async throws {
    try await explore("{ a }", answers: [Self.notFound]) { driver, server in
      await turnOn("persisted", driver)
      await driver.press("F5")
      let bodies = server.requests.map { try? JSONDocument(parsing: $0.bodyText).root }
      #expect(bodies.map { $0?["query"] != nil } == [false, true])
      let digest = bodies.first??["extensions"]?["persistedQuery"]?["sha256Hash"]?.string
      #expect(digest?.count == 64)
      #expect(await driver.screen.contains("network only, persisted"))
      await driver.press("F9 End")
      await driver.press("/")
      await driver.type("sha256Hash")
      await driver.press("Enter")
      #expect(await driver.lines.contains { $0.contains("of 2 lines") })
      await driver.press("Escape")
      await driver.press("Escape")
      await command("copy as an apus", driver)
      #expect(await driver.terminal.clipboard?.contains("--persisted") == true)
      await command("copy as a curl", driver)
      #expect(await driver.terminal.clipboard?.contains("\"sha256Hash\":\"") == true)
    }
  }

  @Test func `extensions are set, sent and counted among the options`() async throws {
    try await explore("{ a }") { driver, server in
      await turnOn("extensions", driver)
      await driver.type("{\"trace\": true}")
      await driver.press("Enter F5")
      #expect(server.requests.first?.bodyText.contains(#""extensions":{"trace":true}"#) == true)
      await command("request options", driver)
      #expect(await driver.screen.contains("set"))
    }
  }

  @Test func `the options are those of a tab, and an imported GET keeps its method`() async throws {
    try await explore("{ a }") { driver, server in
      await turnOn("get", driver)
      await turnOn("persisted", driver)
      await driver.press("Ctrl-T")
      #expect(await driver.state.tab.runOptions.isDefault)
      await driver.paste("curl -G \(server.url) --data-urlencode 'query={ b }'")
      #expect(await driver.screen.contains("GET \(server.url)"))
      await driver.press("y")
      #expect(await driver.state.tab.editors.query.text == "{ b }")
      #expect(await driver.state.tab.runOptions == RunOptions(usesGET: true))
      await driver.press("F5")
      #expect(server.requests.last?.method == "GET")
    }
  }
}
