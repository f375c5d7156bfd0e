import ApusExplorerCore
import ApusExplorerText
import Testing

@Suite struct EditorMovementTests {
  @Test func `arrow keys move by grapheme clusters`() {
    expectEditing("ab‸c", "<Left>", "a‸bc")
    expectEditing("e\u{301}‸x", "<Left>", "‸e\u{301}x")
    expectEditing("‸👩‍👩‍👧x", "<Right>", "👩‍👩‍👧‸x")
    expectEditing("a‸\nb", "<Right>", "a\n‸b")
    expectEditing("a\n‸b", "<Left>", "a‸\nb")
  }

  @Test func `Ctrl and arrow keys move by words`() {
    expectEditing("query birds‸ {", "<Ctrl-Left>", "query ‸birds {")
    expectEditing("query ‸birds {", "<Ctrl-Right>", "query birds‸ {")
    expectEditing("a {‸", "<Ctrl-Left>", "a ‸{")
    expectEditing("a\n‸b", "<Ctrl-Left>", "a‸\nb")
  }

  @Test func `moving vertically keeps the column across shorter lines`() {
    expectEditing("abcd‸\nx\nefgh", "<Down><Down>", "abcd\nx\nefgh‸")
    expectEditing("abcd‸\nx\nefgh", "<Down>", "abcd\nx‸\nefgh")
    expectEditing("abc‸d", "<Up>", "‸abcd")
    expectEditing("a‸bcd", "<Down>", "abcd‸")
  }

  @Test func `Home moves to the indentation, then to the margin`() {
    expectEditing("  name‸", "<Home>", "  ‸name")
    expectEditing("  name‸", "<Home><Home>", "‸  name")
    expectEditing("  ‸name", "<End>", "  name‸")
    expectEditing("a\nb‸\nc", "<Ctrl-Home>", "‸a\nb\nc")
    expectEditing("a\nb‸\nc", "<Ctrl-End>", "a\nb\nc‸")
  }

  @Test func `Shift extends the selection`() {
    expectEditing("ab‸cd", "<Shift-Right>", "ab«c‸d")
    expectEditing("ab‸cd", "<Shift-Left><Shift-Left>", "‸ab«cd")
    expectEditing("a\nb‸", "<Shift-Up>", "a‸\nb«")
    expectEditing("ab‸", "<Ctrl-A>", "«ab‸")
    expectEditing("a «bc‸ d", "<Left>", "a ‸bc d")
    expectEditing("a «bc‸ d", "<Right>", "a bc‸ d")
    expectEditing("a bc‸ d", "<Ctrl-Shift-Left>", "a ‸bc« d")
  }
}

@Suite struct EditorTypingTests {
  @Test func `opening brackets insert their partner, and closing ones step over it`() {
    expectEditing("‸", "{", "{‸}")
    expectEditing("{‸}", "}", "{}‸")
    expectEditing("birds‸", "(", "birds(‸)")
    expectEditing("‸name", "{", "{‸name")
    expectEditing("(name: ‸)", "\"", "(name: \"‸\")")
    expectEditing("(name: \"a‸\")", "\"", "(name: \"a\"‸)")
    expectEditing("\"it‸\"", "(", "\"it(‸\"")
    expectEditing("a «b c‸ d", "{", "a {«b c‸} d")
    expectEditing("{‸}", "<Backspace>", "‸")
  }

  @Test func `Enter between brackets opens a block`() {
    expectEditing("query {‸}", "<Enter>", "query {\n  ‸\n}")
    expectEditing("{\n  bird {‸}\n}", "<Enter>", "{\n  bird {\n    ‸\n  }\n}")
    expectEditing("  name‸", "<Enter>", "  name\n  ‸")
    expectEditing("{‸", "<Enter>", "{\n  ‸")
  }

  @Test func `a closing bracket alone on its line is outdented`() {
    expectEditing("{\n  ‸", "}", "{\n}‸")
    expectEditing("{\n  bird {\n    name\n    ‸", "}", "{\n  bird {\n    name\n  }‸")
  }

  @Test func `Tab and Shift-Tab change the indentation`() {
    expectEditing("{\n‸", "<Tab>", "{\n  ‸")
    expectEditing("«a\nb‸", "<Tab>", "  «a\n  b‸")
    expectEditing("  «a\n  b‸", "<Shift-Tab>", "«a\nb‸")
    expectEditing("    ‸a", "<Backspace>", "  ‸a")
    expectEditing("{ ‸}", "<Tab>", "{   ‸}", in: .variables)
  }

  @Test func `words and selections can be deleted`() {
    expectEditing("query birds‸", "<Ctrl-W>", "query ‸")
    expectEditing("‸query birds", "<Ctrl-Delete>", "‸ birds")
    expectEditing("a«bc‸d", "<Backspace>", "a‸d")
    expectEditing("a‸\nb", "<Delete>", "a‸b")
    expectEditing("a\n‸b", "<Backspace>", "a‸b")
  }

  @Test func `Ctrl-slash toggles line comments`() {
    expectEditing("{\n  «name\n  id‸\n}", "<Ctrl-/>", "{\n  # «name\n  # id‸\n}")
    expectEditing("{\n  # na‸me\n}", "<Ctrl-/>", "{\n  na‸me\n}")
  }

  @Test func `text can be copied, cut and pasted`() {
    expectEditing("a«bc‸d", "<Ctrl-C><End><Ctrl-V>", "abcdbc‸")
    expectEditing("a«bc‸d", "<Ctrl-X><End><Ctrl-V>", "adbc‸")
    expectEditing("a«bc‸d", "<Ctrl-V>", "ax\ny‸d", clipboard: "x\ny")
  }
}

@Suite struct EditorHistoryTests {
  @Test func `a typed word is undone in one step`() {
    expectEditing("‸", "one two<Ctrl-Z>", "one‸")
    expectEditing("‸", "one two<Ctrl-Z><Ctrl-Z>", "‸")
    expectEditing("‸", "one two<Ctrl-Z><Ctrl-Y>", "one two‸")
  }

  @Test func `moving the cursor starts a new undo step`() {
    expectEditing("‸", "ab<Left>c<Ctrl-Z>", "a‸b")
    expectEditing("‸", "ab<Left>c<Ctrl-Z><Ctrl-Z>", "‸")
  }

  @Test func `typing after an undo discards the redo steps`() {
    expectEditing("‸", "ab<Ctrl-Z>c<Ctrl-Y>", "c‸")
  }

  @Test func `indenting several lines is undone in one step`() {
    expectEditing("«a\nb‸", "<Tab><Ctrl-Z>", "«a\nb‸")
  }
}

@Suite struct EditorSizeTests {
  @Test func `pasting a thousand lines is undone in one step`() {
    var editor = Editor("{\n}", language: .graphQL, cursor: TextPosition(1, 0))
    let lines = (0..<1000).map { "  field\($0)" }.joined(separator: "\r\n") + "\n"
    editor.paste(lines)
    #expect(editor.buffer.lineCount == 1002)
    #expect(editor.cursor == TextPosition(1001, 0))
    editor.undo()
    #expect(editor.text == "{\n}")
  }

  @Test func `offsets and positions convert both ways`() {
    let buffer = TextBuffer("ä\n日本\n\nend")
    for offset in [0, 2, 3, 6, 9, 10, 11, 14] {
      #expect(buffer.offset(of: buffer.position(of: offset)) == offset)
    }
    #expect(buffer.clamp(TextPosition(1, 4)) == TextPosition(1, 3))
    #expect(buffer.clamp(TextPosition(9, 9)) == buffer.end)
  }
}

@Suite struct SyntaxTests {
  /// Returns the tokens of a line with their kinds, without whitespace.
  private func kinds(_ text: String, line: Int = 0, language: Editor.Language = .graphQL) -> String {
    let editor = Editor(text, language: language)
    let content = Array(editor.buffer.line(line).utf8)
    return editor.syntax.spans(of: editor.buffer.line(line), at: line).map { span in
      "\(String(decoding: content[span.columns], as: UTF8.self)):\(span.kind)"
    }.joined(separator: " ")
  }

  @Test func `the tokens of an operation are colored`() {
    #expect(
      kinds("query Birds($n: Int = 3) @live {")
        == "query:keyword Birds:name (:punctuation $n:variable ::punctuation Int:type =:punctuation 3:number ):punctuation @live:directive {:punctuation"
    )
    #expect(
      kinds("{\n  first: bird(id: \"1\", by: NAME)", line: 1)
        == "first:alias ::punctuation bird:field (:punctuation id:argument ::punctuation \"1\":string by:argument ::punctuation NAME:constant ):punctuation"
    )
    #expect(
      kinds("{\n  ... on Bird @defer(label: \"x\") {", line: 1)
        == "...:punctuation on:keyword Bird:type @defer:directive (:punctuation label:argument ::punctuation \"x\":string ):punctuation {:punctuation"
    )
    #expect(kinds("fragment Parts on Bird {") == "fragment:keyword Parts:name on:keyword Bird:type {:punctuation")
  }

  @Test func `an edit recolors a block string across lines`() {
    var editor = Editor("{ a(b: \"\"\"\ntext {\n\"\"\") }", language: .graphQL)
    #expect(editor.syntax.spans(of: "text {", at: 1).map(\.kind) == [.string])
    editor.replace(TextPosition(0, 7)..<TextPosition(0, 10), with: "1")
    #expect(editor.syntax.spans(of: "text {", at: 1).map(\.kind) == [.constant, .punctuation])
  }

  @Test func `the tokens of the variables are colored`() {
    #expect(
      kinds("{\"first\": 10, \"name\": \"x\", \"all\": true}", language: .json)
        == "{:punctuation \"first\":argument ::punctuation 10:number \"name\":argument ::punctuation \"x\":string \"all\":argument ::punctuation true:constant }:punctuation"
    )
  }
}
