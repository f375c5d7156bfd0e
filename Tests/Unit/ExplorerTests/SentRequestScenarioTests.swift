import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusSecrets
import ApusTestSupport
import Synchronization
import Testing

/// The sent request, shown by F9 and copied for other programs.
@Suite(.timeLimit(.minutes(1))) struct SentRequestScenarioTests {
  private final class Desk: Sendable {
    private let state = Mutex((clipboard: "", files: [String: String]()))

    var clipboard: String { state.withLock { $0.clipboard } }
    var files: [String: String] { state.withLock { $0.files } }
    func copy(_ text: String) { state.withLock { $0.clipboard = text } }
    func write(_ text: String, _ path: String) { state.withLock { $0.files[path] = text } }
  }

  /// Runs the explorer with a profile that has a token, a plain header, and a header from the environment.
  private func explore(
    query: String = "query Birds($day: String) { birds(day: $day) { name } }", variables: String = #"{"day":"May"}"#,
    typed subscriptionOptions: [(name: String, value: String)] = [],
    _ drive: (ExplorerDriver, Desk, ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer { _, _ in .json(#"{"data":{"birds":[{"name":"Dag"}]}}"#) }
    let fields = [
      HTTPHeaders.Field(name: "Authorization", value: "Bearer s3cret"),
      HTTPHeaders.Field(name: "X-Tenant", value: "north"), HTTPHeaders.Field(name: "X-Team", value: "birds"),
    ]
    let secrets = SecretValues()
    secrets.add(header: "Authorization", "Bearer s3cret", isLive: true)
    secrets.add(header: "X-Tenant", "north", isLive: true)
    let client = GraphQLClient(
      endpoint: HTTPRequest(url: server.url, headers: HTTPHeaders(fields)), store: CacheStore())
    var endpoint = LiveEnvironment.Endpoint(client: client, fetchSchema: { _ in throw EnvironmentError("refused") })
    endpoint.profile = ("birds", fields)
    endpoint.subscriptionOptions = subscriptionOptions
    endpoint.resolvedFields = ["authorization", "x-tenant"]
    let desk = Desk()
    var environment = LiveEnvironment(endpoint, secrets: secrets).environment
    environment.exchange.putOnClipboard = {
      desk.copy($0)
      return .program("desk")
    }
    environment.exports.export = { text, path, _ in
      desk.write(text, path)
      return .exported(path)
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query, variables: variables), environment: environment,
      width: 120,
      height: 40)
    await driver.waitForIdle()
    try await drive(driver, desk, server)
    await driver.quit()
    server.stop()
  }

  private func lines(_ driver: ExplorerDriver) async -> [String] {
    await driver.press("Home")
    var lines = await driver.lines
    for _ in 0..<6 {
      await driver.press("PageDown")
      lines += await driver.lines
    }
    return lines
  }

  @Test func `traffic shows the request with secrets masked`() async throws {
    try await explore { driver, desk, server in
      await driver.press("F5 F9")
      let lines = await lines(driver)
      for text in [
        "POST \(server.url)", "Authorization: •••", "X-Tenant: •••", "X-Team: birds", "Accept: multipart/mixed",
        "query Birds($day: String)", #""day": "May""#,
      ] {
        #expect(lines.contains { $0.contains(text) }, "\(text)")
      }
      #expect(!lines.contains { $0.contains("s3cret") || $0.contains("north") })
    }
  }

  @Test func `traffic can be searched copied and saved`() async throws {
    try await explore { driver, desk, server in
      await driver.press("F5 F9 /")
      await driver.type("x-team")
      await driver.press("Enter")
      #expect(await driver.screen.contains("X-Team: birds"))
      #expect(await driver.lines.contains { $0.contains(#"1 of 1 line with "x-team""#) })
      await driver.press("/")
      await driver.type("nothing of the kind")
      await driver.press("Enter")
      #expect(await driver.screen.contains("is not in the traffic"))
      await driver.press("y")
      #expect(desk.clipboard.contains("POST \(server.url)"))
      #expect(desk.clipboard.contains("Authorization: •••"))
      #expect(desk.clipboard.contains(#""name": "Dag""#))
      await driver.press("s")
      await driver.press("Enter")
      #expect(desk.files["traffic.txt"] == desk.clipboard)
      #expect(await driver.screen.contains("Wrote traffic.txt"))
    }
  }

  @Test func `a copied curl command sends the same request`() async throws {
    try await explore { driver, desk, server in
      await driver.press("Alt-6")
      await driver.type("X-Typed: 7")
      await driver.press("F5 Ctrl-P")
      await driver.type("copy as a curl")
      await driver.press("Enter")
      #expect(await driver.screen.contains("set AUTHORIZATION, X_TENANT before you run it"))
      #expect(!desk.clipboard.contains("s3cret") && !desk.clipboard.contains("north"))
      let outcome = try await ChildProcess.run(
        "/bin/sh", ["-c", desk.clipboard], environment: ["AUTHORIZATION": "Bearer s3cret", "X_TENANT": "north"])
      #expect(outcome.output.contains("Dag"), "\(outcome.errors)")
      let sent = try #require(server.requests.first)
      let copied = try #require(server.requests.last)
      #expect(server.requests.count == 2)
      for name in ["Authorization", "X-Tenant", "X-Team", "X-Typed", "Content-Type"] {
        #expect(copied.header(name) == sent.header(name), "\(name)")
      }
      #expect(copied.header("Accept") == sent.header("Accept"))
    }
  }

  @Test func `a profile is copied by name`() async throws {
    try await explore { driver, desk, _ in
      await driver.press("Alt-6")
      await driver.type("X-Typed: 7")
      await driver.press("Ctrl-P")
      await driver.type("copy as an apus")
      await driver.press("Enter")
      #expect(desk.clipboard.hasPrefix("apus query birds"))
      #expect(desk.clipboard.contains("X-Typed: 7"))
      #expect(!desk.clipboard.contains("Authorization"))
    }
  }

  /// The connection payload on the command line, and in the copied command.
  @Test(arguments: [
    (#"{"room": "it's"}"#, #"--connection-payload '{"room": "it'\''s"}'"#),
    (#"{"token": "s3cret"}"#, #"--connection-payload "$CONNECTION_PAYLOAD""#),
    ("@payload s3cret.json", "--connection-payload '@payload s3cret.json'"),
  ])
  func `options for subscriptions are copied`(payload: String, copied: String) async throws {
    let options = [
      ("subscription-transport", "sse"), ("subscription-url", "wss://a.example"), ("connection-payload", payload),
    ]
    try await explore(query: "subscription S { birds { name } }", variables: "", typed: options) { driver, desk, _ in
      await driver.press("Ctrl-P")
      await driver.type("copy as an apus")
      await driver.press("Enter")
      for option in ["--subscription-transport sse", "--subscription-url wss://a.example", copied] {
        #expect(desk.clipboard.contains("  \(option) \\\n"), "\(desk.clipboard)")
      }
      if copied.contains("$CONNECTION_PAYLOAD") {
        #expect(await driver.screen.contains("set CONNECTION_PAYLOAD before you run it"))
      } else {
        #expect(!desk.clipboard.contains("$CONNECTION_PAYLOAD"))
      }
      await driver.press("Ctrl-P")
      await driver.type("copy as a curl")
      await driver.press("Enter")
      #expect(!desk.clipboard.contains("connection-payload"))
    }
  }
}
