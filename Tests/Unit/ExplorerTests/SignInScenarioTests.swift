import ApusClientAuthentication
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerTestSupport
import ApusTestSupport
import Synchronization
import Testing

/// The dialog of a sign-in.
@Suite(.timeLimit(.minutes(1))) struct SignInScenarioTests {
  private static func step(code: String? = "ABCD-EFGH") -> SignInStep {
    var step = SignInStep(profile: "birds")
    step.page = "https://login.example/device"
    step.code = code
    step.secondsLeft = code == nil ? nil : 125
    return step
  }

  /// An endpoint whose first request needs a sign-in, which shows a step and then waits until the test ends it.
  private final class Server: Sendable {
    private let state = Mutex(false)
    private let signedIn = Signal()
    let step: SignInStep

    init(_ step: SignInStep) { self.step = step }

    var isSignedIn: Bool { state.withLock { $0 } }

    func signIn(_ show: (SignInStep) -> Void) async throws -> String {
      show(step)
      await signedIn.wait()
      try Task.checkCancellation()
      return "Signed in to birds"
    }

    /// Ends the sign-in as if the user had entered the code.
    func finish() {
      state.withLock { $0 = true }
      signedIn.open()
    }
  }

  private func explore(_ step: SignInStep, _ drive: (ExplorerDriver, Server) async throws -> Void) async throws {
    let server = Server(step)
    var endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(endpoint: HTTPRequest(url: "https://birds.example/graphql"), store: CacheStore()),
      fetchSchema: { _ in
        throw server.isSignedIn ? EnvironmentError("refused") : SignInError.notSignedIn(profile: "birds")
      })
    endpoint.signIn = { try await server.signIn($0) }
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    state.connection.takesSignIn = true
    state.connection.profile = "birds"
    let driver = await ExplorerDriver(
      state: state, environment: LiveEnvironment(endpoint).environment, width: 140, height: 24)
    await driver.waitForIdle()
    try await drive(driver, server)
    await driver.quit()
    server.finish()
  }

  @Test func `an endpoint that needs the user shows the page, the code and the time left`() async throws {
    try await explore(Self.step()) { driver, _ in
      await driver.waitForScreen("ABCD-EFGH")
      let screen = await driver.screen
      for text in ["Sign in to birds", "https://login.example/device", "The code expires in 2:05"] {
        #expect(screen.contains(text), "\(text)\n\(screen)")
      }
    }
  }

  @Test func `Esc cancels the sign-in, and the next run asks again`() async throws {
    try await explore(Self.step()) { driver, _ in
      await driver.waitForScreen("ABCD-EFGH")
      await driver.press("Esc")
      #expect(await !driver.screen.contains("ABCD-EFGH"))
      #expect(await driver.screen.contains("Sign-in canceled"))
    }
  }

  @Test func `text that is typed while the dialog appears goes to the editor`() async throws {
    try await explore(Self.step()) { driver, _ in
      await driver.waitForScreen("ABCD-EFGH")
      await driver.type("xyz")
      #expect(await driver.screen.contains("ABCD-EFGH"))
      await driver.press("Esc")
      #expect(await driver.screen.contains("xyz"))
    }
  }

  @Test func `a completed sign-in closes the dialog and requests the schema again`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    _ = update(&state, .schema(.failed("not signed in")))
    #expect(update(&state, .signIn(.needed)) == [.at(.first, .endpoint(.signIn))])
    #expect(update(&state, .signIn(.needed)) == [])
    _ = update(&state, .signIn(.shown(Self.step())))
    #expect(update(&state, .signIn(.completed("Signed in to birds"))) == [.endpoint(.loadSchema(.server([])))])
    #expect(state.popups.isEmpty)
    #expect(state.screen.notice?.text == "Signed in to birds")
  }

  @Test func `a failed sign-in closes the dialog and gives the reason`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    _ = update(&state, .signIn(.needed))
    _ = update(&state, .signIn(.failed("the code has expired")))
    #expect(state.popups.isEmpty)
    #expect(state.screen.notice?.text == "the code has expired")
  }

  @Test func `closing the dialog cancels the sign-in of its endpoint`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    _ = update(&state, .signIn(.needed))
    #expect(update(&state, .commandInvoked(.popupClose)) == [.at(.first, .endpoint(.cancelSignIn))])
  }

  @Test func `the sign-in commands give a reason if the endpoint has no sign-in`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    for command in [Command.signIn, .signOut] {
      #expect(state.reason(against: command)?.contains("auth") == true)
      #expect(update(&state, .commandInvoked(command)) == [])
    }
  }
}
