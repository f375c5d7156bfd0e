import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import Testing

/// Types keys into the query, in which `‸` is the only cursor, and compares the resulting text, cursors and selections.
private func expectCursors(
  _ before: String, _ keys: String, _ after: String, clipboard: String = "", vim: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let marked = MarkedText(before)
  var state = ExplorerState(endpoint: "test")
  state.typing.clipboard = clipboard
  if vim { state.typing.vim = VimState() }
  var editor = Editor(marked.text, language: .graphQL)
  editor.select(marked.selection)
  state.tab.editors.query = editor
  var reader = KeyReader()
  for key in parsedKeys(keys) {
    for action in reader.actions(for: key, in: state, .standard) { _ = update(&state, action) }
  }
  let buffer = state.tab.editors.query.buffer
  let marks = state.tab.editors.query.selections.flatMap { selection in
    [(buffer.offset(of: selection.cursor), "‸")]
      + (selection.isEmpty ? [] : [(buffer.offset(of: selection.anchor), "«")])
  }
  var bytes = Array(buffer.text.utf8)
  for (offset, mark) in marks.sorted(by: { $0.0 > $1.0 }) { bytes.insert(contentsOf: Array(mark.utf8), at: offset) }
  #expect(String(decoding: bytes, as: UTF8.self) == after, sourceLocation: sourceLocation)
}

@Suite(.timeLimit(.minutes(1))) struct SeveralCursorsTests {
  private static let text = "{ id‸ idle a: id }\n{ id }"

  @Test func `selecting a word again adds its next occurrence`() {
    expectCursors(Self.text, "<Ctrl-D>", "{ «id‸ idle a: id }\n{ id }")
    expectCursors(Self.text, "<Ctrl-D><Ctrl-D>", "{ «id‸ idle a: «id‸ }\n{ id }")
    expectCursors(Self.text, "<Ctrl-D><Ctrl-D><Ctrl-D>", "{ «id‸ idle a: «id‸ }\n{ «id‸ }")
    expectCursors(Self.text, "<Ctrl-D><Ctrl-D><Ctrl-D><Ctrl-D>", "{ «id‸ idle a: «id‸ }\n{ «id‸ }")
    // A selection by hand also matches within words, and the search wraps around.
    expectCursors("id «id‸le", "<Ctrl-D><Ctrl-D>", "«id‸ «id‸le")
  }

  @Test func `cursors can be added on the lines above and below`() {
    expectCursors("ab‸c\nd\nefg", "<Ctrl-Down><Ctrl-Down>", "ab‸c\nd‸\ne‸fg")
    expectCursors("abc\nd\nef‸g", "<Ctrl-Up>", "abc\nd‸\nef‸g")
    expectCursors("ab‸c", "<Ctrl-Down>", "ab‸c")
  }

  @Test func `typing, deleting and pasting apply to every cursor`() {
    expectCursors(Self.text, "<Ctrl-D><Ctrl-D><Ctrl-D>name", "{ name‸ idle a: name‸ }\n{ name‸ }")
    expectCursors("a‸\nb\nc", "<Ctrl-Down><Ctrl-Down>(", "a(‸)\nb(‸)\nc(‸)")
    expectCursors("a‸b\ncd", "<Ctrl-Down><Backspace>x<Delete>", "x‸\nx‸")
    expectCursors("one two‸\nabc def", "<Ctrl-Down><Ctrl-W>", "one ‸\nabc ‸")
    expectCursors("{ a‸\n  b", "<Ctrl-Down><Enter>", "{ a\n‸\n  b\n  ‸")
    expectCursors("‸\n", "<Ctrl-Down><Ctrl-V>", "one‸\ntwo‸", clipboard: "one\ntwo")
    expectCursors("‸\n", "<Ctrl-Down><Ctrl-V>", "one‸\none‸", clipboard: "one")
    expectCursors("‸aa\nbb", "<Ctrl-Down><Shift-Right><Ctrl-X><End><Ctrl-V>", "aa‸\nbb‸")
  }

  @Test func `cursors move together and merge when they meet`() {
    expectCursors("ab‸c\ndef", "<Ctrl-Down><Home><Right>", "a‸bc\nd‸ef")
    expectCursors("ab‸c\ndef", "<Ctrl-Down><Shift-End>", "ab«c‸\nde«f‸")
    expectCursors("one‸ two\nx", "<Ctrl-D><Ctrl-End>y", "one two\nxy‸")
    expectCursors("a‸ a a", "<Ctrl-D><Ctrl-D><Ctrl-D><End>x", "a a ax‸")
    // A word with two cursors in it is deleted once.
    expectCursors("x a«b‸ab y", "<Ctrl-D><Right><Ctrl-W>", "x ‸ y")
  }

  @Test func `an edit at several cursors is undone in one step`() {
    expectCursors(Self.text, "<Ctrl-D><Ctrl-D>na<Ctrl-Z>", "{ «id‸ idle a: «id‸ }\n{ id }")
    expectCursors(Self.text, "<Ctrl-D><Ctrl-D>na<Ctrl-Z><Ctrl-Y>", "{ na‸ idle a: na‸ }\n{ id }")
    expectCursors("a‸\nb", "<Ctrl-Down>xy<Esc>z<Ctrl-Z>", "axy\nbxy‸")
    expectCursors("a‸\nb", "<Ctrl-Down>xy<Esc>z<Ctrl-Z><Ctrl-Z>", "a‸\nb‸")
  }

  @Test func `Escape keeps only the cursor that was added last`() {
    expectCursors("a‸\nb", "<Ctrl-Down><Esc>x", "a\nbx‸")
  }

  @Test func `several cursors work in vim's insert mode`() {
    expectCursors("a‸\nb", "i<Ctrl-Down>x<Esc>", "ax\nb‸x", vim: true)
    expectCursors("‸a\nb", "<Ctrl-Down>", "‸a\nb", vim: true)
  }

  @Test func `additional cursors are drawn and reported`() async throws {
    let state = ExplorerState(endpoint: "test", query: "{ id }\n{ id }")
    let driver = await ExplorerDriver(state: state, environment: ExplorerEnvironment(), width: 80, height: 24)
    await driver.press("Right Right Ctrl-D Ctrl-D")
    #expect(await driver.screen.contains("2 cursors: typing applies to all of them"))
    let first = try #require(await driver.terminal.find("id"))
    #expect(await driver.terminal.cursor?.point == Point(column: first.column + 2, row: first.row + 1))
    await driver.press("Right")
    #expect(await driver.terminal.style(column: first.column + 2, row: first.row).attributes.contains(.reverse))
    await driver.press("Ctrl-W")
    await driver.type("name")
    #expect(await driver.state.tab.editors.query.text == "{ name }\n{ name }")
    #expect(await driver.state.popups.isEmpty)
    await driver.press("Ctrl-Z Ctrl-Z")
    #expect(await driver.state.tab.editors.query.text == "{ id }\n{ id }")
    await driver.quit()
  }
}
