import ApusClientCache
import ApusClientCore
import ApusConfiguration
import ApusDemo
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Testing

/// Every section of Docs/Keys.md is a context that can be reached with keys.
@Suite(.timeLimit(.minutes(1))) struct KeyContextTests {
  /// Keys to press, and the contexts that are then active. A string that begins with `'` is typed.
  private static let walk: [(keys: [String], contexts: Set<KeyContext>)] = [
    ([], [.requests]),
    (["r"], [.rules]),
    (["Esc", "Esc", "Alt-1"], [.query, .editors, .everywhere]),
    (["Ctrl-End", "Ctrl-Space"], [.completion, .query]),
    (["Esc", "Ctrl-F"], [.find]),
    (["'totalCount", "Esc", "F3"], [.hover]),
    (["Esc", "F4"], [.schema]),
    (["Esc", "Alt-i"], [.form]),
    (["Esc", "Alt-j"], [.jump]),
    (["Esc", "Ctrl-P"], [.palette]),
    (["Esc", "F1"], [.help]),
    (["Enter"], [.topic]),
    (["Esc"], [.help]),
    (["Esc", "Ctrl-S"], [.line]),
    (["Esc", "Alt-t"], [.picker]),
    (["Esc", "F5", "F9"], [.traffic]),
    (["Esc", "Alt-A", "y"], [.audits]),
    (["Enter"], [.audit]),
    (["Esc", "Esc", "Alt-H"], [.history, .picker]),
    (["Ctrl-D"], [.difference]),
    (["Esc", "Alt-3"], [.response, .lists, .panes]),
    (["End", "Enter"], [.value]),
    (["Esc", "/"], [.prompt]),
    (["'name", "Enter"], [.matches, .response]),
    (["Esc", "r"], [.raw]),
    (["r", "Esc", "F5", "d"], [.comparison, .response]),
    (["d", "t"], [.table]),
    (["x"], [.choice]),
    (["Esc", "t", "Alt-4"], [.deferred, .lists]),
    (["Alt-5"], [.records, .lists]),
    (["/"], [.filter]),
    (["'Bird:", "Enter", "Enter"], [.record]),
    (["Down", "e"], [.recordEdit]),
    (["Esc", "t"], [.writes]),
    (["t", "d"], [.confirmation]),
    (["Esc", "Ctrl-T", "'subscription { countdown(from: 2", "F5", "Alt-3"], [.events, .lists]),
    (["Enter"], [.event, .response]),
    (["Esc", "Ctrl-T", "'{ faults { optional", "F5", "Alt-3", "e"], [.errors]),
    (["Esc", "Ctrl-P", "'load the schema from", "Enter", "'none.graphql", "Enter", "F4"], [.noSchema, .choice]),
    (["Esc", "Ctrl-P", "'sign in to the endpoint", "Enter"], [.signIn]),
    (["Esc", "Alt-1", "Ctrl-P", "'turn vim keys", "Enter"], [.vimNormal, .vimOperators, .vimMotions]),
    (["d"], [.vimPending, .vimObjects]),
    (["Esc", "v"], [.vimVisual, .vimObjects]),
    (["Esc", "r"], [.vimCharacter]),
    (["Esc", "i"], [.vimInsert]),
  ]

  @Test func `every context can be reached with keys`() async throws {
    let home = try TemporaryFolder()
    let server = try await DemoServer(delayScale: 0)
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), example: DemoServer.exampleQuery,
      schema: { Schema.load(sdl: [Document(parsing: DemoSchema.sdl)]) })
    var environment = live.environment
    environment.endpoint.audit = { send in
      send(
        .finished(
          AuditRow(id: "a", level: "MUST", expectation: "", source: "", reason: "", outcome: .passed, exchanges: [])))
    }
    environment.attachHistory(in: HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1 }))
    environment.endpoint.signIn = { _ in }
    var state = ExplorerState(endpoint: server.url)
    state.connection.takesSignIn = true
    state.requests = RequestsFeature(url: "http://127.0.0.1:4001/graphql")
    let driver = await ExplorerDriver(state: state, environment: environment, width: 120, height: 40)
    await driver.waitForIdle()
    var reached: Set<KeyContext> = []
    for (keys, contexts) in Self.walk {
      for key in keys {
        if key.hasPrefix("'") { await driver.type(String(key.dropFirst())) } else { await driver.press(key) }
      }
      let found = Set(KeyContext.contexts(of: await driver.state))
      #expect(found.isSuperset(of: contexts), "\(keys) led to \(found)")
      reached.formUnion(found)
    }
    #expect(reached == Set(KeyContext.allCases))
    await driver.quit()
    server.stop()
  }
}
