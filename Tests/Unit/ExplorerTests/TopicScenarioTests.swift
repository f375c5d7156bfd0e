import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTestSupport
import Testing

/// The palette, the help and its topics.
@Suite(.timeLimit(.minutes(1))) struct TopicScenarioTests {
  private func explore(
    _ query: String = "{ birds { nodes { id } } }", _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    try await writeWithDemoSchema(query, variables: "", width: 100, height: 40, drive)
  }

  @Test func `every topic refers to existing commands`() {
    for topic in Topic.all { #expect(!topic.text { _ in "F5" }.contains("<"), "\(topic.name)") }
    #expect(Set(Topic.all.map(\.name)).count == Topic.all.count)
  }

  @Test func `help lists and searches topics and keys`() async throws {
    try await explore { driver in
      await driver.press("F1")
      #expect(await driver.screen.contains("First steps"))
      await driver.type("normalized")
      #expect(await !driver.screen.contains("First steps"))
      await driver.press("Ctrl-U")
      await driver.type("endCursor")
      #expect(await driver.screen.contains("Lists with pages"))
      await driver.press("Enter")
      #expect(await driver.screen.contains("Alt-n loads the next page"), "topics show the current keys")
      await driver.press("Esc")
      #expect(await driver.screen.contains("Help"))
    }
  }

  @Test func `arrow keys select help topics one by one`() async throws {
    try await explore { driver in
      func selected() async -> HelpRow? {
        await driver.wait { $0.popups.last?.state is HelpPopup }
        let state = await driver.state
        let help = state.popups.last?.state as? HelpPopup
        return help.map { $0.rows(in: state)[$0.list.selected] }
      }
      await driver.press("F1")
      #expect(await selected() == .topic(Topic.all[0]))
      await driver.press("Down Down")
      #expect(await selected() == .topic(Topic.all[2]))
      await driver.press("Up")
      #expect(await selected() == .topic(Topic.all[1]))
      await driver.press("Up Up")
      #expect(await selected() == .topic(Topic.all[0]), "the first one stays selected")
    }
  }

  @Test func `Enter in the help runs the selected command`() async throws {
    try await explore { driver in
      await driver.press("F1")
      await driver.type("next layout")
      let before = await driver.state.screen.arrangement
      await driver.press("Enter")
      #expect(await driver.state.popups.isEmpty)
      #expect(await driver.state.screen.arrangement != before)
    }
  }

  @Test func `hover opens the topic of a key directive or error`() async throws {
    try await explore("{ birds @defer { nodes { id } } }") { driver in
      await driver.press("F1")
      await driver.type("next diagnostic")
      await driver.press("F3")
      #expect(await driver.screen.contains("When something is wrong"))
      await driver.press("Esc Esc Alt-1 Ctrl-Home Ctrl-Right Ctrl-Right")
      for _ in 0..<3 { await driver.press("Right") }
      await driver.press("F3")
      await driver.press("F3")
      #expect(await driver.screen.contains("Deferred fragments and streams"))
      await driver.press("Esc Alt-5 F3")
      #expect(await driver.screen.contains("The cache splits each response"))
    }
  }

  @Test func `palette lists available and recent commands first`() async throws {
    try await explore { driver in
      await driver.press("Ctrl-P")
      var palette = try #require(await driver.state.popups.last?.state as? PalettePopup)
      let state = await driver.state
      let possible = palette.commands.map { command in
        var below = state
        below.popups = []
        return below.reason(against: command) == nil
      }
      #expect(possible == possible.sorted { $0 && !$1 })
      #expect(possible.contains(false))
      await driver.type("next layout")
      await driver.press("Enter")
      await driver.press("Ctrl-P")
      palette = try #require(await driver.state.popups.last?.state as? PalettePopup)
      #expect(palette.commands.first == .nextLayout)
    }
  }

  @Test func `palette matches words but not scattered characters`() async throws {
    func commands(_ filter: String) -> [Command] {
      Command.palette(matching: filter, in: ExplorerState(endpoint: "birds", query: "{ a }"))
    }
    #expect(commands("reopen") == [.reopenTab])
    #expect(commands("run op").first == .runOperation)
    #expect(commands("undo").first == .undo, "also if there is nothing to undo")
    #expect(!commands("reopn").contains(.runOperation))
    #expect(commands("zzz").isEmpty)
    #expect(commands("").contains(.runOperation))
  }
}
