import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusTestSupport
import Synchronization
import Testing

/// Tokens of a profile that expire while the explorer is open.
@Suite(.timeLimit(.minutes(1))) struct CredentialScenarioTests {
  /// A server that accepts one token, and a command that prints a token.
  private final class Tokens: Sendable {
    private let state = Mutex((accepted: "first", printed: "first", runs: 0))

    var accepted: String { state.withLock { $0.accepted } }
    var runs: Int { state.withLock { $0.runs } }
    func accept(_ token: String) { state.withLock { $0.accepted = token } }
    func print(_ token: String) { state.withLock { $0.printed = token } }

    func run() -> [HTTPHeaders.Field] {
      state.withLock { state in
        state.runs += 1
        return [HTTPHeaders.Field(name: "Authorization", value: "Bearer \(state.printed)")]
      }
    }
  }

  private func explore(
    rejection: ScriptedAnswer, _ drive: (ExplorerDriver, Tokens, ScriptedServer) async throws -> Void
  ) async throws {
    let tokens = Tokens()
    let server = try ScriptedServer { request, _ in
      request.header("Authorization") == "Bearer \(tokens.accepted)" ? .json(#"{"data":{"a":1}}"#) : rejection
    }
    let renewable = RenewableHeaders([HTTPHeaders.Field(name: "Authorization", value: "Bearer first")]) { tokens.run() }
    var features = RequestFeatures()
    features.renewableHeaders = renewable
    let client = GraphQLClient(
      endpoint: HTTPRequest(url: server.url, headers: ["Authorization": "Bearer first"]), store: CacheStore(),
      features: features)
    var endpoint = LiveEnvironment.Endpoint(client: client, fetchSchema: { _ in throw EnvironmentError("refused") })
    endpoint.renewCredentials = { try await renewable.renew() }
    let environment = LiveEnvironment(endpoint).environment
    var state = ExplorerState(endpoint: server.url, query: "{ a }")
    state.connection.renewsCredentials = true
    let driver = await ExplorerDriver(state: state, environment: environment, width: 140, height: 24)
    await driver.waitForIdle()
    try await drive(driver, tokens, server)
    await driver.quit()
    server.stop()
  }

  @Test func `an expired token is renewed without a message`() async throws {
    try await explore(rejection: .json("{}", status: 401)) { driver, tokens, _ in
      tokens.accept("second")
      tokens.print("second")
      await driver.press("F5")
      #expect(await driver.screen.contains("a: 1"))
      await driver.press("F5")
      #expect(tokens.runs == 1)
    }
  }

  @Test(arguments: [
    ScriptedAnswer.json("{}", status: 401),
    .json(#"{"errors":[{"message":"The token has expired"}]}"#, status: 401),
    .json(#"{"errors":[{"message":"who are you?","extensions":{"code":"UNAUTHENTICATED"}}]}"#),
  ])
  func `the message names the command that renews credentials`(rejection: ScriptedAnswer) async throws {
    try await explore(rejection: rejection) { driver, tokens, server in
      tokens.accept("third")
      await driver.press("F5")
      #expect(await driver.screen.contains("\"Renew credentials\""))
      #expect(server.requests.count == 2)
      tokens.print("third")
      await driver.press("Ctrl-P")
      await driver.type("renew cred")
      await driver.press("Enter")
      #expect(tokens.runs == 2)
      await driver.press("F5")
      #expect(await driver.screen.contains("a: 1"))
    }
  }

  @Test func `renewing credentials shows a notice and reloads a refused schema`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    _ = update(&state, .schema(.loaded(typeCount: 1, example: nil)))
    #expect(update(&state, .credentialsRenewed) == [])
    #expect(state.screen.notice?.text == "Renewed the credentials: F5 runs the operation with them")
    _ = update(&state, .schema(.failed("refused")))
    #expect(update(&state, .credentialsRenewed) == [.endpoint(.loadSchema(.server([])))])
  }

  @Test func `the renew command gives a reason if no credentials can be renewed`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    #expect(state.reason(against: .renewCredentials)?.contains("$(command)") == true)
    #expect(update(&state, .commandInvoked(.renewCredentials)) == [])
  }
}
