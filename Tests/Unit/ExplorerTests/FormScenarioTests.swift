import ApusClientCache
import ApusClientCore
import ApusDemo
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// Editing with forms, the field tree and the variables form, over the schema of the demo API.
@Suite(.timeLimit(.minutes(1))) struct FormScenarioTests {
  private func write(
    _ query: String = "", variables: String = "", width: Int = 120, height: Int = 40,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    try await writeWithDemoSchema(
      query, variables: variables, example: "", width: width, height: height, drive)
  }

  @Test func `toggling a field in the tree adds and removes its selection`() async throws {
    try await write { driver in
      await driver.press("Alt-i")
      #expect(await driver.screen.contains("☐ stations"))
      await driver.type("stations")
      await driver.press("Space")
      #expect(await driver.state.tab.editors.query.text == "query {\n  stations {\n    id\n    name\n  }\n}\n")
      #expect(await driver.screen.contains("☑ stations"))
      await driver.type("kind")
      await driver.press("Space")
      #expect(
        await driver.state.tab.editors.query.text == "query {\n  stations {\n    id\n    name\n    kind\n  }\n}\n")
      await driver.press("Home")
      await driver.type("stations")
      await driver.press("Down Down Space")
      #expect(await driver.state.tab.editors.query.text == "query {\n  stations {\n    id\n    kind\n  }\n}\n")
      await driver.press("Ctrl-Z")
      #expect(await driver.screen.contains("☑ name"))
    }
  }

  @Test func `removing the last field removes its parent selection`() async throws {
    try await write("query A {\n  observationCount\n  bird(id: 1) { name }\n}") { driver in
      await driver.press("Alt-i")
      #expect(await driver.screen.contains("☑ name"))
      await driver.type("name")
      await driver.press("Space")
      #expect(await driver.state.tab.editors.query.text == "query A {\n  observationCount\n}")
      await driver.type("observationC")
      await driver.press("Space")
      #expect(await driver.state.tab.editors.query.text == "query A {\n  __typename\n}")
    }
  }

  @Test func `argument values are completed and checked by type`() async throws {
    try await write("{ allSpecies { id } }") { driver in
      await driver.press("Alt-i")
      await driver.type("status")
      await driver.press("Enter")
      #expect(await driver.screen.contains("VULNERABLE"))
      await driver.type("VULN")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{ allSpecies(status: VULNERABLE) { id } }")
      await driver.press("Delete")
      #expect(await driver.state.tab.editors.query.text == "{ allSpecies { id } }")
      await driver.press("Home")
      await driver.type("search")
      await driver.press("Right")
      await driver.type("text")
      await driver.press("Enter")
      await driver.type("swift")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text.contains(#"search(text: "swift") {"#))
      await driver.type("first")
      await driver.press("Enter")
      await driver.type("many")
      await driver.press("Enter")
      #expect(await driver.screen.contains("The value does not have this type"))
    }
  }

  @Test func `the field tree follows edits in the editor`() async throws {
    try await write("{ search(text: \"a\") { __typename } }") { driver in
      await driver.press("Alt-i")
      await driver.type("search")
      await driver.press("Down Down Down Down Space")
      #expect(await driver.state.tab.editors.query.text.contains("... on Bird {"))
      #expect(await driver.screen.contains("☑ ... on Bird"))
      await driver.press("Esc Ctrl-A")
      await driver.type("{ stations { id } }")
      await driver.press("Left Left Alt-i")
      #expect(await driver.screen.contains("☐ search"))
      #expect(await driver.screen.contains("☑ stations"))
    }
  }

  @Test func `the field tree opens at the cursor`() async throws {
    try await write("{ bird(id: 1) { station { name } } stations { id } }") { driver in
      await driver.press("End Left Left Left Left Alt-i")
      guard let form = await driver.state.popups.last?.state as? FormPopup else {
        Issue.record("no form")
        return
      }
      #expect(form.selected?.name == "id")
      #expect(form.selected?.path == .selection([.root(.query), .field("stations"), .field("id")]))
    }
  }

  private static let listing = """
    query List($first: Int = 3, $id: ID!, $filter: BirdFilter, $order: OrderDirection) {
      birds(first: $first, filter: $filter) { edges { node { id } } }
      bird(id: $id) { id }
    }
    """

  @Test func `the variables form shows every variable and edits the JSON`() async throws {
    try await write(Self.listing) { driver in
      await driver.press("Alt-v")
      #expect(await driver.screen.contains("$first = 3"))
      #expect(await driver.screen.contains("$id ▲ required"))
      // Typing edits the value of the selected row.
      await driver.press("Down")
      await driver.type("b 1")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.variables.text == "{\n  \"id\": \"b 1\"\n}")
      await driver.press("Home")
      await driver.type("x")
      await driver.press("Enter")
      #expect(await driver.screen.contains("▲ The value is not a number"))
      // The invalid input stays in the line to be corrected.
      await driver.press("Backspace")
      await driver.type("5")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.variables.text == "{\n  \"id\": \"b 1\",\n  \"first\": 5\n}")
      await driver.press("End")
      await driver.type("desc")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.variables.text.contains(#""order": "DESCENDING""#))
      await driver.press("Delete")
      #expect(await !driver.state.tab.editors.variables.text.contains("order"))
    }
  }

  @Test func `input objects open into their fields`() async throws {
    try await write(Self.listing, variables: #"{"id": "1"}"#) { driver in
      await driver.press("Alt-v")
      await driver.press("Ctrl-F")
      await driver.type("filter")
      #expect(await driver.screen.contains("Variables / filter"))
      await driver.type("x")
      await driver.press("Backspace Esc")
      await driver.type("x")
      #expect(await driver.screen.contains("is an input object"))
      // The rows of an opened input object are computed in the background.
      await driver.press("Right")
      await driver.press("Right")
      await driver.type("swift")
      await driver.press("Enter")
      #expect(
        await driver.state.tab.editors.variables.text
          == "{\n  \"id\": \"1\",\n  \"filter\": {\n    \"nameContains\": \"swift\"\n  }\n}")
      // Typing replaces the value; Enter edits it.
      await driver.press("Enter")
      await driver.type("s")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.variables.text.contains(#""nameContains": "swifts""#))
      await driver.paste("tern")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.variables.text.contains(#""nameContains": "tern""#))
    }
  }

  @Test func `the form is next to the editor if both fit on the screen`() async throws {
    for (width, height) in [(120, 40), (80, 24), (60, 16)] {
      try await write("{ stations { id } }", width: width, height: height) { driver in
        await driver.press("Alt-i")
        // If only one of them fits, it is the form.
        let isBeside = await driver.screen.contains("stations { id }")
        #expect(isBeside == (width > 60), "\(width)×\(height)")
        #expect(await driver.screen.contains("☑"), "\(width)×\(height)")
      }
    }
  }
}
