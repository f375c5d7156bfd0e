import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusTestSupport
import Testing

/// The explorer with third-party servers, using the schemas loaded from them.
@Suite(.timeLimit(.minutes(1))) struct RealServerScenarioTests {
  private static let query = """
    query Author {
      author(id: "1") {
        id
        name
        ... on Author @defer(label: "life") {
          biography
        }
      }
    }
    """

  @Test(arguments: PythonServer.Kind.incremental)
  func `a deferred fragment arrives`(kind: PythonServer.Kind) async throws {
    let server = try await PythonServer.start(kind)
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let live = LiveEnvironment(client: client) {
      switch await SchemaLoader(client: client).load() {
      case .loaded(let schema, _): return schema
      case .unavailable(let error): throw error
      }
    }
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: Self.query), environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    guard case .loaded = await driver.state.connection.schema else {
      Issue.record("no schema: \(await driver.state.connection.schema)")
      return
    }
    #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty)
    await driver.press("F5")
    let run = try #require(await driver.state.tab.response.run)
    #expect(run.phase == .complete)
    #expect(run.payloadCount >= 2)
    #expect(run.fragments.map(\.label) == ["life"])
    #expect(run.fragments.first?.state == .fulfilled)
    #expect(await driver.screen.contains("biography: \"The life of Selma Lagerlöf.\""))
    await driver.press("Alt-5")
    #expect(await driver.screen.contains("Author:1"))
    await driver.quit()
  }
}
