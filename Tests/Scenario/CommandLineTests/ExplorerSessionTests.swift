import ApusTestSupport
import Foundation
import Testing

/// Behavior that needs a real terminal: signals, the mouse, a session after a kill.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ExplorerSessionTests {
  private let home: TemporaryFolder
  private let server: ChildProcess
  private let url: String

  init() async throws {
    home = try TemporaryFolder()
    server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    url = try #require(await server.nextLine())
  }

  /// Opens a shell with an explorer. The folders are the same each time.
  private func open(
    _ options: String = "", columns: Int = 110, rows: Int = 32, environment: [String: String] = [:]
  ) async throws -> TmuxSession {
    let session = try await TmuxSession(columns: columns, rows: rows, environment: environment, home: home)
    try await session.run("\(Checkout.apus) \(url) \(options)")
    try await session.wait("the schema") { $0.contains("types") && $0.contains("1 Query") }
    return session
  }

  /// Sends a signal to the explorer in the session's shell.
  private func signal(_ name: String, _ session: TmuxSession) async throws {
    let shell = try await session.state("#{pane_pid}")
    let children = try await ChildProcess.run("/usr/bin/env", ["ps", "--ppid", shell, "-o", "pid="])
    let explorer = try #require(children.output.split(whereSeparator: \.isWhitespace).first)
    _ = try await ChildProcess.run("/usr/bin/env", ["kill", "-\(name)", String(explorer)])
  }

  private func saved(_ text: String) async throws {
    try await waitUntil {
      try home.files(in: "state/workspaces").contains { file in
        try file.hasSuffix("workspace.json") && home.read("state/workspaces/\(file)").contains(text)
      }
    }
  }

  @Test func `the session is restored after a kill`() async throws {
    var session = try await open()
    try await session.type("C-t")
    try await session.send("query Kept { bird(id: 42) { name")
    try await session.type("F5")
    try await session.wait("the response") { $0.contains("● complete") }
    try await session.type("M-3")
    try await saved("\"focus\": \"response\"")
    let before = try await session.screen()
    try await signal("KILL", session)
    session = try await open()
    let after = try await session.wait("the tab") {
      $0.contains("2 Kept") && $0.contains("● complete") && !$0.contains("seen")
    }
    // The cache was in memory; everything else is restored.
    let shown = { (screen: String) in
      screen.split(separator: "\n", omittingEmptySubsequences: false).map { $0.prefix(49) }
    }
    #expect(shown(after).dropLast(2) == shown(before).dropLast(2))
    #expect(after.contains("━ 3 Response"))
    try await session.type("C-q")
  }

  @Test func `a hangup saves the session`() async throws {
    var session = try await open()
    try await session.type("C-t")
    try await session.send("query Hung")
    try await session.wait(for: "query Hung")
    try await signal("HUP", session)
    try await session.wait("the shell") { !$0.contains("1 Query") }
    session = try await open()
    try await session.wait(for: "query Hung")
    try await session.type("C-q")
  }

  /// The end of the explorer, and the message that ends a subscription with each subprotocol.
  @Test(arguments: ["C-q", "TERM", "HUP"], [("ws", "complete"), ("legacy-ws", "stop")])
  func `the end of the explorer ends a running subscription before the connection`(
    _ end: String, _ transport: (name: String, message: String)
  ) async throws {
    let server = try await PythonServer.start(.websockets)
    let path = transport.name == "ws" ? "/sub" : "/legacy"
    let session = try await TmuxSession(columns: 110, rows: 32, environment: [:], home: home)
    try home.write("s.graphql", "subscription { s }")
    try await session.run(
      "\(Checkout.apus) \(server.url)\(path) --fresh --subscription-transport \(transport.name) -f \(home.path("s.graphql"))"
    )
    try await session.wait(for: "subscription { s }")
    try await session.type("F5")
    try await session.wait(for: "1 event")
    if end == "C-q" { try await session.type("C-q") } else { try await signal(end, session) }
    var lines: [String] = []
    while let line = await server.nextLine() {
      lines.append(line)
      if line.contains("gone") { break }
    }
    #expect(lines.contains("\(path) \(transport.message) 1"), "\(lines)")
    #expect(lines.last == "\(path) gone 1000", "\(lines)")
  }

  @Test func `the screen is unchanged after suspending and resuming`() async throws {
    let session = try await open("--fresh")
    try await session.type("C-p")
    try await session.send("suspend")
    let before = try await session.wait(for: "Suspend and return to the shell")
    #expect(before.contains("Commands"))
    try await session.type("Enter")
    try await session.wait("the shell") { $0.contains("Stopped") && !$0.contains("1 Query") }
    try await session.run("fg")
    try await session.wait("the explorer") { $0.contains("1 Query") && !$0.contains("Stopped") }
    try await session.send("xyz")
    try await session.wait("a key") { $0.contains("xyz") }
    try await session.type("C-q")
  }

  @Test func `the mouse focuses and folds, and Alt-m disables it`() async throws {
    let session = try await open("--fresh")
    try await session.type("F5")
    let screen = try await session.wait("the response") { $0.contains("● complete") && $0.contains("▾ birds") }
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let row = try #require(lines.firstIndex { $0.contains("▾ birds") })
    let text = lines[row]
    let column = text.distance(from: text.startIndex, to: try #require(text.firstIndex(of: "▾")))
    try await session.send("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
    try await session.wait("the fold") { $0.contains("▸ birds") && $0.contains("━ 3 Response") }
    #expect(try await session.state("#{mouse_any_flag}") == "1")
    try await session.type("M-m")
    try await session.wait(for: "Mouse support is off")
    #expect(try await session.state("#{mouse_any_flag}") == "0")
    try await session.type("C-q")
  }

  @Test func `keys.yml enables vim keys`() async throws {
    try home.write("config/keys.yml", "keymap: vim\nbindings:\n  vimNormal:\n    g r: runOperation\n")
    let session = try await open("--fresh")
    try await session.wait(for: "NORMAL")
    try await session.send("ggdGi{ bird(id: 7) { name")
    try await session.type("Escape")
    try await session.wait("the normal mode") { $0.contains("NORMAL") && $0.contains("{ bird(id: 7) { name") }
    try await session.send("0f7r8g")
    try await session.wait("the next keys") { $0.contains("g …") && $0.contains("Run the operation") }
    try await session.send("r")
    try await session.wait("the response") { $0.contains("● complete") && $0.contains("bird(id: 8)") }
    try await session.send(":q")
    try await session.type("Enter")
    try await session.wait(for: "Quit and lose the text")
    try await session.answer("y")
    try await session.wait("the shell") { !$0.contains("1 Query") }
  }

  @Test func `a mistake in keys.yml is reported and the other keys apply`() async throws {
    try home.write("config/keys.yml", "bindings:\n  query:\n    F9: runOperatoin\n    F8: runOperation\n")
    let session = try await TmuxSession(columns: 220, rows: 20, home: home)
    try await session.run("\(Checkout.apus) \(url); echo \"code $?\"")
    try await session.wait(for: "keys.yml:3:9: F9: there is no command 'runOperatoin'; did you mean")
    try await session.wait(for: "F8 runs the operation")
  }

  @Test func `a recording is replayed in the explorer`() async throws {
    let query = #"query Kept { bird(id: "b42") { name } }"#
    let file = home.path("session.ndjson")
    _ = try await ChildProcess.apus("query", url, "-q", query, "--record", file)
    let session = try await TmuxSession(columns: 100, rows: 30, home: home)
    try await session.run("\(Checkout.apus) replay --explore \(file)")
    try await session.wait("the request") { $0.contains(query) && $0.contains("F5 replays it") }
    try await session.type("F5")
    try await session.wait("the result") { $0.contains("● complete") && $0.contains("name: \"") }
    try await session.type("C-q")
  }

  @Test func `subscriptions use the transport of the command line or profile`() async throws {
    let server = try await PythonServer.start(.websockets)
    try home.write(
      "config/config.yml",
      """
      profiles:
        birds:
          url: \(server.url)/well
          subscription-transport: ws
          connection-payload: {token: $BIRDS_TOKEN}
      """)
    for words in ["\(server.url)/well --subscription-transport ws --connection-payload '{\"token\":\"t\"}'", "birds"] {
      let session = try await TmuxSession(
        columns: 110, rows: 30, environment: ["BIRDS_TOKEN": "t"], home: home)
      try await session.run("\(Checkout.apus) \(words) --fresh")
      try await session.wait("the explorer") { $0.contains("1 Query") && $0.contains("no schema") }
      try await session.send("subscription { s")
      try await session.type("F5")
      try await session.wait("an event") { $0.contains("payload: {token: \"t\"}") }
      try await session.type("F9")
      try await session.wait("the protocol") { $0.contains("graphql-transport-ws") }
      try await session.type("Escape", "C-q")
    }
  }

  @Test func `accepting a completion inserts it`() async throws {
    let session = try await open("--fresh")
    try await session.type("C-a", "BSpace")
    try await session.send("{ stat")
    let screen = try await session.wait("the proposals") { $0.contains("stations") && $0.contains("[Station!]!") }
    #expect(screen.contains("station"))
    try await session.send("ions")
    try await session.send(" { cou")
    try await session.wait("the fields of a station") { $0.contains("country") }
    try await session.type("Tab")
    try await session.wait("the field") { $0.contains("{ stations { country") }
    try await session.type("C-q")
  }

  @Test func `editing, running, searching and copying work in one session`() async throws {
    let session = try await open("--fresh")
    try await session.type("C-a", "BSpace")
    try await session.send("{ bird(id: \"b42\") { name species { commonName")
    try await session.type("F5")
    try await session.wait("the response") { $0.contains("● complete") && $0.contains("commonName:") }
    try await session.type("M-3", "/")
    try await session.send("commonname")
    try await session.wait("the match") { $0.contains("1 of 1") }
    try await session.type("Enter", "c")
    let screen = try await session.wait("the copy") { $0.contains("Copied") }
    let line = try #require(screen.split(separator: "\n").first { $0.contains("commonName: \"") })
    let name = line.split(separator: "\"").dropFirst().first.map(String.init)
    // tmux copies to its own buffer, in place of a terminal's clipboard.
    #expect(try await session.clipboard() == name)
    try await session.type("M-1", "C-End", "C-z")
    try await session.wait("the step back") { !$0.contains("species { commonName }") }
    try await session.type("C-q")
  }

  @Test func `many resizes end with a complete screen`() async throws {
    let session = try await open("--fresh")
    try await session.type("F5")
    try await session.wait("the response") { $0.contains("● complete") }
    for step in 0..<30 {
      try await session.resize(columns: 20 + step * 37 % 150, rows: 5 + step * 13 % 50)
    }
    try await session.resize(columns: 110, rows: 32)
    try await session.wait("the whole screen") { screen in
      screen.contains("━ 1 Query") && screen.contains("● complete") && screen.contains("Ctrl-Q quit")
    }
    try await session.type("C-q")
  }

  @Test(arguments: ["screen-256color", "xterm-256color", "linux", "vt100"])
  func `the explorer runs on other terminals`(_ name: String) async throws {
    let session = try await TmuxSession(columns: 100, rows: 30, environment: ["COLORTERM": ""], home: home)
    // If the tests run without a terminal, child processes may get an environment that forbids colors.
    try await session.run("env -u NO_COLOR TERM=\(name) \(Checkout.apus) \(url) --fresh")
    try await session.wait("the schema") { $0.contains("types") && $0.contains("1 Query") }
    try await session.type("C-r")
    try await session.wait("the response") {
      ($0.contains("● complete") || $0.contains("* complete")) && $0.contains("edges")
    }
    let styled = try await session.screen(styles: true)
    // The colors are from the 256-color palette if there is one, and never colors that the terminal lacks.
    #expect(styled.contains("38;5;") == name.hasSuffix("256color"))
    #expect(!styled.contains("38;2;"))
    try await session.type("C-q")
    try await session.wait("the shell") {
      $0.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) } == "$"
    }
  }

  @Test func `the explorer opens with a warning if nothing can be saved`() async throws {
    let session = try await TmuxSession(columns: 100, rows: 30, home: home)
    try home.write("file", "")
    try await session.run("APUS_STATE_HOME=$APUS_STATE_HOME/../file \(Checkout.apus) \(url)")
    try await session.wait("the warning and the schema") {
      $0.contains("▲ Cannot save the session: ") && $0.contains("types")
    }
    try await session.type("F5")
    try await session.wait("the response") { $0.contains("● complete") }
    try await session.type("C-q")
  }

  @Test(arguments: [
    (
      "dumb", "'dumb' cannot position the cursor",
      "apus: TERM=dumb cannot position the cursor: use a terminal such as xterm"
    ),
    ("''", "is not set", "apus: TERM is not set: set it to the terminal's name, such as xterm-256color"),
    ("none-such", "'none-such' is unknown", "apus: no terminfo entry for TERM=none-such: install its entry"),
  ])
  func `a terminal that cannot show the explorer is named`(name: String, check: String, message: String) async throws {
    let session = try await TmuxSession(columns: 120, rows: 40, home: home)
    try await session.run("clear; TERM=\(name) \(Checkout.apus) \(url)")
    // Nothing is written before the message.
    let screen = try await session.wait(for: message)
    let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.contains { $0.hasPrefix(message) }, "\(screen)")
    try await session.run("clear; TERM=\(name) \(Checkout.apus) doctor")
    let report = try await session.wait(for: "Libraries")
    #expect(report.contains("WRONG  TERM") && report.contains(check), "\(report)")
  }

  @Test func `doctor reports problems of the terminal and configuration`() async throws {
    try home.write("config/config.yml", "theme: [\n")
    let sick = try await ChildProcess.run(
      Checkout.apus, ["doctor"], environment: home.asHome.merging(["TERM": "no-such-terminal"]) { $1 })
    #expect(sick.exitCode == 1)
    #expect(sick.output.contains("WRONG  TERM") && sick.output.contains("'no-such-terminal' is unknown to terminfo"))
    #expect(sick.output.contains("config.yml:"))
    try home.write(
      "config/config.yml",
      """
      theme: no-such-theme
      hints: perhaps
      profiles:
        birds:
          url: https://birds.example/graphql
          cacert: /no/such/ca.pem
          schema: /no/such/schema.graphql
          theme: none-such
      """)
    try home.write("config/keys.yml", "bindings:\n  everywhere:\n    F9: nonsense\n    F8: quit\n")
    let wrong = try await ChildProcess.run(
      Checkout.apus, ["doctor"], environment: home.asHome.merging(["TERM": "xterm-kitty-none"]) { $1 })
    for text in [
      "no-such-theme", "config.yml:2:", "cacert: /no/such/ca.pem", "schema: /no/such/schema.graphql", "none-such",
      "keys.yml:3:", "using xterm-256color instead",
    ] {
      #expect(wrong.output.contains(text), "\(text)")
    }
    try home.write("config/keys.yml", "bindings:\n  everywhere:\n    F8: close\n")
    try home.write("config/config.yml", "theme: nord\n")
    let well = try await ChildProcess.run(
      Checkout.apus, ["doctor"],
      environment: home.asHome.merging(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]) { $1 })
    #expect(well.exitCode == 0, "\(well.output)")
    #expect(well.output.contains("No problems."))
  }
}
