import ApusClientCache
import ApusClientCore
import ApusDemo
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Synchronization
import Testing

/// Pinned responses, compared with those of other runs, tabs and endpoints.
@Suite(.timeLimit(.minutes(1))) struct PinScenarioTests {
  /// Answers runs in order and records the requests with their endpoints.
  private final class Station: Sendable {
    private let sent = Mutex<[(endpoint: String, request: RunRequest)]>([])
    private let endpoint = Mutex("here")
    private let answers: [String]

    init(_ answers: [String]) { self.answers = answers }

    var requests: [(endpoint: String, request: RunRequest)] { sent.withLock { $0 } }

    var environment: ExplorerEnvironment {
      var environment = ExplorerEnvironment()
      environment.runs.start = { request, send in
        let count = self.sent.withLock { sent in
          sent.append((self.endpoint.withLock { $0 }, request))
          return sent.count
        }
        send(.run(request.id, .started(OperationInfo(name: "Birds", kind: "query"))))
        let data = BirdStation.json(self.answers[min(count, self.answers.count) - 1])
        send(.run(request.id, .resultReceived(RunResult(data: data, elapsed: .milliseconds(12), byteCount: 40))))
        send(.run(request.id, .completed))
      }
      environment.endpoint.connect = { name, _ in
        if name == "closed" { return .operationFailed("closed answered nothing") }
        self.endpoint.withLock { $0 = name }
        return .connected(EndpointChoice(name: name, url: "https://\(name).example", isProduction: name == "live"))
      }
      return environment
    }
  }

  private func explore(
    _ station: Station, query: String = "query Birds { birds }", width: Int = 200, height: Int = 30,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    var state = ExplorerState(endpoint: "https://here.example", query: query)
    state.endpoints.profiles = [
      EndpointChoice(name: "here", url: "https://here.example"),
      EndpointChoice(name: "live", url: "https://live.example", isProduction: true),
      EndpointChoice(name: "closed", url: "https://closed.example"),
    ]
    state.connection.profile = "here"
    let driver = await ExplorerDriver(state: state, environment: station.environment, width: width, height: height)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private func row(_ driver: ExplorerDriver, with text: String) async throws -> String {
    let lines = await driver.lines
    return try #require(lines.first { $0.contains(text) }, "\(lines.joined(separator: "\n"))")
  }

  @Test func `a pinned response is shown next to the next run with differences in both`() async throws {
    let station = Station([
      #"{"station":"Falsterbo","count":3,"gone":1}"#, #"{"station":"Ottenby","count":3,"more":true}"#,
    ])
    try await explore(station) { driver in
      await driver.press("F5")
      await driver.press("Alt-3 F11 K")
      #expect(await driver.state.pinned != nil)
      await driver.press("F5")
      let changed = try await row(driver, with: "station")
      #expect(changed.contains(#"~   station: "Falsterbo" → "Ottenby""#), "\(changed)")
      #expect(changed.contains(#"~   station: "Falsterbo" "#), "both are marked: \(changed)")
      let screen = await driver.lines.joined(separator: "\n")
      #expect(screen.components(separatedBy: "+   more: true").count == 3, "\(screen)")
      #expect(screen.components(separatedBy: "-   gone: 1").count == 3, "\(screen)")
      #expect(await driver.screen.contains("pinned: query Birds, here"))
      #expect(await driver.lines[28].contains("1 of 3 differences"))
      await driver.press("n n")
      #expect(await driver.lines[28].contains("3 of 3 differences"))
      await driver.press("d")
      #expect(await !driver.screen.contains("pinned: query Birds"))
      await driver.press("d")
      #expect(await driver.screen.contains("pinned: query Birds"))
      await driver.press("K")
      #expect(await !driver.screen.contains("pinned: query Birds"))
      #expect(await driver.state.pinned == nil)
    }
  }

  @Test func `a pinned response is shown below on a narrow screen`() async throws {
    let station = Station([#"{"station":"Falsterbo"}"#, #"{"station":"Ottenby"}"#])
    try await explore(station, width: 70, height: 30) { driver in
      await driver.press("F5")
      await driver.press("Alt-3 F11 K")
      await driver.press("F5")
      let lines = await driver.lines
      let shown = try #require(lines.firstIndex { $0.contains(#""Ottenby""#) })
      let title = try #require(lines.firstIndex { $0.contains("pinned: query Birds, here") })
      let saved = try #require(lines.lastIndex { $0.contains(#"~   station: "Falsterbo""#) })
      #expect(shown < title && title < saved)
    }
  }

  @Test func `a response of another tab is compared with the pinned one`() async throws {
    let station = Station([#"{"station":"Falsterbo"}"#, #"{"station":"Ottenby"}"#])
    try await explore(station) { driver in
      await driver.press("F5")
      await driver.press("Ctrl-T")
      await driver.type("{ birds }")
      await driver.press("F5")
      await driver.press("Ctrl-PageUp Alt-3 K Ctrl-PageDown Alt-3 d")
      let changed = try await row(driver, with: "station")
      #expect(changed.contains(#""Falsterbo" → "Ottenby""#), "\(changed)")
    }
  }

  @Test func `payloads are compared with the pinned response on arrival`() async throws {
    let server = try await DemoServer(delayScale: 0)
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), example: DemoServer.exampleQuery,
      schema: { Schema.load(sdl: [Document(parsing: DemoSchema.sdl)]) })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url), environment: environment, width: 160, height: 40)
    await driver.waitForIdle()
    await driver.press("F5")
    await driver.press("Alt-3 F11 K")
    await driver.press("Alt-2")
    await driver.type(#"{"first": 6}"#)
    await driver.press("F5")
    await driver.press("Alt-3")
    #expect(await driver.state.pinned != nil)
    #expect(await driver.screen.contains("pinned: query Migration"))
    for key in ["n", "n", "Down", "Enter", "N", "G", "g", "d", "d", "K", "K", "F5"] { await driver.press(key) }
    #expect(await driver.screen.contains("pinned: query Migration"))
    await driver.quit()
    server.stop()
  }

  // MARK: Two endpoints

  @Test func `an operation runs on two endpoints and both responses are shown`() async throws {
    let station = Station([#"{"station":"Falsterbo"}"#, #"{"station":"Ottenby"}"#])
    try await explore(station) { driver in
      await driver.press("Alt-6")
      await driver.type("Authorization: Bearer of-here")
      await driver.press("Alt-1 Alt-S")
      #expect(await driver.screen.contains("Run on another endpoint and compare"))
      #expect(await !driver.screen.contains("https://here.example  "), "here is no other endpoint")
      await driver.press("Enter")
      let requests = station.requests
      #expect(requests.map(\.endpoint) == ["here", "live"])
      #expect(requests[0].request.headers.count == 1)
      #expect(requests[1].request.headers.isEmpty, "headers of one endpoint are not sent to another")
      #expect(await driver.state.connection.endpoint == "https://live.example")
      #expect(await driver.state.tabs.count == 2)
      let changed = try await row(driver, with: "station")
      #expect(changed.contains(#""Falsterbo" → "Ottenby""#), "\(changed)")
      #expect(await driver.screen.contains("pinned: query Birds, here"))
    }
  }

  @Test func `a mutation on a second production endpoint requires confirmation`() async throws {
    let station = Station([#"{"station":"Falsterbo"}"#, #"{"station":"Ottenby"}"#])
    try await explore(station, query: "mutation Ring { ring }") { driver in
      await driver.press("Alt-S Enter")
      #expect(await driver.screen.contains("on production?"))
      #expect(station.requests.map(\.endpoint) == ["here"])
      await driver.press("n")
      #expect(station.requests.count == 1)
      await driver.press("F5")
      await driver.press("y")
      #expect(station.requests.map(\.endpoint) == ["here", "live"])
    }
  }

  @Test func `nothing runs later if the other endpoint cannot be opened`() async throws {
    let station = Station([#"{"station":"Falsterbo"}"#])
    try await explore(station) { driver in
      await driver.press("Alt-S")
      await driver.type("closed")
      await driver.press("Enter")
      #expect(await driver.screen.contains("closed answered nothing"))
      await driver.press("Alt-s")
      await driver.type("live")
      await driver.press("Enter")
      #expect(await driver.state.connection.endpoint == "https://live.example")
      #expect(station.requests.map(\.endpoint) == ["here"])
    }
  }
}
