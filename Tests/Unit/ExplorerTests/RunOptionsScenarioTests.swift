import ApusClientCache
import ApusClientCore
import ApusClientRequests
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerTestSupport
import ApusJSON
import ApusSecrets
import ApusTestSupport
import Testing

/// Request options: queries by GET, persisted queries, extensions; shown, copied and saved.
@Suite(.timeLimit(.minutes(1))) struct RunOptionsScenarioTests {
  private static let notFound = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#

  private func explore(
    _ query: String, variables: String = "", answers: [String] = [],
    prepare: (inout ExplorerState, String) -> Void = { _, _ in },
    _ drive: (ExplorerDriver, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer { _, number in
      .json(number < answers.count ? answers[number] : #"{"data":{"a":1}}"#)
    }
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()),
      schema: { throw EnvironmentError("refused") })
    let environment = live.environment
    var state = ExplorerState(endpoint: server.url, query: query, variables: variables)
    prepare(&state, server.url)
    let driver = await ExplorerDriver(state: state, environment: environment, width: 120, height: 40)
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

  @Test func `a time limit ends the request, is shown, and is in the apus command`() async throws {
    try await explore("{ a }") { driver, _ in
      await command("request options", driver)
      await driver.type("time limit")
      await driver.press("Enter")
      #expect(await driver.screen.contains("Time limit in seconds"))
      await driver.type("soon")
      await driver.press("Enter")
      #expect(await driver.screen.contains("'soon' is not a time limit"))
      await command("request options", driver)
      await driver.type("time limit")
      await driver.press("Enter")
      await driver.type("7")
      await driver.press("Enter")
      #expect(await driver.state.tab.runOptions.timeLimit == 7)
      await command("copy as an apus", driver)
      #expect(await driver.terminal.clipboard?.contains("--timeout 7 ") == true)
      await driver.press("F5")
      #expect(await driver.state.tab.response.runState == .complete)
      #expect(await driver.screen.contains("network only, at most 7 s"))
    }
    let server = try ScriptedServer([.never])
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw EnvironmentError("refused") })
    var state = ExplorerState(endpoint: server.url, query: "{ a }")
    state.tab.runOptions.timeLimit = 1
    let driver = await ExplorerDriver(state: state, environment: live.environment, width: 120, height: 40)
    await driver.waitForIdle()
    await driver.press("F5")
    #expect(await driver.state.tab.response.runState == .failed)
    await driver.quit()
    server.stop()
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

  @Test func `onError is sent, shown and copied`() async throws {
    try await explore("{ a }") { driver, server in
      await turnOn("onError", driver)
      await driver.type("NULL")
      await driver.press("Enter F5")
      #expect(server.requests.first?.bodyText.contains(#""onError":"NULL""#) == true)
      #expect(await driver.screen.contains("network only, onError NULL"))
      await command("copy as a curl", driver)
      #expect(await driver.terminal.clipboard?.contains(#""onError":"NULL""#) == true)
      await command("copy as an apus", driver)
      #expect(await driver.terminal.clipboard?.contains("--on-error NULL") == true)
    }
  }

  @Test func `a subscription is sent to the URL of the tab, which belongs to its endpoint`() async throws {
    let events = try ScriptedServer([.json(#"{"data":{"s":1}}"#)])
    try await explore("subscription { s }") { driver, server in
      await turnOn("URL of subscriptions", driver)
      await driver.type("ftp://nowhere")
      await driver.press("Enter")
      #expect(await driver.screen.contains("must begin with https://"))
      await turnOn("URL of subscriptions", driver)
      await driver.type(events.url)
      await driver.press("Enter")
      #expect(await driver.screen.contains("subscriptions are sent to \(events.url)"))
      #expect(await driver.state.tab.runOptions.subscriptionOrigin == Origin(url: server.url))
      await driver.press("F5")
      #expect(!events.requests.isEmpty && server.requests.isEmpty)
      #expect(await driver.screen.contains("network only, subscription URL"))
      await command("copy as an apus", driver)
      #expect(await driver.terminal.clipboard?.contains("--subscription-url \(events.url)") == true)
    }
  }

  @Test func `a URL of subscriptions is refused if it is another server's, or lacks a secret or a value`() async throws
  {
    let cases: [(url: String, origin: String?, message: String)] = [
      ("ws://127.0.0.1:1/", "https://other.example", "belongs to another server"),
      ("ws://127.0.0.1:1/", nil, "belongs to another server"), ("ws://•••@127.0.0.1:1/", "here", "lacks a secret"),
      ("ws://{{host}}/", "here", "{{host}} of the URL of subscriptions has no value; define it"),
      ("ws://{{declared}}/", "here", "{{declared}} has no value; enter it in the request options"),
      ("{{path}}", "here", "must begin with https://"),
    ]
    for (url, origin, message) in cases {
      try await explore("subscription { s }") { state, endpoint in
        state.tab.runOptions.subscriptionURL = url
        state.tab.runOptions.references = [.init(name: "declared"), .init(name: "path", value: "graphql")]
        state.tab.runOptions.subscriptionOrigin = Origin(url: origin == "here" ? endpoint : origin ?? "")
      } _: { driver, server in
        await driver.press("F5")
        // The message is wrapped.
        let pieces = await driver.lines.map { line in String(line.split(separator: "│").last ?? "") }
        let words = pieces.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(words.contains("Nothing was sent") && words.contains(message), "\(words)")
        #expect(server.requests.isEmpty)
      }
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
