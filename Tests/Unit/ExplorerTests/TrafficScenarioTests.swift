import ApusClientCache
import ApusClientCore
import ApusDemo
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusTestSupport
import Testing

/// The traffic popup with format, phases, raw parts and subscription state; and stepping back through payloads.
@Suite(.timeLimit(.minutes(1))) struct TrafficScenarioTests {
  private func explore(
    url: String, query: String, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let live = LiveEnvironment(client: GraphQLClient(url: url, store: CacheStore()), schema: { throw NoSchema() })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: url, query: query), environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  /// Returns all lines of the traffic popup.
  private func traffic(_ driver: ExplorerDriver) async -> [String] {
    await driver.press("Home")
    var lines = await driver.lines
    for _ in 0..<8 {
      await driver.press("PageDown")
      lines += await driver.lines
    }
    return lines
  }

  private struct NoSchema: Error {}

  private static let parts = ScriptedAnswer.multipart([
    .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#),
    .text(#"{"incremental":[{"label":"a","path":["bird"],"data":{"flights":12}}],"hasNext":true}"#),
    .text(
      #"{"incremental":[{"label":"b","path":["bird"],"data":{"mate":{"__typename":"Bird","id":"2"}}}],"hasNext":false}"#
    ),
  ])
  private static let query = """
    { bird(id: "1") { id name ... on Bird @defer(label: "a") { flights } ... on Bird @defer(label: "b") { mate { id } } } }
    """

  @Test func `stepping back shows earlier response deferred pane and cache`() async throws {
    let server = try ScriptedServer([Self.parts])
    try await explore(url: server.url, query: Self.query) { driver in
      await driver.press("F5")
      await driver.waitForScreen("5 Cache 3")
      #expect(await driver.screen.contains("4 Deferred ●2"))
      await driver.press("Alt-,")
      #expect(await driver.screen.contains("payload 2 of 3"))
      #expect(await driver.screen.contains("flights: 12"))
      #expect(await !driver.screen.contains("mate"))
      #expect(await driver.screen.contains("5 Cache 2"))
      await driver.press("Alt-,")
      #expect(await driver.screen.contains("payload 1 of 3"))
      #expect(await !driver.screen.contains("flights: 12"))
      await driver.press("Alt-,")
      #expect(await driver.screen.contains("This is the first payload"))
      await driver.press("Alt-.")
      await driver.press("Alt-.")
      #expect(await driver.screen.contains("mate"))
      #expect(await driver.screen.contains("5 Cache 3"))
      await driver.press("Alt-.")
      #expect(await driver.screen.contains("This is the latest payload"))
    }
    server.stop()
  }

  @Test func `traffic shows format phases and raw parts`() async throws {
    let server = try ScriptedServer([Self.parts])
    try await explore(url: server.url, query: Self.query) { driver in
      await driver.press("F9")
      #expect(await driver.screen.contains("No operation has been run"))
      await driver.press("F5")
      await driver.press("F9")
      let lines = await traffic(driver)
      for text in [
        "HTTP/1.1 200", "deferSpec=20220824", "first byte", "── payload 1", "Content-Type: application/json",
      ] {
        #expect(lines.contains { $0.contains(text) }, "\(text)")
      }
      for name in ["connect ", "sent ", "first byte ", "payload 1 ", "payload 3 ", "last byte "] {
        #expect(lines.contains { $0.contains(name) && $0.contains("━") && $0.contains("ms") }, "\(name)")
      }
      #expect(lines.contains { $0.contains("opened for this request") })
      #expect(lines.contains { $0.contains("address") && $0.contains("127.0.0.1:") })
      await driver.press("End")
      #expect(await driver.screen.contains("── payload 3"))
      // The part is formatted, and no word is truncated.
      #expect(await driver.screen.contains(#""hasNext": false"#))
      #expect(await driver.lines.contains { $0.contains(#"      "label": "b","#) })
      await driver.press("Esc")
      #expect(await driver.screen.contains("Response"))
    }
    server.stop()
  }

  @Test func `headers and cookies of the response are shown`() async throws {
    let server = try ScriptedServer([
      .json(
        #"{"data":{"a":1}}"#,
        headers: [
          ("X-Station", "Falsterbo"), ("Set-Cookie", "session=abc=1; Path=/; HttpOnly"), ("Set-Cookie", "seen=yes"),
          ("X-Odd", "a\u{1B}[31mb"),
        ])
    ])
    try await explore(url: server.url, query: "{ a }") { driver in
      await driver.press("F5")
      await driver.press("F9")
      let lines = await traffic(driver)
      for text in ["Header fields", "X-Station: Falsterbo", "Cookies", "Path=/; HttpOnly"] {
        #expect(lines.contains { $0.contains(text) }, "\(text)")
      }
      let cookie = try #require(lines.first { $0.contains(" session ") })
      #expect(cookie.contains("abc=1"))
      #expect(lines.contains { $0.contains(" seen ") && $0.contains("yes") })
      #expect(!lines.joined().contains("\u{1B}"))
    }
    server.stop()
  }

  @Test func `a subscription is live until it is canceled`() async throws {
    let server = try await DemoServer(delayScale: 0.001)
    try await explore(url: server.url, query: "subscription { countdown(from: 2) }") { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains("countdown: 0"))
      #expect(await driver.screen.contains("3 events"))
      #expect(await driver.screen.contains("complete"))
      await driver.press("Alt-3 Up Enter")
      #expect(await driver.screen.contains("countdown: 1"))
      #expect(await driver.screen.contains("event 2 of 3"))
      await driver.press("F9")
      #expect(await driver.screen.contains("graphql-transport-ws"))
      #expect(await driver.screen.contains("finished"))
    }
    try await explore(
      url: server.url, query: "subscription { countdown(from: 1000, milliseconds: 1000000) }"
    ) { driver in
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen("countdown: 1000")
      await driver.waitForScreen("live")
      await driver.press("Ctrl-C")
      #expect(await driver.screen.contains("canceled"))
    }
    server.stop()
  }
}
