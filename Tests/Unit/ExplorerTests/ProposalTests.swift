import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Testing

/// Completion that opens while typing.
@Suite(.timeLimit(.minutes(3))) struct ProposalTests {
  @Test(arguments: [
    ("", "{", "birds"), ("{ birds", "(", "first"), ("{ bird(id: 1) { id @", "", "skip"), ("query ($b:", " ", "Boolean"),
    ("{ search(text: \"a\") { ..", ".", "on Bird"), ("query ($id: ID!) { bird(id:", " ", "$id"),
  ])
  func `completions open after a sign`(before: String, sign: String, proposal: String) async throws {
    try await writeWithDemoSchema("", variables: "", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Delete")
      await driver.type(before)
      await driver.type(sign)
      #expect(await driver.screen.contains(proposal), "\(before)\(sign)")
      guard let completion = await driver.state.popups.last?.state as? CompletionPopup else {
        Issue.record("no completion opens after \(before)\(sign)")
        return
      }
      #expect(!completion.isAsked)
    }
  }

  @Test func `Enter inserts a line break if no completion is selected`() async throws {
    try await writeWithDemoSchema("", variables: "", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Delete")
      await driver.type("{")
      #expect(await driver.screen.contains("birds"))
      await driver.press("Enter")
      let text = await driver.state.tab.editors.query.text
      #expect(text == "{\n  \n}")
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `typed characters are marked in completions`() async throws {
    try await writeWithDemoSchema("", variables: "", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Delete")
      await driver.type("{ obs")
      let row = try #require(await driver.lines.firstIndex { $0.contains("observationCount") })
      let line = await driver.lines[row]
      let column = line.distance(
        from: line.startIndex, to: try #require(line.firstRange(of: "observationC")).lowerBound)
      let frame = await driver.terminal.frame
      for place in column..<column + 3 {
        #expect(frame.cell(at: Point(column: place, row: row)).style.attributes.contains(.bold))
      }
      #expect(!frame.cell(at: Point(column: column + 3, row: row)).style.attributes.contains(.bold))
    }
  }

  /// Documents for real APIs, typed key by key. Open completions never change the typed text.
  @Test(
    .enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)),
    arguments: [
      "animals", "linear", "saleor", "starwars",
    ])
  func `completions never change the typed text`(api: String) async throws {
    let schema = Schema.load(sdl: [Document(parsing: try Corpus.bytes("\(api)/schema.graphql"))])
    let text = String(decoding: try Corpus.bytes("\(api)/operations.graphql"), as: UTF8.self)
    let keys = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: "\n")
    var written: [String] = []
    for isProposing in [true, false] {
      let live = LiveEnvironment(client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore())) {
        if !isProposing { throw EnvironmentError("no schema") }
        return schema
      }
      let environment = live.environment
      let driver = await ExplorerDriver(
        state: ExplorerState(endpoint: "http://127.0.0.1:9/graphql"), environment: environment, width: 100, height: 30)
      await driver.waitForIdle()
      await driver.press("Ctrl-A Delete")
      for key in keys.prefix(400) {
        if key == "\n" { await driver.press("Enter") } else { await driver.type(String(key)) }
      }
      written.append(await driver.state.tab.editors.query.text)
      await driver.quit()
    }
    #expect(written[0] == written[1])
    #expect(written[0].count > 300)
  }
}
