import ApusConfiguration
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
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

  @Test func `retired names work and are listed with the present ones`() throws {
    let file = try keysFile("bindings:\n  reading:\n    F8: leave\n  compared:\n    F9: nextPart\n    F10: quit\n")
    #expect(file.problems.isEmpty && file.changes.count == 3)
    #expect(
      file.retirements.map { "\($0)" } == [
        "keys.yml:2:3: 'reading' is a retired name; write 'prompt'",
        "keys.yml:3:9: 'leave' is a retired name; write 'close'",
        "keys.yml:4:3: 'compared' is a retired name; write 'comparison'",
        "keys.yml:5:9: 'nextPart' is a retired name; write 'nextPayload'",
      ])
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
    ("binding:\n  query: 3\n", "keys.yml:1:1: keys.yml has no key 'binding'; known are keymap, bindings"),
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

  @Test(arguments: [
    ("response", "previousPart", "previousPayload"), ("everywhere", "leave", "close"),
    ("records", "collectRecords", "removeUnreachable"),
  ])
  func `a retired command name binds the renamed command`(_ context: String, _ retired: String, _ name: String) throws {
    let file = try keysFile("bindings:\n  \(context):\n    F12: \(retired)\n")
    #expect(file.problems.isEmpty)
    let bindings = KeyTable.standard.applying(file).bindings
    #expect(bindings.contains { $0.keys.contains("F12") && $0.target.name == name })
  }

  @Test(arguments: [("reading", "prompt"), ("found", "matches"), ("compared", "comparison")])
  func `a retired context name binds keys in the renamed context`(_ retired: String, _ name: String) throws {
    let file = try keysFile("bindings:\n  \(retired):\n    F12: promptAccept\n")
    #expect(file.problems.isEmpty)
    let bindings = KeyTable.standard.applying(file).bindings
    #expect(bindings.contains { $0.context.rawValue == name && $0.keys.contains("F12") })
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

  @Test func `the document lists the names of contexts and commands`() {
    let document = KeyTable.standard.document
    #expect(document.contains("Context `everywhere`") && document.contains("Context `vimNormal`"))
    #expect(document.contains("| Suspend and return to the shell | `suspend` |"))
    #expect(document.contains("| `F5`, `Ctrl-R` | Run the operation under the cursor | `runOperation` |"))
  }
}
