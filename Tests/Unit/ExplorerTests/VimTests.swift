import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerText
import Testing

/// Returns the document after keys in the vim key map, with a bar before the cursor. `<Esc>` and similar are named
/// keys.
private func vim(
  _ before: String, _ keys: String, table: KeyTable = .standard, _ check: (ExplorerState) -> Void = { _ in }
) -> String {
  var state = ExplorerState(endpoint: "", query: before.replacing("|", with: ""))
  state.typing.vim = VimState()
  let head = before.prefix { $0 != "|" }
  state.tab.editors.query.moveCursor(
    TextPosition(
      head.count { $0 == "\n" }, head.split(separator: "\n", omittingEmptySubsequences: false).last?.count ?? 0))
  var reader = KeyReader()
  for key in parsedKeys(keys) {
    for action in reader.actions(for: key, in: state, table) { _ = update(&state, action) }
  }
  check(state)
  var text = state.tab.editors.query.text
  text.insert("|", at: text.utf8.index(text.startIndex, offsetBy: state.tab.editors.query.cursorOffset))
  return text
}

@Suite struct VimTests {
  @Test func `command line saves and opens files`() {
    #expect(ExCommand("w birds") == .saveAs("birds"))
    #expect(ExCommand("saveas my birds.graphql") == .saveAs("my birds.graphql"))
    #expect(ExCommand("e birds.graphql") == .open("birds.graphql"))
    #expect(ExCommand("w") == .command([.saveFile]))
    #expect(ExCommand("run birds") == nil)
  }

  /// The document, the typed keys and the result. The explicit type saves eight seconds of compilation.
  private static let edits: [(String, String, String)] = [
    // Motions
    ("|one two\nthree", "w", "one |two\nthree"), ("|one two\nthree", "2w", "one two\n|three"),
    ("|a.b c", "w", "a|.b c"), ("|a.b c", "W", "a.b |c"), ("|one two", "e", "on|e two"), ("one tw|o", "b", "one |two"),
    ("one two|", "0", "|one two"), ("  on|e", "^", "  |one"), ("|one", "$", "on|e"), ("a\nb\n|c", "gg", "|a\nb\nc"),
    ("|a\nb\nc", "G", "a\nb\n|c"), ("|a\nb\nc", "2G", "a\n|b\nc"), ("|a { b }", "%", "a { b |}"),
    ("|a, b, c", "f,", "a|, b, c"), ("|a, b, c", "f,;", "a, b|, c"), ("|a, b, c", "2t,", "a, |b, c"),
    ("|a, b, c", "t,;", "a, |b, c"), ("a, b, |c", "F,", "a, b|, c"), ("|one\n\ntwo", "}", "one\n|\ntwo"),
    ("|bird fly bird", "*", "bird fly |bird"), ("|a b c", "ll", "a |b c"), ("a|b", "h", "|ab"),
    ("|ab\ncd", "jl", "ab\nc|d"),
    ("o|ne two", "mawwl`a", "o|ne two"),
    // Operators
    ("|one two three", "dw", "|two three"), ("|one two three", "2dw", "|three"), ("|one two three", "d2w", "|three"),
    ("one |two", "dw", "one| "), ("|one\ntwo\nthree", "dd", "|two\nthree"), ("one\ntwo\n|three", "dd", "one\n|two"),
    ("|one\ntwo\nthree", "2dd", "|three"), ("|one\ntwo\nthree", "dj", "|three"), ("o|ne two", "D", "|o"),
    ("|one two", "cwsix<Esc>", "si|x two"), ("one |two", "ccsix<Esc>", "si|x"), ("|a, b", "dt,", "|, b"),
    ("|a, b", "df,", "| b"), ("a {\n|b\n}", "d%", "a {\n|b\n}"), ("|one\ntwo", "yyp", "one\n|one\ntwo"),
    ("|one two", "ywP", "one| one two"), ("|one", "x", "|ne"), ("|one", "2x", "|e"), ("on|e", "X", "o|e"),
    ("|one\ntwo", "J", "one| two"), ("|one", "~~", "ON|e"), ("|one two", "gUw", "|ONE two"), ("|ONE", "guiw", "|one"),
    ("|one\ntwo", ">>", "  |one\ntwo"), ("  |one", "<<", "|one"), ("|one\ntwo", ">j", "  |one\n  two"),
    ("|one\ntwo", "gcc", "|# one\ntwo"), ("|one", "rx", "|xne"), ("|one", "3rx", "xx|x"),
    ("|x\ny", "\"ayyj\"ap", "x\ny\n|x"), ("|x\ny", "\"ayyj\"Ayyk\"aP", "|x\ny\nx\ny"), ("|a b", "dw\"_dwu", "|b"),
    ("|one two one", "d/tw<Enter>", "|two one"), ("|one two one", "/one<Enter>", "one two |one"),
    ("|a b a b", "/b<Enter>n", "a b a |b"), ("|a b a b", "/b<Enter>N", "a b a |b"),
    // Text objects
    ("one t|wo three", "diw", "one | three"), ("one t|wo three", "daw", "one |three"),
    ("f(a: \"b|c\")", "ci\"x<Esc>", "f(a: \"|x\")"),
    ("f(a: \"b|c\")", "di(", "f(|)"), ("f(a|b) { c }", "da(", "f| { c }"), ("{ a { b|c } }", "di{", "{ a {|} }"),
    ("{\n  a\n  |b\n}", "di{", "{\n|}"), ("[1, |2]", "ci[3<Esc>", "[|3]"), ("a\nb|b\n\nc", "dip", "|\nc"),
    // Insert, and repeat
    ("|two", "ione <Esc>", "one| two"), ("on|e", "a two<Esc>", "one tw|o"), ("|one", "A two<Esc>", "one tw|o"),
    ("  |one", "ox<Esc>", "  one\n  |x"), ("  |one", "Ox<Esc>", "  |x\n  one"), ("|x", "3ia<Esc>", "aa|ax"),
    ("|x", "3ia<Esc>.", "aaaa|aax"), ("  |one", "2ox<Esc>", "  one\n  x\n  |x"), ("|a", "2ox<Esc>.", "a\nx\nx\nx\n|x"),
    ("|one Two\nb", "gUU", "|ONE TWO\nb"), ("|ONE\nTwo", "2guu", "|one\ntwo"), ("|oNe", "g~~", "|OnE"),
    ("a\n b|c\nd", "magg'a", "a\n |bc\nd"), ("a\n b|c\nd", "maggd'a", "|d"), ("a b|c", "ma0d`a", "|c"),
    ("|a b c d", "dw..", "|d"), ("|a b c", "cwx<Esc>w.w.", "x x |x"), ("|one", "itwo <Esc>u", "|one"),
    ("|a\nb", "A,<Esc>j.", "a,\nb|,"), ("|a b c", "dwdwu", "|b c"), ("|a b c", "dwu<Ctrl-R>", "|b c"),
    // Visual
    ("|one two", "vey", "|one two"), ("|one two", "ved", "| two"), ("one t|wo", "viwd", "one| "),
    ("|a\nb\nc", "Vjd", "|c"),
    ("|one two", "vlU", "|ONe two"), ("|one two", "vee<Esc>gvd", "|"), ("a b|c", "vhd", "a| "),
    ("|ab\ncd", "Vrx", "|xx\ncd"),
    ("|one two", "vewohd", "|wo"), ("|a b", "yiwwviwp", "a |a"),
    // The command line
    ("|a\nb\nc", ":3<Enter>", "a\nb\n|c"), ("|one one\none", ":s/one/two/<Enter>", "|two one\none"),
    ("|one one\none", ":%s/one/two/g<Enter>", "|two two\ntwo"), ("|a/b a/b", ":s/a\\/b/c/<Enter>", "|c a/b"),
    ("|a b", ":s/b/c\\/d/<Enter>", "|a c/d"), ("|a/b", ":s#a/b#c/d#<Enter>", "|c/d"),
    ("|a\\b", ":s/a\\b/c/<Enter>", "|c"),
  ]

  @Test(arguments: edits)
  func `keys edit the document`(_ before: String, _ keys: String, _ after: String) {
    #expect(vim(before, keys) == after, "\(keys) on \(before)")
  }

  @Test func `unbound keys in normal mode insert nothing`() {
    _ = vim("|one", "Q5") { #expect($0.tab.editors.query.text == "one") }
  }

  @Test func `completions arriving after escape are not shown`() {
    let proposal = Completion(label: "next", kind: "field", replaces: TextPosition(0, 0)..<TextPosition(0, 1))
    for (keys, isOpen) in [("in", true), ("in<Esc>", false)] {
      _ = vim("|", keys) { state in
        var state = state
        _ = update(
          &state, .text(.completionsFound([proposal], .query, version: state.tab.editors.query.version, isAsked: false))
        )
        #expect(!state.popups.isEmpty == isOpen, "\(keys)")
      }
    }
  }

  @Test(arguments: [("q", false), ("qa", false), ("q!", true), ("qa!", true)])
  func `an exclamation mark quits without a question about text`(name: String, quits: Bool) {
    var reader = KeyReader()
    _ = vim("|one", "x") { state in
      var state = state
      state.isUnsavedSession = true
      for key in parsedKeys(":\(name)<Enter>") {
        for action in reader.actions(for: key, in: state, .standard) { _ = update(&state, action) }
      }
      #expect(state.isQuitting == quits && state.popups.isEmpty == quits)
    }
  }

  @Test func `yanking to the clipboard register copies to the clipboard`() {
    _ = vim("|one two", "\"+yw") { #expect($0.typing.clipboard == "one ") }
  }

  @Test func `leaving the pane returns to normal mode`() {
    _ = vim("|one", "ix") { state in
      var state = state
      _ = update(&state, .commandInvoked(.focusResponse))
      #expect(state.typing.vim?.mode == .normal)
      #expect(state.tab.editors.query.text == "xone")
    }
  }

  @Test func `an incomplete sequence is inserted in insert mode`() throws {
    let file = try keysFile("bindings:\n  vimInsert:\n    j k: leave\n")
    let table = KeyTable.standard.applying(file)
    #expect(vim("|x", "ijk", table: table) == "|x")
    #expect(vim("|x", "ija<Esc>", table: table) == "j|ax")
    // A single key is text.
    let single = KeyTable.standard.applying(try keysFile("bindings:\n  vimInsert:\n    j: leave\n"))
    #expect(vim("|x", "ij<Esc>", table: single) == "|jx")
  }
}
