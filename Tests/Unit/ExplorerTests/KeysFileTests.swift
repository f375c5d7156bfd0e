import ApusConfiguration
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerText
import Testing

func keysFile(_ text: String) throws -> KeysFile {
  KeysFile(try YAMLParser.parse(Array(text.utf8), file: "keys.yml"))
}

/// Returns the first error in a keys.yml, as the user sees it.
private func problem(_ text: String) -> String {
  do {
    return try keysFile(text).problems.first.map { "\($0)" } ?? "nothing"
  } catch {
    return "\(error)"
  }
}

@Suite struct KeysFileTests {
  @Test func `a rebound key is shown in the help and the footer`() throws {
    let table = KeyTable.standard.applying(
      try keysFile("bindings:\n  everywhere:\n    F9: runOperation\n    F5: none\n"))
    let state = BirdStation.state()
    #expect(table.key(for: .runOperation, in: state)?.description == "F9")
    #expect(table.footer(for: state).first?.keys.map(\.description) == ["F9", "Ctrl-R"])
    var reader = KeyReader()
    #expect(reader.actions(for: "F9", in: state, table) == [.commandInvoked(.runOperation)])
    #expect(reader.actions(for: "F5", in: state, table) == [])
    #expect(table.document.contains("| `F9`, `Ctrl-R` | Run the operation under the cursor | `runOperation` |"))
  }

  @Test func `a key sequence lists its continuations`() throws {
    let table = KeyTable.standard.applying(
      try keysFile("bindings:\n  response:\n    z o: unfoldRow\n    z c: foldRow\n"))
    var state = BirdStation.state(after: BirdStation.running)
    _ = update(&state, .commandInvoked(.focusResponse))
    var reader = KeyReader()
    #expect(reader.actions(for: "z", in: state, table) == [])
    #expect(table.continuations(of: reader.pending, in: state).map(\.keys.description) == ["z o", "z c"])
    #expect(reader.actions(for: "c", in: state, table) == [.commandInvoked(.foldRow)])
  }

  @Test func `the vim key map is selected by name`() throws {
    #expect(try keysFile("keymap: vim\n").usesVim)
    #expect(try !keysFile("keymap: default\n").usesVim)
  }

  @Test(arguments: [
    ("keymap: emacs\n", "keys.yml:1:9: keymap must be default or vim"),
    (
      "bindings:\n  query:\n    Ctrl-Foo: quit\n",
      "keys.yml:3:5: 'Ctrl-Foo' is not a key; write keys as F5, Ctrl-R, Alt-n, Shift-F6 or g g"
    ),
    (
      "bindings:\n  everywhere:\n    F9: runOperatoin\n",
      "keys.yml:3:9: F9: there is no command 'runOperatoin'; did you mean runOperation?"
    ),
    ("bindings:\n  querry:\n    F9: quit\n", "keys.yml:2:3: there is no context 'querry'; did you mean query?"),
    (
      "bindings:\n  query:\n    F9: wordForward\n",
      "keys.yml:3:9: F9: there is no command 'wordForward'; 'apus help keys' lists them"
    ),
    (
      "bindings:\n  response:\n    F9: previousPart\n",
      "keys.yml:3:9: F9: there is no command 'previousPart'; did you mean previousPage?"
    ),
    (
      "bindings:\n  reading:\n    F9: quit\n",
      "keys.yml:2:3: there is no context 'reading'; 'apus help keys' lists them"
    ),
    ("binding:\n  query: 3\n", "keys.yml:1:1: keys.yml has no key 'binding'; did you mean bindings?"),
  ])
  func `errors in keys.yml have a location`(_ text: String, _ words: String) {
    #expect(problem(text) == words)
  }

  @Test func `every context and command name can be used in keys.yml`() throws {
    for context in KeyContext.allCases {
      for command in Command.all {
        let file = try keysFile("bindings:\n  \(context.rawValue):\n    F12: \(command.name)\n")
        #expect(file.problems.isEmpty)
      }
    }
  }

  @Test func `lines with an error are skipped and the others apply`() throws {
    let file = try keysFile(
      """
      keymap: emacs
      bindings:
        everywhere:
          F9: runOperation
          F12: nonsense
          Ctrl-Foo: quit
        querry:
          F8: quit
        query:
          F8: formatDocument
      """)
    #expect(file.problems.map(\.line) == [1, 5, 6, 7])
    let table = KeyTable.standard.applying(file)
    #expect(table.key(for: .runOperation, in: BirdStation.state())?.description == "F9")
    #expect(file.changes.count == 2)
  }

  /// The commands that lead to each place in which text is typed.
  private static let typing: [(name: String, commands: [Command])] = [
    ("query", [.focusQuery]), ("variables", [.focusVariables]), ("headers", [.focusHeaders]),
    ("find", [.focusQuery, .findText]), ("palette", [.showPalette]), ("help", [.showHelp]),
    ("response search", [.focusResponse, .searchResponse]), ("jq", [.focusResponse, .filterResponse]),
    ("path", [.focusResponse, .jumpToPath]), ("dialog", [.focusQuery, .importRequest]),
    ("history", [.focusResponse, .showHistory]), ("schema", [.focusQuery, .openSchema]),
  ]

  @Test func `a key with a character never replaces typed text`() throws {
    let table = KeyTable.standard.applying(
      try keysFile(
        """
        bindings:
          everywhere: { Space r: runOperation, q: quit }
          editors: { Space f: formatDocument }
          input: { x: deleteBackward }
        """))
    for (name, commands) in Self.typing {
      let state = BirdStation.state(after: BirdStation.running + commands.map { .commandInvoked($0) })
      #expect(state.typesText, "\(name)")
      for key in [" ", "q", "x"] {
        var reader = KeyReader()
        let press = KeyPress(.character(Character(key)))
        #expect(reader.actions(for: press, in: state, table) == [.textTyped(key)], "\(name): '\(key)'")
        #expect(reader.pending.isEmpty, "\(name): '\(key)'")
      }
    }
  }

  @Test func `a key with a character works in lists and in the normal mode of the Vim keys`() throws {
    let table = KeyTable.standard.applying(
      try keysFile("bindings:\n  everywhere: { F9 r: runOperation, Space r: runOperation }\n"))
    func actions(_ keys: [KeyPress], in state: ExplorerState) -> [Action] {
      var reader = KeyReader()
      return keys.flatMap { reader.actions(for: $0, in: state, table) }
    }
    let run: [Action] = [.commandInvoked(.runOperation)]
    let running = BirdStation.state(after: BirdStation.running)
    for command in [Command.focusResponse, .focusDeferred, .focusCache] {
      var state = running
      _ = update(&state, .commandInvoked(command))
      #expect(actions(["Space", "r"], in: state) == run, "\(command)")
    }
    var vim = running
    vim.typing.vim = VimState()
    #expect(actions(["Space", "r"], in: vim) == run)
    _ = update(&vim, .vimPressed(.command(.insert)))
    #expect(actions(["Space", "r"], in: vim) == [.textTyped(" "), .textTyped("r")])
    // A sequence that begins with another key works everywhere, and its second key is not typed.
    #expect(actions(["F9", "r"], in: running) == run)
    #expect(actions(["Space", "r"], in: running) == [.textTyped(" "), .textTyped("r")])
  }

  @Test func `a popup keeps the characters that it does not bind`() throws {
    let table = KeyTable.standard.applying(try keysFile("bindings:\n  everywhere: { z: quit }\n"))
    let question = ConfirmationPopup(question: "Run?", detail: "", confirmation: .send(.auditConfirmed))
    let state = BirdStation.state(after: BirdStation.running + [.confirmationRequested(question)])
    var reader = KeyReader()
    #expect(reader.actions(for: "z", in: state, table) == [.textTyped("z")])
    #expect(reader.actions(for: "n", in: state, table) == [.commandInvoked(.confirmNo)])
  }

  @Test func `no default key takes a character where text is typed`() {
    for binding in KeyTable.standard.bindings where binding.context.isTyped {
      #expect(binding.keys.allSatisfy { $0.presses.first?.typed == nil }, "\(binding.context): \(binding.keys)")
    }
  }

  @Test func `a binding that has no effect where text is typed is noted with its line`() throws {
    let file = try keysFile(
      """
      bindings:
        everywhere:
          Space r: runOperation
          F9 r: runOperation
          q: none
        response:
          z: foldRow
        palette:
          "#": popupClose
      """)
    #expect(file.problems.isEmpty)
    #expect(file.notes.map(\.line) == [3, 9])
    #expect(
      file.notes.first?.description
        == "keys.yml:3:5: 'Space r' begins with a character, so it has no effect where text is typed; use a key such as F9 or Ctrl-K"
    )
    #expect(file.changes.count == 5)
  }

  @Test func `the document lists the names of contexts and commands`() {
    let document = KeyTable.standard.document
    #expect(document.contains("Context `everywhere`") && document.contains("Context `vimNormal`"))
    #expect(document.contains("| Suspend and return to the shell | `suspend` |"))
    #expect(document.contains("| `F5`, `Ctrl-R` | Run the operation under the cursor | `runOperation` |"))
  }
}
