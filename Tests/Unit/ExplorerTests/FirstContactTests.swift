import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// The first steps with an endpoint: opening it and loading its schema.
@Suite(.timeLimit(.minutes(1))) struct FirstContactTests {
  /// An environment whose server returns its schema only for the token.
  private final class GuardedServer: Sendable {
    private let requested = Mutex<[SchemaRequest]>([])
    static let refusal = "https://birds.example answered 401 (send a token)"
    var requests: [SchemaRequest] { requested.withLock { $0 } }

    var environment: ExplorerEnvironment {
      var environment = ExplorerEnvironment()
      environment.useExchangeFormats()
      environment.endpoint.loadSchema = { request, send in
        self.requested.withLock { $0.append(request) }
        switch request {
        case .file: send(.schema(.loaded(typeCount: 3, example: nil)))
        case .server(let headers):
          let isKnown = headers.contains { $0.value == "Bearer abc" }
          send(.schema(isKnown ? .loaded(typeCount: 7, example: nil) : .failed(Self.refusal)))
        }
      }
      environment.endpoint.connect = { name, _ in .connected(EndpointChoice(name: name, url: name)) }
      return environment
    }
  }

  private func open(
    _ endpoint: String, _ environment: ExplorerEnvironment, width: Int = 100, height: Int = 30,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: endpoint), environment: environment, width: width, height: height)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  @Test func `typing headers loads a schema that the server refused`() async throws {
    let server = GuardedServer()
    try await open("https://birds.example", server.environment) { driver in
      #expect(await driver.screen.contains("no schema: F4"))
      await driver.press("F4")
      #expect(await driver.screen.contains("https://birds.example answered 401 (send a token)"))
      await driver.press("h")
      #expect(await driver.state.screen.focus == .headers)
      await driver.type("Authorization: Bearer abc")
      #expect(server.requests == [.server([])], "nothing is sent while a header is typed")
      await driver.press("Alt-1")
      #expect(await driver.state.connection.schema == .loaded(typeCount: 7))
      #expect(server.requests.count == 2)
    }
  }

  @Test func `a schema source is selected by key or by row`() async throws {
    let server = GuardedServer()
    try await open("https://birds.example", server.environment) { driver in
      await driver.press("F4 r")
      #expect(server.requests.count == 2)
      await driver.press("F4 Down Down Enter")
      await driver.type("birds.graphql")
      await driver.press("Enter")
      #expect(await driver.state.connection.schema == .loaded(typeCount: 3))
      #expect(server.requests.last == .file("birds.graphql"))
    }
  }

  @Test func `headers of another endpoint are not sent automatically`() async throws {
    let server = GuardedServer()
    try await open("https://birds.example", server.environment) { driver in
      await driver.press("Alt-6")
      await driver.type("Authorization: Bearer abd")
      await driver.press("Alt-1")
      let before = server.requests.count
      await driver.press("Alt-s")
      await driver.type("https://other.example")
      await driver.press("Enter Alt-6 Alt-1")
      #expect(server.requests.dropFirst(before) == [.server([])])
      // Imported headers are sent when the user runs the request.
      await driver.press("Ctrl-P")
      await driver.type("import requests")
      await driver.press("Enter")
      await driver.paste("curl https://other.example -H 'Authorization: Bearer abc' -d '{\"query\":\"{ a }\"}'")
      await driver.press("Enter")
      #expect(server.requests.count == before + 1)
    }
  }

  @Test func `an explorer without an endpoint starts with the list of endpoints`() async throws {
    var environment = GuardedServer().environment
    environment.history.endpoints = {
      [PickerItem(id: "https://late.example/graphql", title: "https://late.example/graphql")]
    }
    try await open("", environment) { driver in
      #expect(await driver.screen.contains("GraphQL in the terminal"))
      #expect(await driver.screen.contains("https://late.example/graphql"))
      await driver.press("Esc")
      #expect(await driver.screen.contains("no endpoint"))
      await driver.press("Alt-s")
      await driver.type("late")
      await driver.press("Enter")
      #expect(await driver.state.connection.endpoint == "https://late.example/graphql")
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `an endpoint can be typed as a URL and corrected after an error`() async throws {
    var environment = GuardedServer().environment
    environment.endpoint.connect = { name, _ in
      name.hasPrefix("htp")
        ? .operationFailed("'\(name)' is no URL") : .connected(EndpointChoice(name: name, url: name))
    }
    try await open("", environment) { driver in
      await driver.type("htp://birds.example")
      await driver.press("Enter")
      #expect(await driver.screen.contains("'htp://birds.example' is no URL"))
      #expect(await driver.screen.contains("Open an endpoint"))
      await driver.press("Home Right Delete")
      await driver.type("tt")
      await driver.press("Enter")
      #expect(await driver.state.connection.endpoint.hasSuffix("://birds.example"))
    }
  }

  @Test func `the saved session is restored unless the user has typed something`() async throws {
    let (environment, saved) = (GuardedServer().environment, ExplorerState(endpoint: "x", query: "{ kept }"))
    var opening = environment
    opening.endpoint.connect = { name, _ in .connected(EndpointChoice(name: name, url: name), SavedSession(saved)) }
    try await open("", opening) { driver in
      await driver.type("https://birds.example")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{ kept }")
    }
    try await open("", opening) { driver in
      await driver.press("Esc")
      await driver.type("{ mine }")
      await driver.press("Alt-s")
      await driver.type("https://birds.example")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text.contains("mine"))
    }
  }

  @Test func `importing a request offers to switch to its endpoint`() async throws {
    try await open("https://birds.example", GuardedServer().environment) { driver in
      await driver.press("Ctrl-P")
      await driver.type("import requests")
      await driver.press("Enter")
      await driver.paste("curl https://other.example/graphql -d '{\"query\":\"{ a }\"}'")
      await driver.press("Enter")
      #expect(await driver.screen.contains("Open https://other.example/graphql?"))
      await driver.press("y")
      #expect(await driver.state.connection.endpoint == "https://other.example/graphql")
      #expect(await driver.state.tab.editors.query.text == "{ a }")
    }
  }
}
