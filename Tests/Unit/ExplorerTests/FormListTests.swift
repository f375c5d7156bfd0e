import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// Lists in the variables form, its marks, and code actions in the variables.
@Suite(.timeLimit(.minutes(1))) struct FormListTests {
  private static let schema = """
    scalar Upload
    type Query { route(stops: [Stop!]!, kinds: [Kind!], start: Stop, photo: Upload): Int }
    input Stop { id: ID! kind: Kind tags: [String!] next: [Stop!] }
    enum Kind { NEST FEEDER OLD @deprecated }
    """
  private static let query = """
    query Route($stops: [Stop!]!, $kinds: [Kind!], $start: Stop, $photo: Upload) {
      route(stops: $stops, kinds: $kinds, start: $start, photo: $photo)
    }
    """

  private func write(_ variables: String = "", _ drive: (ExplorerDriver) async throws -> Void) async throws {
    let live = LiveEnvironment(
      client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()),
      schema: { Schema.load(sdl: [Document(parsing: Self.schema)]) })
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "http://127.0.0.1:9/graphql", query: Self.query, variables: variables),
      environment: live.environment, width: 130, height: 34)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private func variables(_ driver: ExplorerDriver) async -> String {
    await driver.state.tab.editors.variables.text.filter { !$0.isWhitespace }
  }

  @Test func `an item is added to a list of input objects, filled in and removed`() async throws {
    try await write { driver in
      await driver.press("Alt-v")
      #expect(await driver.screen.contains("$stops ▲ required"))
      await driver.press("Down Enter")
      #expect(await variables(driver) == #"{"stops":[{}]}"#)
      #expect(await driver.screen.contains("id ▲ required"))
      // The first field of the new item is selected.
      await driver.type("S1")
      await driver.press("Enter")
      #expect(await variables(driver) == #"{"stops":[{"id":"S1"}]}"#)
      await driver.press("Down")
      await driver.type("FEED")
      await driver.press("Enter")
      #expect(await variables(driver) == #"{"stops":[{"id":"S1","kind":"FEEDER"}]}"#)
      // A list of strings is written as JSON.
      await driver.press("Down")
      await driver.type(#"["a"]"#)
      await driver.press("Enter")
      #expect(await variables(driver) == #"{"stops":[{"id":"S1","kind":"FEEDER","tags":["a"]}]}"#)
      // The second item.
      await driver.press("Home Down")
      while await (driver.state.popups.last?.state as? FormPopup)?.selected.map({
        $0.name != "add item" || $0.depth != 1
      }) == true {
        await driver.press("Down")
      }
      await driver.press("Enter")
      #expect(await variables(driver) == #"{"stops":[{"id":"S1","kind":"FEEDER","tags":["a"]},{}]}"#)
      await driver.press("Home Down Delete")
      #expect(await variables(driver) == #"{"stops":[{}]}"#)
    }
  }

  @Test func `the values of a list of an enum are choices`() async throws {
    try await write(#"{"stops": [{"id": "1"}], "kinds": ["NEST"]}"#) { driver in
      await driver.press("Alt-v Ctrl-F")
      await driver.type("kinds")
      await driver.press("Down Down Enter")
      #expect(await driver.screen.contains("FEEDER"))
      #expect(await !driver.screen.contains("OLD"))
      await driver.type("FEED")
      await driver.press("Enter")
      #expect(await variables(driver) == #"{"stops":[{"id":"1"}],"kinds":["NEST","FEEDER"]}"#)
      await driver.press("Up Delete")
      #expect(await variables(driver) == #"{"stops":[{"id":"1"}],"kinds":["NEST"]}"#)
    }
  }

  @Test func `invalid values and missing children are marked, also in a closed object`() async throws {
    try await write(#"{"stops": [{"id": "1"}], "start": {}, "kinds": ["NESTT"]}"#) { driver in
      await driver.press("Alt-v")
      let lines = await driver.lines
      #expect(lines.contains { $0.contains("0 \"NESTT\" ✗") }, "\(lines.joined(separator: "\n"))")
      #expect(lines.contains { $0.contains("id ▲ required") })
      await driver.press("Ctrl-F")
      await driver.type("start")
      await driver.press("Left")
      #expect(await driver.lines.contains { $0.contains("$start") && $0.contains("✗") })
      #expect(await driver.screen.contains("Stop.id of type ID! is required"))
    }
  }

  @Test func `an upload has a hint, and F5 closes the form and runs`() async throws {
    try await write(#"{"stops": [{"id": "1"}]}"#) { driver in
      await driver.press("Alt-v Ctrl-F")
      await driver.type("photo")
      #expect(await driver.screen.contains("The path of a file, such as ~/bird.jpg"))
      await driver.press("F5")
      #expect(await driver.state.popups.isEmpty)
      #expect(await driver.state.tab.response.run != nil)
    }
  }

  @Test(arguments: [
    (#"{"stops": [{"id": "1", "kind": "FEEDRE"}]}"#, "FEEDRE", "Change FEEDRE to FEEDER", #""kind":"FEEDER""#),
    (#"{"stops": [{"kind": "NEST"}]}"#, "{\"kind", "Add id: ID!", #"{"id":"","kind""#),
    (#"{"stops": [{"id": "1", "kin": "NEST"}]}"#, "kin", "Change kin to kind", #""kind":"NEST""#),
    (#"{"kinds": []}"#, "{", "Add stops: [Stop!]!", #"{"stops":[],"#),
    (#"{"stopps": []}"#, "stopps", "Change stopps to stops", #"{"stops":[]"#),
    (#"{"stops": [{"id": "1", "kind": NEST}]}"#, "NEST", "Put NEST in quotes", #""kind":"NEST""#),
  ])
  func `code actions correct the variables`(text: String, at place: String, title: String, result: String) async throws
  {
    try await write(text) { driver in
      await driver.press("Alt-2 Ctrl-Home")
      let column = text.distance(from: text.startIndex, to: try #require(text.firstRange(of: place)).lowerBound)
      for _ in 0..<column { await driver.press("Right") }
      await driver.press("Alt-a")
      #expect(await driver.screen.contains(title))
      while await driver.lines.contains(where: { $0.contains("▌") && $0.contains("Change") && !$0.contains(title) }) {
        await driver.press("Down")
      }
      await driver.press("Enter")
      let written = await variables(driver)
      #expect(written.contains(result), "\(written)")
    }
  }
}
