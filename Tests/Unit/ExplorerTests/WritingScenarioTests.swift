import ApusClientCache
import ApusClientCore
import ApusDemo
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// Editing with the language service: the real loop with the demo API's schema on a virtual terminal, without a server.
@Suite(.timeLimit(.minutes(1))) struct WritingScenarioTests {
  private func write(
    _ query: String = "", variables: String = "", width: Int = 80, height: Int = 24,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    try await writeWithDemoSchema(query, variables: variables, width: width, height: height, drive)
  }

  private static let bird = """
    query Bird($id: ID!) {
      bird(id: $id) {
        name
        ...More
      }
    }

    query Stations {
      stations {
        name
      }
    }

    fragment More on Bird {
      id
    }
    """

  @Test func `completions open while typing and tab accepts one`() async throws {
    try await write("{  }") { driver in
      await driver.press("Right Right")
      await driver.type("bi")
      #expect(await driver.screen.contains("birds"))
      #expect(await driver.screen.contains("BirdConnection"))
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.query.text == "{ bird(id: ) }")
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(0, 11))
    }
  }

  @Test func `Tab moves from one argument to the next`() async throws {
    try await write("mutation {  }") { driver in
      await driver.press("End Left Left")
      await driver.type("renameB")
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.query.text == "mutation { renameBird(id: , name: ) }")
      await driver.type("\"b1")
      await driver.press("Tab")
      await driver.type("\"Ada")
      #expect(await driver.state.tab.editors.query.text == "mutation { renameBird(id: \"b1\", name: \"Ada\") }")
    }
  }

  @Test func `Tab leaves an empty argument without a change, and indents after the last one`() async throws {
    try await write("mutation {  }") { driver in
      await driver.press("End Left Left")
      await driver.type("renameB")
      await driver.press("Tab")
      let text = "mutation { renameBird(id: , name: ) }"
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(0, 26))
      await driver.press("Escape Tab")
      #expect(await driver.state.tab.editors.query.text == text)
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(0, 34))
      await driver.press("Escape Tab")
      #expect(await driver.state.tab.editors.query.text == text.replacing("name: )", with: "name:   )"))
    }
  }

  @Test func `Enter accepts only a selected completion`() async throws {
    try await write("{  }") { driver in
      await driver.press("Right Right")
      await driver.type("bird")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text.hasPrefix("{ bird\n"))
      await driver.press("Ctrl-Z")
      await driver.press("Ctrl-Space")
      await driver.press("Down Enter")
      // The accepted completion leaves an argument to fill in, which has its own completions: Enter inserts a new line
      // again.
      #expect(await driver.state.tab.editors.query.text.contains("\n") == false)
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text.contains("\n"))
    }
  }

  @Test func `no completion opens for a complete word`() async throws {
    try await write("{ bird(id: 1) {  } }") { driver in
      await driver.press("End Left Left Left Left")
      await driver.type("weigh")
      let popups = await driver.state.popups
      guard popups.last?.state is CompletionPopup else {
        Issue.record("no proposals")
        return
      }
      await driver.type("t")
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `completions stay open for a word that is a prefix of others`() async throws {
    try await write("{  }") { driver in
      await driver.press("Right Right")
      await driver.type("bird")
      #expect(await driver.screen.contains("birdBy"))
      #expect(await driver.screen.contains("BirdConnection!"))
    }
  }

  @Test func `deprecated completions are marked`() async throws {
    try await write("{ bird(id: 1) {  } }", width: 100) { driver in
      await driver.press("End Left Left Left Left")
      await driver.type("nick")
      #expect(await driver.screen.contains("nickname ▲"))
      #expect(await driver.screen.contains("Its name."))
      #expect(await driver.screen.contains("Deprecated: Birds have one name."))
      #expect(await !driver.screen.contains("␊"))
    }
  }

  @Test func `hover describes the name under the cursor`() async throws {
    try await write(Self.bird) { driver in
      await driver.press("Down Down Right Right Right Right Right F3")
      #expect(await driver.screen.contains("name: String!"))
      #expect(await driver.screen.contains("Defined in Bird."))
      await driver.press("Down")
      #expect(await driver.state.tab.editors.query.cursor.line == 2)
      await driver.press("Esc")
      #expect(await driver.state.popups.isEmpty)
      await driver.press("Home F3")
      await driver.press("Right")
      // Any other key closes the popup and has its usual effect.
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `diagnostics are listed and lead to their locations`() async throws {
    try await write("{\n  stations {\n    nme\n  }\n  nothing\n}") { driver in
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.count == 2)
      await driver.press("Alt-e")
      #expect(await driver.screen.contains("Cannot query field \"nme\""))
      #expect(await driver.screen.contains("Query 5:3"))
      await driver.press("Down Enter")
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(4, 2))
      await driver.press("Shift-F8")
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(2, 4))
    }
  }

  @Test func `code actions are chosen from a menu`() async throws {
    try await write("{\n  stations\n}") { driver in
      await driver.press("Down End Alt-Enter")
      #expect(await driver.screen.contains("Select all leaf fields of Station"))
      await driver.type("leaf")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text.hasPrefix("{\n  stations {\n    id\n"))
      await driver.press("Ctrl-Z")
      #expect(await driver.state.tab.editors.query.text == "{\n  stations\n}")
    }
  }

  @Test func `a code action corrects a misspelled name`() async throws {
    try await write("{\n  statoins {\n    nmae\n  }\n}") { driver in
      await driver.press("Down End Alt-Enter")
      #expect(await driver.screen.contains("Change statoins to stations"))
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{\n  stations {\n    nmae\n  }\n}")
      // The action is also offered at the start of the line, where the message is shown.
      await driver.press("Down Home Alt-Enter")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{\n  stations {\n    name\n  }\n}")
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty)
      await driver.press("Ctrl-Z")
      #expect(await driver.state.tab.editors.query.text == "{\n  stations {\n    nmae\n  }\n}")
    }
  }

  @Test func `go to definition works in the document and the schema`() async throws {
    try await write(Self.bird) { driver in
      await driver.press("Down Down Down End F12")
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(13, 9))
      await driver.press("Ctrl-Home Down Right Right Right F12")
      #expect(await driver.screen.contains("type Query"))
      let popup = await driver.state.popups.last
      guard let schema = popup?.state as? SchemaPopup else {
        Issue.record("no schema")
        return
      }
      #expect(schema.selected?.name == "bird")
    }
  }

  @Test func `rename changes every occurrence`() async throws {
    try await write(Self.bird) { driver in
      await driver.press("Ctrl-Right Ctrl-Right Ctrl-Right Ctrl-Right Left F2")
      #expect(await driver.screen.contains("Rename id to"))
      await driver.press("Backspace Backspace")
      await driver.type("key")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text.contains("query Bird($key: ID!) {\n  bird(id: $key) {"))
      #expect(await driver.screen.contains("Renamed in 2 places"))
      await driver.press("Down Home F2")
      #expect(await driver.screen.contains("use an alias instead"))
    }
  }

  @Test func `lines can be folded and unfolded`() async throws {
    try await write(Self.bird, width: 120, height: 40) { driver in
      await driver.press("Alt-k")
      #expect(await driver.screen.contains("query Bird($id: ID!) { … 5 lines"))
      #expect(await !driver.screen.contains("bird(id: $id)"))
      await driver.press("Down")
      #expect(await driver.state.tab.editors.query.cursor.line == 6)
      await driver.press("Up Alt-k")
      #expect(await driver.screen.contains("bird(id: $id)"))
      // Folds move with their lines and open when one of their lines is edited.
      await driver.press("Down Alt-k")
      #expect(await driver.state.tab.editors.query.folds == [1...4])
      await driver.press("Ctrl-Home Enter")
      #expect(await driver.state.tab.editors.query.folds == [2...5])
      await driver.press("Alt-K")
      #expect(await driver.state.tab.editors.query.folds.isEmpty)
    }
  }

  @Test func `an operation can be picked`() async throws {
    try await write(Self.bird) { driver in
      await driver.press("Alt-o")
      #expect(await driver.screen.contains("Stations"))
      await driver.type("sta")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(7, 0))
    }
  }

  @Test func `find moves between matches`() async throws {
    try await write(Self.bird) { driver in
      await driver.press("Ctrl-F")
      await driver.type("name")
      #expect(await driver.screen.contains("1 of 2"))
      #expect(await driver.state.tab.editors.query.selectedText == "name")
      // Other matches are highlighted as well.
      let other = try #require(await driver.lines.lastIndex { $0.contains("    name") })
      let looks = await [driver.terminal.style(column: 8, row: other), driver.terminal.style(column: 14, row: other)]
      #expect(looks[0].background != looks[1].background)
      await driver.press("Enter")
      #expect(await driver.screen.contains("2 of 2"))
      await driver.press("Up Up")
      #expect(await driver.screen.contains("2 of 2"))
      await driver.type("x")
      #expect(await driver.screen.contains("no matches"))
      await driver.press("Esc")
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `matches are never hidden by the find box`() async throws {
    let query = "{\n" + (1...58).map { "  field\($0)\n" }.joined() + "}"
    let state = ExplorerState(endpoint: "http://127.0.0.1:9/graphql", query: query)
    let driver = await ExplorerDriver(state: state, environment: ExplorerEnvironment(), width: 80, height: 24)
    await driver.waitForIdle()
    await driver.press("Ctrl-F")
    await driver.type("field")
    for number in 1...58 {
      #expect(await driver.state.tab.editors.query.cursor.line == number)
      let lines = await driver.lines
      let box = try #require(lines.firstIndex { $0.contains("find field") }, "\(lines)")
      let row = try #require(lines.firstIndex { $0.contains("  field\(number) ") }, "\(number) in \(lines)")
      #expect(row < box, "\(number)")
      await driver.press("Enter")
    }
    await driver.quit()
  }

  @Test func `matches are replaced one by one or all together`() async throws {
    try await write("{ a b a b a }") { driver in
      await driver.press("Alt-r")
      await driver.type("a")
      await driver.press("Tab")
      await driver.type("cc")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{ cc b a b a }")
      await driver.press("Alt-Enter")
      #expect(await driver.state.tab.editors.query.text == "{ cc b cc b cc }")
      #expect(await driver.screen.contains("Replaced 2 matches"))
      await driver.press("Ctrl-Z")
      #expect(await driver.state.tab.editors.query.text == "{ cc b a b a }")
    }
  }

  @Test func `long lines are wrapped on request`() async throws {
    let line = "{ " + (1...20).map { "field\($0)" }.joined(separator: " ") + " }"
    try await write(line) { driver in
      #expect(await !driver.screen.contains("field20"))
      await driver.press("Alt-z")
      #expect(await driver.screen.contains("field20"))
      await driver.press("End")
      #expect(await driver.terminal.cursor != nil)
      await driver.press("Alt-z")
      #expect(await driver.screen.contains("field20"))
      #expect(await !driver.screen.contains("field1 "))
    }
  }

  @Test func `a wrapped line taller than the pane scrolls by rows`() async throws {
    let line = "{ " + (1...900).map { "field\($0)" }.joined(separator: " ") + " }"
    try await write(line + "\n# behind it") { driver in
      await driver.press("Alt-z")
      #expect(await driver.screen.contains("field1 "))
      await driver.press("End")
      #expect(await driver.terminal.cursor != nil)
      #expect(await driver.screen.contains("field900"))
      #expect(await !driver.screen.contains("field1 "))
      let first = await driver.state.tab.editors.query.scroll
      await driver.press("Left Left Left")
      #expect(await driver.state.tab.editors.query.scroll == first, "the scroll position does not change")
      await driver.press("Down")
      #expect(await driver.terminal.cursor != nil)
      #expect(await driver.screen.contains("# behind it"))
      #expect(await driver.screen.contains("field900"))
      await driver.press("Up Home")
      #expect(await driver.terminal.cursor != nil)
      #expect(await driver.screen.contains("field1 "))
      #expect(await !driver.screen.contains("field900"))
    }
  }

  @Test func `selection expands by syntax and shrinks`() async throws {
    try await write(Self.bird) { driver in
      await driver.press("Down Right Right Right Alt-Up")
      #expect(await driver.state.tab.editors.query.selectedText == "bird")
      await driver.press("Alt-Up")
      #expect(await driver.state.tab.editors.query.selectedText.hasPrefix("bird(id: $id) {"))
      await driver.press("Alt-Down")
      #expect(await driver.state.tab.editors.query.selectedText == "bird")
    }
  }

  @Test func `variables are completed and validated`() async throws {
    try await write(Self.bird, variables: "{  }", width: 120, height: 40) { driver in
      #expect(
        await driver.state.tab.editors.variablesAnalysis.diagnostics.map(\.message) == [
          "\"$id\" of type ID! has no value"
        ])
      await driver.press("Alt-2 Right Right")
      await driver.type("i")
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.variables.text == "{ \"id\": \"\" }")
      await driver.type("b1")
      #expect(await driver.state.tab.editors.variables.text == "{ \"id\": \"b1\" }")
      #expect(await driver.state.tab.editors.variablesAnalysis.diagnostics.isEmpty)
    }
  }

  @Test func `the outline leads to definitions`() async throws {
    try await write(
      "query Two($id: ID!) {\n  first: bird(id: $id) { id ...Name }\n}\n\nfragment Name on Bird {\n  name\n}\n"
    ) {
      driver in
      await driver.press("Alt-G")
      let screen = await driver.screen
      for row in ["Two", "$id", "first", "...Name", "Name"] { #expect(screen.contains(row)) }
      await driver.press("Down Down Down Down Down Enter")
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(4, 9))
      await driver.press("Alt-G")
      await driver.type("$id")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(0, 10))
    }
  }

  @Test func `the schema can be searched and navigated`() async throws {
    try await write(width: 100, height: 30) { driver in
      await driver.press("F4")
      #expect(await driver.screen.contains("Operations"))
      await driver.type("bird.nam")
      #expect(await driver.screen.contains("Bird.name"))
      await driver.press("Enter")
      #expect(await driver.screen.contains("type Bird"))
      await driver.press("End")
      #expect(await driver.screen.contains("Used by"))
      await driver.press("Enter")
      let followed = await driver.state.popups.last
      await driver.press("Left")
      #expect(await driver.screen.contains("type Bird"))
      await driver.press("Alt-Right")
      #expect(await driver.state.popups.last == followed)
      await driver.press("Esc")
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `a schema coordinate finds its element`() async throws {
    func names(_ driver: ExplorerDriver) async -> [String] {
      guard let schema = await driver.state.popups.last?.state as? SchemaPopup else { return [] }
      return schema.rows.map(\.name)
    }
    func selected(_ driver: ExplorerDriver) async -> SchemaRow? {
      guard let schema = await driver.state.popups.last?.state as? SchemaPopup else { return nil }
      return schema.selected
    }
    try await write(width: 100, height: 30) { driver in
      await driver.press("F4")
      await driver.type("Query.birds(")
      #expect(await names(driver).contains("Query.birds(first:)"))
      await driver.type("first:)")
      #expect(await names(driver) == ["Query.birds(first:)"])
      await driver.press("Enter")
      #expect(await driver.screen.contains("type Query"))
      #expect(await selected(driver)?.kind == .argument)
      #expect(await selected(driver)?.name == "first")
      await driver.type("@deprecated(reason:)")
      await driver.press("Enter")
      #expect(await driver.screen.contains("directive @deprecated"))
      #expect(await selected(driver)?.name == "reason")
      await driver.type("Bird.name")
      #expect(await names(driver).first == "Bird.name")
    }
  }

  @Test func `formatting is one undo step and skips invalid documents`() async throws {
    try await write("{stations{id name}}") { driver in
      await driver.press("Alt-f")
      #expect(await driver.state.tab.editors.query.text == "{\n  stations {\n    id\n    name\n  }\n}")
      await driver.press("Ctrl-Z")
      #expect(await driver.state.tab.editors.query.text == "{stations{id name}}")
      await driver.press("End Backspace Alt-f")
      #expect(await driver.screen.contains("A query with syntax errors cannot be formatted"))
    }
  }

  @Test func `a schema field becomes a query`() async throws {
    try await write("", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Backspace F4")
      await driver.type("Station.country")
      await driver.press("Enter")
      await driver.press("Ctrl-T")
      let text = await driver.state.tab.editors.query.text
      #expect(text.hasPrefix("query Country"))
      #expect(text.contains("country"))
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty, Comment(rawValue: text))
    }
  }

  @Test func `a field of a root type is the first of equal search results`() async throws {
    try await write("", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Backspace F4")
      await driver.type("stations")
      guard let schema = await driver.state.popups.last?.state as? SchemaPopup else {
        Issue.record("no schema")
        return
      }
      #expect(schema.rows.prefix(2).map(\.name) == ["Query.stations", "MigrationHistory.stations"])
      await driver.press("Ctrl-T")
      #expect(await driver.state.tab.editors.query.text.hasPrefix("query Stations {\n  stations {"))
      #expect(await !driver.screen.contains("The query needs variables"))
    }
  }

  @Test func `a query with required arguments names the key for its variables`() async throws {
    try await write("", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Backspace F4")
      await driver.type("Query.station")
      await driver.press("Ctrl-T")
      #expect(await driver.state.tab.editors.query.text.contains("$id: ID!"))
      #expect(await driver.screen.contains("The query needs variables: Alt-v fills them in"))
    }
  }

  @Test func `a schema search can be typed before the first page arrives`() {
    var state = ExplorerState(endpoint: "https://birds.example/graphql", query: "{ a }")
    _ = update(&state, .schema(.loaded(typeCount: 1, example: nil)))
    _ = update(&state, .commandInvoked(.openSchema))
    _ = update(&state, .textTyped("birds"))
    let page = SchemaPage(link: .overview, title: "Schema", rows: [SchemaRow(.type, "query")])
    _ = update(&state, .writingAnswered(.schemaPage(page)))
    #expect((state.popups.last?.state as? SchemaPopup)?.search == "birds")
    _ = update(&state, .writingAnswered(.schemaFound([SchemaRow(.field, "Query.birds")], search: "birds")))
    #expect((state.popups.last?.state as? SchemaPopup)?.rows.map(\.name) == ["Query.birds"])
  }

  @Test func `a search result becomes a query and can be returned to`() async throws {
    try await write("", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Backspace F4")
      await driver.type("observation")
      await driver.press("Down Down Down Enter")
      #expect(await driver.screen.contains("│ /  type to search"))
      await driver.press("Left")
      #expect(await driver.screen.contains("│ / observation"))
      guard let schema = await driver.state.popups.last?.state as? SchemaPopup else {
        Issue.record("no schema")
        return
      }
      #expect(schema.list.selected == 3)
      #expect(schema.answered == "observation")
      for _ in "observation" { await driver.press("Backspace") }
      await driver.type("MigrationYear.flights")
      await driver.press("Ctrl-T")
      let text = await driver.state.tab.editors.query.text
      #expect(text.contains("years {\n"))
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty, Comment(rawValue: text))
    }
  }

  @Test(arguments: ["Weather", "Station", "SearchResult", "BirdEdge", "Mutation.renameBird"])
  func `a type becomes a query that reaches it`(name: String) async throws {
    try await write("", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Backspace F4")
      await driver.type(name)
      await driver.press("Ctrl-T")
      let text = await driver.state.tab.editors.query.text
      #expect(text.contains("{"))
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty, Comment(rawValue: text))
    }
  }

  @Test func `a description is wrapped to the width`() async throws {
    try await write("", width: 60, height: 30) { driver in
      await driver.press("F4")
      #expect(await driver.screen.contains("them, their flights, and who saw them where."))
      await driver.press("Down")
      await driver.resize(width: 120, height: 30)
      #expect(await driver.screen.contains("the stations that ringed them, their flights, and who saw them where."))
      guard let schema = await driver.state.popups.last?.state as? SchemaPopup else {
        Issue.record("no schema")
        return
      }
      #expect(schema.selected?.name == "mutation")
    }
  }

  @Test func `an unreachable type shows the reason`() async throws {
    try await write("", width: 100, height: 30) { driver in
      await driver.press("F4")
      await driver.type("BirdFilter")
      await driver.press("Ctrl-T")
      #expect(await driver.screen.contains("▲ No query can select this"))
      for _ in "BirdFilter" { await driver.press("Backspace") }
      await driver.type("RenameBirdPayload")
      await driver.press("Ctrl-T")
      #expect(await driver.screen.contains("No query can select it"))
    }
  }

  @Test func `a growing pane scrolls back to fill its space`() async throws {
    let lines = (1...30).map { "# \($0)" } + ["# " + String(repeating: "x", count: 40)]
    try await write(lines.joined(separator: "\n"), width: 80, height: 20) { driver in
      await driver.press("Ctrl-End")
      #expect(await !driver.screen.contains(" 1 # 1"))
      await driver.resize(width: 200, height: 60)
      #expect(await driver.screen.contains(" 1 # 1"))
    }
  }

  @Test func `pasting a thousand lines is one undo step`() async throws {
    try await write { driver in
      await driver.press("Ctrl-A Backspace")
      let text = "{\n" + (1...1000).map { "  a\($0): stations { id }" }.joined(separator: "\n") + "\n}"
      await driver.paste(text)
      #expect(await driver.state.tab.editors.query.buffer.lineCount == 1002)
      #expect(await driver.state.tab.editors.queryAnalysis.diagnostics.isEmpty)
      await driver.press("Ctrl-Z")
      #expect(await driver.state.tab.editors.query.text == "")
    }
  }
}
