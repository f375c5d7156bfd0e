import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import ApusExplorerEnvironment
import ApusJSON
import ApusTestSupport
import Testing

/// Reading a response with keys: search, jq, table, paths, errors, comparison.
@Suite(.timeLimit(.minutes(1))) struct ReadingScenarioTests {
  private static let birds = """
    {"data":{"birds":[{"id":"1","name":"Apus apus","mass":40,"at":{"place":"Falsterbo"}},
    {"id":"2","name":"Hirundo, rustica","mass":19.5,"at":{"place":"Getterön"}},
    {"id":"3","name":"Ciconia","mass":3400,"at":null}]}}
    """

  @ScreenActor private func explore(
    _ answers: [ScriptedAnswer], query: String = "{ birds { id name mass at { place } } }",
    environment change: (inout ExplorerEnvironment) -> Void = { _ in },
    _ script: (ExplorerDriver) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(answers)
    struct NoSchema: Error, CustomStringConvertible { let description = "none" }
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), filterProgram: Checkout.apus,
      schema: { throw NoSchema() })
    var environment = live.environment
    change(&environment)
    let driver = ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: 100, height: 34)
    await driver.waitForIdle()
    await driver.press("F5")
    await driver.press("Alt-3")
    try await script(driver)
    await driver.quit()
    server.stop()
  }

  private func selected(_ driver: ExplorerDriver) async -> String {
    let tree = await driver.state.tab.response.shownTree
    return tree.path(ofRow: tree.list.selected).description
  }

  @Test func `search moves between matches and counts them`() async throws {
    try await explore([.json(Self.birds)]) { driver in
      await driver.press("/")
      await driver.type("apus")
      #expect(await driver.screen.contains("1 of 1"))
      #expect(await selected(driver) == "birds[0].name")
      await driver.press("Esc / ")
      await driver.type("place")
      #expect(await driver.screen.contains("1 of 2"))
      await driver.press("Enter n")
      #expect(await selected(driver) == "birds[1].at.place")
      #expect(await driver.screen.contains("2 of 2"))
      await driver.press("n")
      #expect(await selected(driver) == "birds[0].at.place")
      await driver.press("N")
      #expect(await driver.screen.contains("2 of 2"))
      await driver.press("Esc /")
      await driver.type("nowhere")
      #expect(await driver.screen.contains("no matches"))
    }
  }

  /// Returns the text on the screen that has the style of a search match. It runs on the screen's actor, because calls
  /// from outside would wait for the actor for each cell.
  @ScreenActor private func marked(_ driver: ExplorerDriver) -> [String] {
    let look = Theme.builtIn(capabilities: driver.terminal.capabilities)[.searchMatch]
    var pieces: [String] = []
    for (row, line) in driver.lines.enumerated() {
      var piece = ""
      for (column, character) in line.enumerated() {
        let style = driver.terminal.style(column: column, row: row)
        if style.background == look.background, style.foreground == look.foreground {
          piece.append(character)
        } else if !piece.isEmpty {
          pieces.append(piece)
          piece = ""
        }
      }
      if !piece.isEmpty { pieces.append(piece) }
    }
    return pieces
  }

  @Test func `matches are marked in tree raw text and table`() async throws {
    try await explore([.json(Self.birds)]) { driver in
      #expect(await marked(driver) == [])
      await driver.press("/")
      await driver.type("pla")
      // Also in the selected row.
      #expect(await marked(driver) == ["pla", "pla"])
      await driver.press("Backspace Backspace Backspace")
      await driver.type("apus")
      #expect(await marked(driver) == ["Apus", "apus"])
      await driver.press("Enter t")
      #expect(await driver.state.tab.response.reading.table != nil)
      #expect(await marked(driver) == ["Apus", "apus"])
      await driver.press("t r")
      #expect(await driver.state.tab.response.reading.raw != nil)
      #expect(await marked(driver) == ["Apus", "apus"])
      await driver.press("Esc")
      #expect(await marked(driver) == [])
    }
  }

  @Test func `search is case sensitive if the pattern has uppercase`() async throws {
    try await explore([.json(Self.birds)]) { driver in
      await driver.press("/")
      await driver.type("Apus")
      #expect(await driver.screen.contains("1 of 1"))
      await driver.press("Esc /")
      await driver.type("APUS")
      #expect(await driver.screen.contains("no matches"))
    }
  }

  @Test func `jq filters while typing and remembers filters`() async throws {
    try await explore([.json(Self.birds), .json(Self.birds.replacing("40", with: "41"))]) { driver in
      await driver.press("|")
      await driver.type(".birds[]|select(.mass<100)|.name")
      #expect(await driver.screen.contains("0: \"Apus apus\""))
      #expect(await driver.screen.contains("1: \"Hirundo, rustica\""))
      #expect(await !driver.screen.contains("Ciconia"))
      await driver.type("[")
      #expect(await driver.screen.contains("the filter cannot be read"))
      // The last valid filter stays in effect while typing.
      #expect(await driver.screen.contains("0: \"Apus apus\""))
      await driver.press("Backspace Enter")
      await driver.press("|")
      await driver.press("Esc")
      #expect(await driver.screen.contains("Ciconia"))
      await driver.press("| Up Enter")
      #expect(await driver.screen.contains("1: \"Hirundo, rustica\""))
      await driver.press("Backspace")
      #expect(await driver.state.tab.response.reading.filter.result == nil)
    }
  }

  @Test func `a filter applies to the next run`() async throws {
    try await explore([.json(Self.birds), .json(Self.birds.replacing("Apus apus", with: "Apus pallidus"))]) { driver in
      await driver.press("|")
      await driver.type(".birds[0].name")
      await driver.press("Enter F5")
      #expect(await driver.screen.contains("Apus pallidus"))
    }
  }

  @Test func `a table has leaf columns that can be sorted hidden widened and exported`() async throws {
    let written = Written()
    try await explore(
      [.json(Self.birds)],
      environment: { environment in
        environment.exports.writeFile = { name, text in
          await written.set(name, text)
          return .success(name)
        }
      }
    ) { driver in
      await driver.press("t")
      let header = try #require(await driver.lines.first { $0.contains("at.place") })
      #expect(header.contains("id") && header.contains("name") && header.contains("mass"))
      await driver.press("l l s")
      #expect(await driver.screen.contains("mass ↑"))
      let sorted = try #require(await driver.state.tab.response.reading.table)
      #expect((0..<3).map { sorted.item(ofRow: $0) } == [1, 0, 2])
      await driver.press("s")
      #expect(await driver.state.tab.response.reading.table?.item(ofRow: 0) == 2)
      await driver.press("H")
      #expect(await driver.state.tab.response.reading.table?.hiddenCount == 1)
      await driver.press("x Enter")
      #expect(await driver.screen.contains("Written: apus-birds.csv"))
      #expect(
        await written.text
          == "id,name,at.place\r\n3,Ciconia,\r\n1,Apus apus,Falsterbo\r\n2,\"Hirundo, rustica\",Getterön\r\n")
      await driver.press("u x Down Down Down Enter")
      #expect(await written.name == "apus-birds.ndjson")
      #expect(await written.text.hasPrefix(#"{"id":"3","name":"Ciconia","mass":3400,"at":null}"#))
      await driver.press("t")
      #expect(await selected(driver) == "birds[2]")
    }
  }

  @Test func `rows of a table are filtered and copied`() async throws {
    let written = Written()
    try await explore(
      [.json(Self.birds)],
      environment: { environment in
        environment.exports.writeFile = { name, text in
          await written.set(name, text)
          return .success(name)
        }
      }
    ) { driver in
      let clipboard = { await driver.state.typing.clipboard }
      await driver.press("t f")
      await driver.type("fal apus")
      #expect(await driver.screen.contains("1 of 3"))
      #expect(await driver.lines.contains { $0.contains("Falsterbo") })
      #expect(await !driver.lines.contains { $0.contains("Ciconia") })
      await driver.press("Enter y Enter")
      #expect(await clipboard().contains("\"name\": \"Apus apus\""))
      await driver.press("Esc f")
      #expect(await driver.state.tab.response.reading.table?.count == 3)
      await driver.type("Hirundo")
      await driver.press("Enter y Down Enter")
      #expect(await clipboard() == "2,\"Hirundo, rustica\",19.5,Getterön")
      await driver.press("y Down Down Enter")
      #expect(await clipboard() == "2\tHirundo, rustica\t19.5\tGetterön")
      // All rows are those that the filter leaves. Column 3 is sorted in descending order.
      await driver.press("f Ctrl-U")
      await driver.type("e")
      // The rows are sorted in the background, so copying waits for it.
      await driver.press("Enter l l s s")
      await driver.press("y End Up Enter")
      #expect(
        await clipboard()
          == "id,name,mass,at.place\r\n1,Apus apus,40,Falsterbo\r\n2,\"Hirundo, rustica\",19.5,Getterön\r\n")
      await driver.press("y End Enter")
      #expect(await clipboard().hasPrefix("id\tname\tmass\tat.place\n1\t"))
      await driver.press("x Enter")
      #expect(await written.text.split(separator: "\r\n").count == 3)
      await driver.press("f Ctrl-U")
      await driver.type("nothing")
      await driver.press("Enter")
      #expect(await driver.screen.contains("0 of 3"))
      let table = await driver.state
      #expect(table.reason(against: .copyRow) == "The table has no rows")
      // Esc removes the filter, and then leaves the table.
      await driver.press("Esc")
      #expect(await driver.state.tab.response.reading.table?.count == 3)
      await driver.press("Esc")
      #expect(await driver.state.tab.response.reading.table == nil)
    }
  }

  @Test func `new rows of a table are marked`() async throws {
    let page = { (id: Int, more: Bool) in
      """
      {"data":{"birds":{"edges":[{"cursor":"\(id)","node":{"__typename":"Bird","id":"\(id)"}}],
      "pageInfo":{"hasNextPage":\(more),"endCursor":"\(id)"}}}}
      """
    }
    let query = "{ birds(first: 1) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }"
    // The third page repeats the second page's bird.
    try await explore(
      [
        .json(page(1, true)), .json(page(2, true)),
        .json(page(2, false).replacing("\"endCursor\":\"2\"", with: "\"endCursor\":\"3\"")),
      ],
      query: query
    ) { driver in
      await driver.press("t n")
      let table = try #require(await driver.state.tab.response.reading.table)
      #expect(table.count == 2)
      #expect(!table.isNew(row: 0) && table.isNew(row: 1))
      await driver.press("n")
      #expect(await driver.state.tab.response.reading.table?.count == 2)
    }
  }

  @Test func `a typed path selects its row`() async throws {
    try await explore([.json(Self.birds)]) { driver in
      await driver.press(":")
      await driver.type("birds[2].name")
      await driver.press("Enter")
      #expect(await selected(driver) == "birds[2].name")
      await driver.press(":")
      await driver.type("birds.9")
      await driver.press("Enter")
      #expect(await driver.screen.contains("The response has no value at birds[9]"))
    }
  }

  @Test func `errors are listed and lead to their locations`() async throws {
    let answer = """
      {"data":{"birds":[{"id":"1","name":null}]},"errors":[{"message":"no name","path":["birds",0,"name"],
      "locations":[{"line":1,"column":25}]}]}
      """
    try await explore([.json(answer)]) { driver in
      await driver.press("e")
      #expect(await driver.screen.contains("1 error"))
      await driver.press("Enter")
      #expect(await selected(driver) == "birds[0].name")
      await driver.press("Down c")
      #expect(await driver.terminal.clipboard == "no name")
      await driver.press("e Tab")
      #expect(await driver.state.screen.focus == .query)
      // The server's column refers to the sent document, which also contains __typename.
      #expect(await driver.state.tab.editors.query.cursor == TextPosition(0, 13))
    }
  }

  @Test func `a response is compared with the previous run`() async throws {
    try await explore([.json(Self.birds), .json(Self.birds.replacing("19.5", with: "20"))]) { driver in
      await driver.press("d")
      #expect(await driver.screen.contains("There is no previous run to compare"))
      await driver.press("F5")
      await driver.press("d")
      let tree = await driver.state.tab.response.tree
      let fresh = tree.rows.indices.filter { tree.rows[$0].isFresh }.map { tree.path(ofRow: $0).description }
      #expect(fresh == ["birds[1].mass"])
      await driver.press("d")
      #expect(await driver.state.tab.response.tree.rows.contains(where: \.isFresh) == false)
    }
  }

  @Test func `raw text can be searched and leaving it keeps the position`() async throws {
    try await explore([.json(Self.birds), .json(Self.birds.replacing("19.5", with: "20.5"))]) { driver in
      await driver.press("End r")
      #expect(await driver.screen.contains(#""name": "Ciconia""#))
      let raw = try #require(await driver.state.tab.response.reading.raw)
      #expect(raw.text?.path(ofLine: raw.list.selected).description == "data.birds[2].at")
      await driver.press("C")
      #expect(await driver.state.typing.clipboard == "birds[2].at")
      await driver.press("/")
      await driver.type("mass")
      await driver.press("Enter n")
      #expect(await driver.screen.contains("2 of 3"))
      await driver.press("c")
      #expect(await driver.state.typing.clipboard == #""mass": 19.5"#)
      await driver.press("Esc F5")
      #expect(await driver.screen.contains(#""mass": 20.5"#))
      await driver.press("r")
      #expect(await driver.state.tab.response.reading.raw == nil)
      #expect(await selected(driver) == "birds[1].mass")
    }
  }

  @Test func `a complete value is shown with its meaning`() async throws {
    let long = (1...60).map { "word\($0)" }.joined(separator: " ")
    let answer = #"{"data":{"bird":{"note":"\#(long)","seen":"2025-06-01T10:30:00+02:00","raw":"{\"a\":1}"}}}"#
    try await explore([.json(answer)]) { driver in
      await driver.press("Home Enter")
      // Enter on a value with child rows folds it instead of opening the popup.
      #expect(await driver.state.popups.isEmpty)
      await driver.press("Enter Down Enter")
      #expect(await driver.screen.contains("bird.note"))
      #expect(await driver.screen.contains("word60"))
      await driver.press("c")
      #expect(await driver.state.typing.clipboard == long)
      await driver.press("Esc")
      #expect(await driver.state.popups.isEmpty)
      await driver.press("Down Enter")
      #expect(await driver.screen.contains("Sun 2025-06-01 08:30:00"))
      await driver.press("Enter Down Enter")
      #expect(await driver.screen.contains("in a string"))
      #expect(await driver.screen.contains("\"a\": 1"))
    }
  }

  @Test func `escape closes search table and zoom in turn`() async throws {
    try await explore([.json(Self.birds)]) { driver in
      await driver.press("F11 Home Down t /")
      await driver.type("apus")
      await driver.press("Enter Esc")
      #expect(await !driver.state.tab.response.reading.search.isActive)
      #expect(await driver.state.tab.response.reading.table != nil)
      await driver.press("Esc")
      #expect(await driver.state.tab.response.reading.table == nil)
      #expect(await driver.state.screen.arrangement.isZoomed)
      await driver.press("Esc")
      #expect(await !driver.state.screen.arrangement.isZoomed)
    }
  }

  @Test func `a link is copied if there is no browser`() async throws {
    let opened = Written()
    let answer = #"{"data":{"bird":{"name":"Apus","page":"see https://birds.example/apus."}}}"#
    try await explore(
      [.json(answer)],
      environment: { environment in
        environment.reading.openLink = { link in
          await opened.set(link, "")
          return "This session has no browser"
        }
      }
    ) { driver in
      await driver.press("Home o")
      #expect(await driver.screen.contains("There is no link in this row"))
      await driver.press("End o")
      #expect(await opened.name == "https://birds.example/apus")
      #expect(await driver.state.typing.clipboard == "https://birds.example/apus")
      #expect(await driver.screen.contains("This session has no browser; copied the link instead"))
    }
  }

  @Test func `a link is clickable if the terminal supports it`() async throws {
    let answer = #"{"data":{"birds":[{"id":"1","name":"see https://birds.example/apus.","mass":1}]}}"#
    try await explore([.json(answer)]) { driver in
      for key in ["", "r", "r", "t"] {
        if !key.isEmpty { await driver.press(key) }
        let link = try #require(await driver.terminal.frame.links.first, "\(key)")
        let line = Array(await driver.lines[link.row])
        #expect(link.target == "https://birds.example/apus")
        #expect(String(line[link.columns]) == "https://birds.example/apus")
      }
      await driver.press("F1")
      #expect(await driver.terminal.frame.links.isEmpty)
    }
  }

  @Test func `exports contain only requested fields`() async throws {
    let written = Written()
    let answer = #"{"data":{"birds":[{"__typename":"Bird","id":"1","name":"Apus"}],"kind":"Bird"}}"#
    try await explore(
      [.json(answer)], query: "{ birds { id name } kind: __typename }",
      environment: { environment in
        environment.exports.export = { text, path, _ in
          await written.set(path, text)
          return .exported(path)
        }
      }
    ) { driver in
      let requested = #"{"birds":[{"id":"1","name":"Apus"}],"kind":"Bird"}"#
      let pretty = JSONWriter.pretty(BirdStation.json(#"{"data":\#(requested)}"#))
      await driver.press("Ctrl-P")
      await driver.type("save the response")
      await driver.press("Enter")
      await driver.press("Enter")
      #expect(await written.text == pretty + "\n")
      await driver.press("Home c")
      #expect(await driver.state.typing.clipboard == "[\n  {\n    \"id\": \"1\",\n    \"name\": \"Apus\"\n  }\n]")
      await driver.press("/")
      await driver.type("bird")
      // Matches are the name of the list and the value of the alias, but not the type name that the cache added.
      #expect(await driver.screen.contains("1 of 2"))
      await driver.press("Esc |")
      await driver.type(".birds[0] | keys")
      #expect(await driver.state.tab.response.shownTree.data == BirdStation.json(#"["id","name"]"#))
    }
  }

  private actor Written {
    var name = ""
    var text = ""

    func set(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }
}
