import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// Writing headers: completion, marks and comments.
@Suite(.timeLimit(.minutes(1))) struct HeaderWritingScenarioTests {
  private func write(_ drive: (ExplorerDriver) async throws -> Void) async throws {
    try await writeWithDemoSchema("{ a }", variables: "", width: 100, height: 50) { driver in
      await driver.press("Alt-6")
      try await drive(driver)
    }
  }

  @Test func `names and values are completed while they are typed`() async throws {
    try await write { driver in
      await driver.type("auth")
      #expect(await driver.screen.contains("Authorization"))
      await driver.press("Tab")
      #expect(await driver.state.tab.editors.headers.text == "Authorization: ")
      #expect(await driver.screen.contains("Bearer $TOKEN"))
      await driver.press("Down Enter")
      #expect(await driver.state.tab.editors.headers.text == "Authorization: Bearer ")
      await driver.press("Enter")
      await driver.type("Authori")
      // The name is used already.
      #expect(await driver.state.popups.isEmpty)
      await driver.press("Ctrl-W")
      await driver.type("X-Req")
      await driver.press("Down Tab")
      #expect(await driver.state.tab.editors.headers.text == "Authorization: Bearer \nX-Requested-With: ")
      await driver.press("Escape")
      await driver.press("Ctrl-Space")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.headers.text.hasSuffix("X-Requested-With: XMLHttpRequest"))
    }
  }

  @Test func `the proposals are at the cursor, and an empty pane has its hint`() async throws {
    try await write { driver in
      #expect(await driver.state.screen.focus == .headers)
      #expect(await driver.screen.contains("Name: value   ($ENV and $(command) work"))
      await driver.type("# none\nX-Ha")
      let lines = await driver.lines
      let typed = try #require(lines.firstIndex { $0.contains("X-Ha") && !$0.contains("X-Hasura") })
      let proposed = try #require(lines.firstIndex { $0.contains("X-Hasura-Role") })
      #expect(abs(proposed - typed) <= 4)
    }
  }

  @Test func `a line without a header is marked with a message`() async throws {
    try await write { driver in
      await driver.paste("X-A: 1\nno header\n# a comment")
      await driver.press("Up")
      #expect(await driver.screen.contains("This line is not a header"))
      await driver.press("Alt-e")
      #expect(await driver.screen.contains("2:1"))
      await driver.press("Escape")
      await driver.press("Ctrl-/")
      #expect(await driver.state.tab.editors.headers.text == "X-A: 1\n# no header\n# a comment")
      #expect(await driver.state.analysis.diagnostics.isEmpty)
      await driver.press("Ctrl-A")
      await driver.type("{\"a\": \"b\", // why\n}")
      #expect(await driver.state.analysis.diagnostics.isEmpty)
      await driver.press("Alt-1")
      #expect(await driver.state.tab.editors.headers.text == "a: b")
    }
  }
}
