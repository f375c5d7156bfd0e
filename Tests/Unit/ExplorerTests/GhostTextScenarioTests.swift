import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerTestSupport
import Testing

/// Ghost text after the cursor, and quick fixes for a problem.
@Suite(.timeLimit(.minutes(1))) struct GhostTextScenarioTests {
  private func write(_ text: String, _ drive: (ExplorerDriver) async throws -> Void) async throws {
    try await writeWithDemoSchema("", variables: "", width: 100, height: 30) { driver in
      await driver.press("Ctrl-A Delete")
      await driver.type(text)
      try await drive(driver)
    }
  }

  @Test func `the rest of the only matching name is ghost text that Right accepts`() async throws {
    try await write("{ observationCo") { driver in
      #expect(await driver.state.tab.editors.query.text.hasSuffix("observationCo}"))
      let line = try #require(await driver.lines.first { $0.contains("1 ") && $0.contains("{ obs") })
      #expect(line.contains("{ observationCount}"), "\(line)")
      await driver.press("Right")
      #expect(await driver.state.tab.editors.query.text == "{ observationCount}")
      #expect(await driver.state.popups.isEmpty)
    }
  }

  @Test func `a required argument is ghost text`() async throws {
    try await write("{ bird(") { driver in
      let lines = await driver.lines
      #expect(lines.contains { $0.contains("{ bird(id: )}") }, "\(lines.prefix(12).joined(separator: "\n"))")
      await driver.press("End")
      let query = await driver.state.tab.editors.query
      #expect(query.text.hasPrefix("{ bird(id: "), "\(query.text)")
    }
  }

  @Test func `Esc ends the ghost text, also after the list was requested`() async throws {
    for keys in [["Esc"], ["Ctrl-Space", "Esc"]] {
      try await write("{ bird(") { driver in
        #expect(await driver.state.typing.ghostText(of: driver.state.tab.editors.query, in: .query) != nil)
        for key in keys { await driver.press(key) }
        #expect(await driver.state.popups.isEmpty, "\(keys)")
        #expect(await driver.state.typing.ghostText(of: driver.state.tab.editors.query, in: .query) == nil, "\(keys)")
        await driver.press("End")
        #expect(await driver.state.tab.editors.query.text == "{ bird()}", "\(keys)")
      }
    }
  }

  @Test func `uncertain completions are not shown as ghost text`() async throws {
    try await write("{ bird") { driver in
      // Both `bird` and `birds` match.
      #expect(await driver.state.typing.ghostText(of: driver.state.tab.editors.query, in: .query) == nil)
    }
    try await write("{ observationCo") { driver in
      await driver.press("Left")
      #expect(await driver.state.typing.ghostText(of: driver.state.tab.editors.query, in: .query) == nil)
      await driver.press("Right")
      #expect(await driver.state.tab.editors.query.text.hasSuffix("observationCo}"))
    }
  }

  @Test(arguments: [
    ("{ brids { nodes { id } } }", "birds"), ("{ bird { id } }", "(id:"),
    ("{ birds(first: $n) { nodes { id } } }", "$n:"),
    ("{ birds { nodes } }", "nodes {"),
  ])
  func `the first quick fix corrects the problem and keeps the cursor`(text: String, corrected: String) async throws {
    try await writeWithDemoSchema(text, variables: "", width: 100, height: 30) { driver in
      await driver.press("Ctrl-Home F8")
      let place = await driver.state.tab.editors.query.cursor
      let character = await driver.state.tab.editors.query.buffer.character(before: place)
      await driver.press("Alt-a")
      #expect(await driver.state.popups.last?.state is PickerPopup)
      await driver.press("Enter")
      let query = await driver.state.tab.editors.query
      #expect(query.text.contains(corrected), "\(query.text)")
      #expect(query.buffer.character(before: query.cursor) == character, "\(query.cursor)")
      #expect(await driver.state.analysis.diagnostics.isEmpty, "\(query.text)")
    }
  }
}
