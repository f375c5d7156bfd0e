import ApusClientCache
import ApusClientCore
import ApusDemo
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Runs an explorer with the demo API's schema on a virtual terminal, without a server.
func writeWithDemoSchema(
  _ query: String, variables: String, example: String? = nil, width: Int, height: Int,
  _ drive: (ExplorerDriver) async throws -> Void
) async throws {
  let live = LiveEnvironment(
    client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()), example: example,
    schema: { Schema.load(sdl: [Document(parsing: DemoSchema.sdl)]) })
  let environment = live.environment
  let state = ExplorerState(endpoint: "http://127.0.0.1:9/graphql", query: query, variables: variables)
  let driver = await ExplorerDriver(state: state, environment: environment, width: width, height: height)
  await driver.waitForIdle()
  try await drive(driver)
  await driver.quit()
}
