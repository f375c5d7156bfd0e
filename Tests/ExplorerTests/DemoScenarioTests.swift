import ClientCache
import ClientCore
import Demo
import ExplorerCore
import ExplorerScreen
import ExplorerTerminal
import GraphQLLanguage
import GraphQLSchema
import Testing

/// The explorer on the demo API: real requests over loopback, the real loop, a virtual terminal.
@Suite(.timeLimit(.minutes(1))) struct DemoScenarioTests {
  /// Starts the demo API and an explorer on it, drives it, and takes both down.
  private func explore(
    query: String = "", width: Int = 80, height: Int = 24, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let server = try await DemoServer(delayScale: 0)
    let live = LiveWorld(
      client: GraphQLClient(url: server.url), store: CacheStore(), example: DemoServer.exampleQuery,
      schema: { Schema.load(sdl: [Document(parsing: DemoSchema.sdl)]) })
    var world = live.world
    world.wait = ExplorerWorld().wait
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), world: world, width: width, height: height)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
    server.stop()
  }

  @Test func opensWithAQueryWorthRunningAndRunsIt() async throws {
    try await explore(width: 120, height: 40) { driver in
      let text = await driver.state.query.text
      #expect(text == DemoServer.exampleQuery)
      await driver.press("F5")
      let run = await driver.state.run
      #expect(run?.phase == .complete)
      #expect(run?.failure == nil)
      await driver.press("Alt-5 Down Enter")
    }
  }
}
