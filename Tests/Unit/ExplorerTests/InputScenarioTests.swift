import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// Types keys into an input line, whose cursor is `‸`, and compares the resulting text and cursor.
private func expectTyping(
  _ before: String, _ keys: String, _ after: String, clipboard: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let marked = MarkedText(before)
  var state = ExplorerState(endpoint: "test")
  state.typing.clipboard = clipboard
  state.popups = [Popup(LinePopup(.tabName, text: marked.text))]
  _ = update(&state, .inputClicked(TextBuffer(marked.text).offset(of: marked.selection.cursor)))
  var reader = KeyReader()
  for key in parsedKeys(keys) {
    for action in reader.actions(for: key, in: state, .standard) { _ = update(&state, action) }
  }
  guard let line = state.inputLine else {
    Issue.record("the line is gone", sourceLocation: sourceLocation)
    return
  }
  var bytes = Array(line.text.utf8)
  bytes.insert(contentsOf: Array("‸".utf8), at: line.cursorOffset)
  #expect(String(decoding: bytes, as: UTF8.self) == after, sourceLocation: sourceLocation)
}

@Suite struct LineEditorTests {
  @Test func `the cursor moves by characters, by words and to the ends`() {
    expectTyping("birds‸", "<Left><Left>", "bir‸ds")
    expectTyping("e\u{301}👩‍👩‍👧‸", "<Left>", "e\u{301}‸👩‍👩‍👧")
    expectTyping("e\u{301}‸", "<Ctrl-B>", "‸e\u{301}")
    expectTyping("‸birds", "<Ctrl-F>", "b‸irds")
    expectTyping(".birds[].name‸", "<Ctrl-Left>", ".birds[].‸name")
    expectTyping("two words‸", "<Alt-b><Alt-b>", "‸two words")
    expectTyping("‸two words", "<Alt-f>", "two‸ words")
    expectTyping("‸two words", "<Ctrl-Right><Ctrl-Right>", "two words‸")
    expectTyping("bi‸rds", "<Home>", "‸birds")
    expectTyping("bi‸rds", "<Ctrl-A>", "‸birds")
    expectTyping("bi‸rds", "<Ctrl-E>", "birds‸")
    expectTyping("‸birds", "<Left>", "‸birds")
    expectTyping("birds‸", "<Right>", "birds‸")
  }

  @Test func `text is typed and pasted at the cursor`() {
    expectTyping("bi‸ds", "r", "bir‸ds")
    expectTyping("bi‸ds", "<Ctrl-V>", "bi鳥と r‸ds", clipboard: "鳥と\nr\n")
    expectTyping("bi‸ds", "\u{301}r", "bi\u{301}r‸ds")
  }

  @Test func `keys delete a character, a word or the rest of the line`() {
    expectTyping("bir‸ds", "<Backspace>", "bi‸ds")
    expectTyping("👩‍👩‍👧‸s", "<Ctrl-H>", "‸s")
    expectTyping("bir‸ds", "<Delete>", "bir‸s")
    expectTyping("bir‸ds", "<Ctrl-D>", "bir‸s")
    expectTyping("birds.json file‸", "<Ctrl-W>", "birds.json ‸")
    expectTyping("birds.js‸on", "<Alt-Backspace>", "birds.‸on")
    expectTyping("two ‸words", "<Alt-d>", "two ‸")
    expectTyping("two ‸words", "<Ctrl-U>", "‸words")
    expectTyping("two ‸words", "<Ctrl-K>", "two ‸")
  }
}

/// All input lines have the same keys.
@Suite(.timeLimit(.minutes(1))) struct InputScenarioTests {
  /// Types `axc`, moves between the last two letters, and changes it to `abc`.
  private func expectEveryKey(
    _ driver: ExplorerDriver, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await driver.type("zz axc")
    await driver.press("Left Backspace")
    await driver.type("b")
    await driver.press("Home Alt-d Delete")
    #expect(await driver.state.inputLine?.text == "abc", sourceLocation: sourceLocation)
    await driver.press("End Ctrl-U")
    #expect(await driver.state.inputLine?.text == "", sourceLocation: sourceLocation)
    await driver.paste("one\ntwo\n")
    await driver.press("Ctrl-W Ctrl-W")
    #expect(await driver.state.inputLine?.text == "", sourceLocation: sourceLocation)
  }

  private func explore(_ drive: (ExplorerDriver) async throws -> Void) async throws {
    try await writeWithDemoSchema("{ stations { name } }", variables: "", width: 100, height: 30, drive)
  }

  @Test func `the input lines of popups handle all editing keys`() async throws {
    try await explore { driver in
      for keys in ["Ctrl-P", "F1", "F4", "Ctrl-F", "Alt-o", "Alt-t", "Alt-H"] {
        await driver.press(keys)
        guard await driver.state.inputLine != nil else {
          Issue.record("\(keys) opens no line")
          continue
        }
        await expectEveryKey(driver)
        await driver.press("Esc")
        #expect(await driver.state.popups.isEmpty, "\(keys)")
      }
    }
  }

  @Test func `both input lines of find and replace handle all editing keys`() async throws {
    try await explore { driver in
      await driver.press("Alt-r")
      await expectEveryKey(driver)
      await driver.type("name")
      #expect(await driver.state.tab.editors.query.selectedText == "name")
      await driver.press("Tab")
      await expectEveryKey(driver)
      await driver.type("id")
      await driver.press("Tab Home Delete")
      #expect(await driver.screen.contains("find ame"))
    }
  }

  @Test func `the selected text is the initial search pattern`() async throws {
    try await explore { driver in
      await driver.press("Right Right Ctrl-D Ctrl-F")
      #expect(await driver.screen.contains("find stations"))
      await driver.type("na")
      #expect(await driver.state.inputLine?.text == "na")
      await driver.press("Esc Ctrl-F End")
      await driver.type("m")
      #expect(await driver.state.inputLine?.text == "nam")
    }
  }

  @Test func `the cache filter handles all editing keys`() async throws {
    try await explore { driver in
      await driver.press("Alt-5 /")
      await expectEveryKey(driver)
      await driver.press("Backspace")
      #expect(await driver.state.cache.isFiltering == false)
    }
  }

  @Test func `the response prompts handle all editing keys`() async throws {
    var state = BirdStation.state(
      after: BirdStation.running + [.run(1, .resultReceived(BirdStation.third)), .run(1, .completed)])
    state.screen.focus = .response
    let driver = await ExplorerDriver(state: state, environment: ExplorerEnvironment(), width: 100, height: 30)
    for key in ["/", "|", ":"] {
      await driver.press("Alt-3")
      await driver.press(key)
      await expectEveryKey(driver)
      await driver.press("Esc")
    }
    await driver.quit()
  }

  @Test func `the terminal cursor is at the insertion point`() async throws {
    try await explore { driver in
      await driver.press("Ctrl-P")
      await driver.type("鳥 go")
      let start = try #require(await driver.terminal.find("鳥"))
      #expect(await driver.terminal.cursor?.point == Point(column: start.column + 5, row: start.row))
      await driver.press("Home Right")
      #expect(await driver.terminal.cursor?.point == Point(column: start.column + 2, row: start.row))
      // A click moves the cursor too.
      await driver.click(Point(column: start.column + 4, row: start.row))
      await driver.type("!")
      #expect(await driver.state.inputLine?.text == "鳥 g!o")
    }
  }

  @Test func `a long input line scrolls with its cursor`() async throws {
    try await explore { driver in
      await driver.press("Ctrl-P")
      await driver.type((1...40).map { "w\($0)" }.joined(separator: " "))
      #expect(await driver.screen.contains("w39 w40 "))
      #expect(await !driver.screen.contains("w1 "))
      await driver.press("Home")
      #expect(await driver.screen.contains("> w1 w2"))
      #expect(await !driver.screen.contains("w40"))
    }
  }

  @Test func `an empty input line passes keys to its list`() async throws {
    try await explore { driver in
      await driver.press("Ctrl-P End")
      let last = await driver.state.popups.last
      guard let palette = last?.state as? PalettePopup else { return }
      #expect(palette.list.selected > 10)
      await driver.type("format")
      await driver.press("Home")
      await driver.type("x")
      #expect(await driver.state.inputLine?.text == "xformat")
      await driver.press("Ctrl-Home")
      #expect(await driver.state.inputLine?.cursorOffset == 1)
    }
  }
}
