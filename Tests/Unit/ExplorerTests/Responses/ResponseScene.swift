import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientSubscriptions
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusTestSupport
import Synchronization
import Testing

/// An explorer that shows a kind of response, and opens again in the same state for each feature.
struct ResponseScene {
  private struct NoSchema: Error {}

  let kind: ResponseKind
  let server: ScriptedServer
  let store = CacheStore()
  /// The notifications of the run.
  let notifications: [String]
  private let home: TemporaryFolder
  private let state: ExplorerState
  private let environment: ExplorerEnvironment

  init(_ kind: ResponseKind, gate: Gate) async throws {
    self.kind = kind
    home = try TemporaryFolder()
    var answers = [ResponseKind.earlier, kind.answer(gate)]
    // A subscription and a replay have no earlier response, and a cached one was received by the earlier run.
    if !kind.hasEarlier { answers.removeFirst() }
    server = try ScriptedServer(answers)
    var subscriptions = SubscriptionOptions()
    subscriptions.transport = .serverSentEvents
    subscriptions.reconnection.maximumAttempts = 0
    let client = GraphQLClient(url: server.url, store: store, subscriptions: subscriptions)
    let history = HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1_000_000 })
    let makeEnvironment = {
      var environment = LiveEnvironment(client: client, schema: { throw NoSchema() }).environment
      environment.attachHistory(in: history)
      return environment
    }
    var environment = makeEnvironment()
    if kind == .fragmentPending { environment.returnAtFirstResult() }
    var session = ExplorerState(endpoint: server.url, query: kind.query)
    session.screen.notifiesAfter = .zero
    let path = home.path("run.ndjson")
    let first = await Self.driver(session, environment)
    await first.focus(false)
    await Self.prepare(first, kind, saving: path)
    let shown = await first.state
    notifications = await first.terminal.notifications
    await first.quit()
    if kind.origin == .session { environment = makeEnvironment() }
    (state, self.environment) = try await Self.leading(to: kind, shown, environment, home, recording: path)
  }

  /// Returns the texts that the answers are compared with: the screens after each key, the notification, or the number of requests.
  func views(of subject: FeatureRow.Subject) async throws -> [String] {
    switch subject {
    case .keys(let keys, let ofEvent):
      let driver = await Self.driver(state, environment)
      var screens: [String] = []
      for key in "Alt-3 \(kind.isEvent && ofEvent ? "Enter " : "")\(keys)".split(separator: " ") {
        await driver.press(String(key))
        screens.append(await driver.screen)
      }
      await driver.quit()
      return screens
    case .notification:
      return [notifications.count > (kind.hasEarlier ? 1 : 0) ? notifications.last ?? "" : "no notification"]
    case .refetch(let policy):
      // The scene of the keys has no longer all data in its cache.
      let gate = Gate()
      let scene = try await ResponseScene(kind, gate: gate)
      // A request that is sent again gets its whole response.
      if kind != .fragmentPending { gate.open() }
      defer {
        gate.open()
        scene.server.stop()
      }
      let driver = await Self.driver(scene.state, scene.environment)
      if let policy {
        await driver.press("Alt-c")
        await driver.type(policy)
        await driver.press("Enter")
      }
      let before = scene.server.requests.count
      try await scene.store.clear()
      await driver.waitForIdle()
      await driver.quit()
      let count = scene.server.requests.count - before
      return [count == 1 ? "1 request" : "\(count) requests"]
    }
  }

  private static func driver(_ state: ExplorerState, _ environment: ExplorerEnvironment) async -> ExplorerDriver {
    let driver = await ExplorerDriver(state: state, environment: environment, width: 130, height: 34)
    await driver.waitForIdle()
    return driver
  }

  /// Presses the keys that show the response.
  private static func prepare(_ driver: ExplorerDriver, _ kind: ResponseKind, saving path: String) async {
    if kind.origin == .cache {
      await driver.press("Alt-c")
      await driver.type("cache first")
      await driver.press("Enter")
    }
    if !kind.isEvent, kind.origin != .replay { await driver.press("F5") }
    if kind == .cancelled {
      await driver.pressWithoutWaiting("F5")
      await driver.waitForScreen("Dag")
      return await driver.press("Ctrl-C")
    }
    switch kind.origin {
    case .run, .session, .history, .cache: await driver.press("F5")
    case .pinned: await driver.press("Alt-3 K F5")
    case .replay:
      await driver.press("F5 Ctrl-P")
      await driver.type("save the run")
      await driver.press("Enter Ctrl-U")
      await driver.type(path)
      await driver.press("Enter")
    }
  }

  /// Returns the state and the environment of a response that a later explorer shows.
  private static func leading(
    to kind: ResponseKind, _ shown: ExplorerState, _ environment: ExplorerEnvironment, _ home: TemporaryFolder,
    recording: String
  ) async throws -> (ExplorerState, ExplorerEnvironment) {
    switch kind.origin {
    case .run, .pinned, .cache: return (shown, environment)
    case .session:
      let folders = UserFolders(environment: home.asHome)
      let store = try SessionStore.open("birds", in: folders, delay: .zero)
      var saving = environment
      saving.saveSession { store }
      let driver = await driver(shown, saving)
      // The session is saved when it changes.
      await driver.press("Alt-2 x Backspace")
      await driver.quit()
      var restored = ExplorerState(endpoint: shown.connection.endpoint)
      restored.restore(try #require(try SessionStore.open("birds", in: folders, delay: .zero).restore()))
      return (restored, environment)
    case .history:
      let driver = await driver(shown, environment)
      await driver.press("Alt-H")
      await driver.press("Enter")
      let opened = await driver.state
      await driver.quit()
      return (opened, environment)
    case .replay:
      let runs = try Recording(parsing: home.bytes("run.ndjson")).runs
      var endpoint = LiveEnvironment.Endpoint(
        client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()),
        fetchSchema: { _ in throw NoSchema() })
      endpoint.replay = Replay(runs, name: "run.ndjson", speed: 0)
      let replaying = LiveEnvironment(endpoint).environment
      let driver = await driver(ExplorerState(endpoint: "run.ndjson", query: kind.query), replaying)
      await driver.press("F5")
      let opened = await driver.state
      await driver.quit()
      return (opened, replaying)
    }
  }
}

extension ExplorerEnvironment {
  /// Ends the effect of a run when its first result has arrived, so that the explorer is idle while the response is
  /// incomplete. The rest of the run sends its actions as the environment itself does.
  fileprivate mutating func returnAtFirstResult() {
    let listener = Listener()
    let (start, listen) = (runs.start, listen)
    self.listen = { send in
      listener.send.withLock { $0 = send }
      listen(send)
    }
    runs.start = { request, _ in
      guard let send = listener.send.withLock({ $0 }) else { return }
      let (results, arrived) = AsyncStream<Void>.makeStream()
      Task {
        await start(request) { action in
          send(action)
          if case .run(_, .resultReceived) = action { arrived.yield() }
        }
        arrived.finish()
      }
      for await _ in results { return }
    }
  }
}

/// The function by which an environment sends its actions.
private final class Listener: Sendable {
  let send = Mutex<ExplorerEnvironment.Send?>(nil)
}
