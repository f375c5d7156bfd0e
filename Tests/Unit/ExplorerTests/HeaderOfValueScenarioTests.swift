import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerTestSupport
import ApusJSON
import ApusSecrets
import ApusTestSupport
import Synchronization
import Testing

/// A token of a login operation as a header of every request to its endpoint.
@Suite(.timeLimit(.minutes(1))) struct HeaderOfValueScenarioTests {
  /// A server whose login returns the next token, and which accepts the newest only.
  private final class Tokens: Sendable {
    private let state = Mutex((number: 0, refusals: 0))

    var refusals: Int { state.withLock { $0.refusals } }

    func answer(_ request: ScriptedServer.Request) -> ScriptedAnswer {
      state.withLock { state in
        if request.bodyText.contains("login") {
          state.number += 1
          return .json(#"{"data":{"login":"token-number-\#(state.number)"}}"#)
        }
        guard request.header("Authorization") == "Bearer token-number-\(state.number)", state.number > 0 else {
          state.refusals += 1
          return .json(#"{"errors":[{"message":"sign in"}]}"#, status: 401)
        }
        return .json(#"{"data":{"viewer":"amelia"}}"#)
      }
    }

    /// Makes the newest token invalid.
    func expire() { state.withLock { $0.number += 1 } }
  }

  private func explore(_ drive: (ExplorerDriver, Tokens, SecretValues) async throws -> Void) async throws {
    let tokens = Tokens()
    let server = try ScriptedServer { request, _ in tokens.answer(request) }
    let secrets = SecretValues()
    let client = GraphQLClient(endpoint: HTTPRequest(url: server.url), store: CacheStore())
    let endpoint = LiveEnvironment.Endpoint(client: client, fetchSchema: { _ in throw EnvironmentError("refused") })
    let state = ExplorerState(endpoint: server.url, query: "mutation { login }")
    let driver = await ExplorerDriver(
      state: state, environment: LiveEnvironment(endpoint, secrets: secrets).environment, width: 140, height: 24)
    await driver.waitForIdle()
    try await drive(driver, tokens, secrets)
    await driver.quit()
    server.stop()
  }

  /// Signs in with the mutation, and runs a query in another tab.
  private func signIn(_ driver: ExplorerDriver) async {
    await driver.press("F5")
    await driver.press("Alt-3")
    await driver.press("H")
    await driver.press("Enter")
    await driver.press("Ctrl-T")
    await driver.type("{ viewer")
    await driver.press("F5")
  }

  @Test func `a value of a response is a header of all tabs of its endpoint`() async throws {
    try await explore { driver, tokens, secrets in
      await signIn(driver)
      #expect(await driver.screen.contains("viewer: \"amelia\""))
      #expect(tokens.refusals == 0)
      #expect(secrets.contains("token-number-1"))
    }
  }

  @Test func `after a rejection the operation runs again, and the request is sent with its new value`() async throws {
    try await explore { driver, tokens, _ in
      await signIn(driver)
      tokens.expire()
      await driver.press("F5")
      #expect(await driver.screen.contains("viewer: \"amelia\""))
      #expect(tokens.refusals == 1)
    }
  }

  /// The credentials and the payload of a profile, and parts of the payload that a WebSocket gets after a value became a
  /// header.
  @Test(
    arguments: [
      (true, nil, [#"Authorization: "Bearer token-number-1""#]),
      (true, #"{"mode":"x"}"#, [#"mode: "x""#, #"Authorization: "Bearer token-number-1""#]),
      (true, #"{"authorization":"Bearer own"}"#, [#"authorization: "Bearer token-number-1""#]),
      (false, #"{"authorization":"Bearer own"}"#, [#"authorization: "Bearer token-number-1""#]),
      (false, #"{"mode":"x"}"#, [#"mode: "x""#]), (false, nil, ["payload: null"]),
    ] as [(Bool, String?, [String])])
  func `the value is in the payload of a WebSocket if the profile sends its token there`(
    hasCredentials: Bool, payload: String?, lines: [String]
  ) async throws {
    let tokens = Tokens()
    let server = try ScriptedServer { request, _ in tokens.answer(request) }
    let sockets = try await PythonServer.start(.websockets)
    var options = SubscriptionOptions()
    options.transport = .webSocket
    options.url = sockets.url + "/x"
    if hasCredentials { options.payloadCredentials = { _ in (name: "Authorization", value: "Bearer old") } }
    if let payload { options.connectionPayload = { try JSONDocument(parsing: payload).root } }
    let client = GraphQLClient(
      endpoint: HTTPRequest(url: server.url), store: CacheStore(), subscriptions: options)
    let endpoint = LiveEnvironment.Endpoint(client: client, fetchSchema: { _ in throw EnvironmentError("refused") })
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: "mutation { login }"),
      environment: LiveEnvironment(endpoint, secrets: SecretValues()).environment, width: 140, height: 30)
    await driver.waitForIdle()
    for key in ["F5", "Alt-3", "H", "Enter", "Ctrl-T"] { await driver.press(key) }
    await driver.type("subscription { payload }")
    await driver.pressWithoutWaiting("F5")
    await driver.waitForScreen("1 event")
    let shown = await driver.state.tab.response.reading.events?.shown.first?.text ?? ""
    for line in lines { #expect(shown.contains(line), "\(shown)") }
    #expect(shown.contains("token-number-1") == lines.joined().contains("token-number-1"), "\(shown)")
    await driver.quit()
    await client.closeSubscriptions()
    server.stop()
  }

  @Test func `the dialog names the server and proposes a bearer token`() async throws {
    try await explore { driver, _, _ in
      await driver.press("F5")
      await driver.press("Alt-3")
      await driver.press("H")
      let screen = await driver.screen
      #expect(screen.contains("Use this value as a header of 127.0.0.1"))
      #expect(screen.contains("Authorization: Bearer"))
    }
  }

  /// The typed header, with its name and the text before the value.
  private static let headers: [(text: String, name: String?, prefix: String)] = [
    ("Authorization: Bearer", "Authorization", "Bearer "), ("Authorization:Bearer", "Authorization", "Bearer "),
    ("Authorization:  Token  abc ", "Authorization", "Token abc "), ("X-Token", "X-Token", ""),
    ("X-Token:", "X-Token", ""),
    (" X-Token ", "X-Token", ""), ("X-Token : a", nil, ""), ("", nil, ""), (":", nil, ""), ("a b: c", nil, ""),
    ("Authorization: ä", nil, ""),
    ("X: a\nb", nil, ""),
  ]

  @Test func `a header is its name, and the text before the value`() {
    for (text, name, prefix) in Self.headers {
      let header = HeaderOfValue(text)
      #expect(header?.name == name, "\(text)")
      if name != nil { #expect(header?.prefix == prefix, "\(text)") }
    }
  }
}
