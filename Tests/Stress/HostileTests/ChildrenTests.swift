import ApusTestSupport
import Foundation
import Testing

#if os(Linux)
  /// Programs started by Apus end when Apus ends, in whatever way.
  @Suite(.timeLimit(.minutes(5))) struct ChildrenTests {
    private let home: TemporaryFolder
    private let news: String

    init() throws {
      home = try TemporaryFolder()
      news = home.path("news")
      #expect(mkfifo(news, 0o600) == 0)
    }

    /// Reads the lines that a child writes to the pipe, which ends when all processes that hold it have ended.
    private func reader() throws -> ChildProcess { try ChildProcess("/bin/cat", [news]) }

    @Test func `a header command ends when the program is killed`() async throws {
      try home.write(
        "config/config.yml",
        """
        profiles:
          slow: { url: "http://127.0.0.1:9/", headers: { X: "$(exec >\(news); echo started; exec sleep 1000)" } }
        """)
      let reader = try reader()
      let program = try ChildProcess(Checkout.apus, ["query", "slow", "-q", "{ a }"], environment: home.asHome)
      #expect(await reader.nextLine() == "started")
      program.signal(SIGKILL)
      #expect(await program.outcome().exitCode == 128 + SIGKILL)
      #expect(await reader.nextLine() == nil)
    }

    @Test func `an editor receives SIGHUP when the explorer is killed`() async throws {
      let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
      try home.write(
        "editor",
        "#!/bin/bash\nexec >\(news)\ntrap 'echo hung up; exit' HUP\necho started\nwhile true; do sleep 0.05; done\n")
      let reader = try reader()
      let session = try await TmuxSession(
        columns: 110, rows: 32, environment: ["EDITOR": "exec /bin/bash \(home.path("editor"))", "VISUAL": ""],
        home: home)
      try await session.run("\(Checkout.apus) \(server.url)")
      try await session.wait(for: "1 Query")
      try await session.type("C-p")
      try await session.send("editor")
      try await session.wait(for: "$EDITOR")
      try await session.type("Enter")
      #expect(await reader.nextLine() == "started")
      let shell = try await session.state("#{pane_pid}")
      let children = try await ChildProcess.run("/usr/bin/env", ["ps", "--ppid", shell, "-o", "pid="])
      let explorer = try #require(children.output.split(whereSeparator: \.isWhitespace).first.flatMap { pid_t($0) })
      #expect(kill(explorer, SIGKILL) == 0)
      #expect(await reader.nextLine() == "hung up")
    }

    /// The document must not remain on disk if the explorer ends while an editor is open.
    @Test(arguments: [SIGTERM, SIGHUP, SIGKILL])
    func `the temporary file of an editor is removed`(when signal: Int32) async throws {
      let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
      try home.write("editor", "#!/bin/bash\nexec >\(news)\necho \"$1\"\nwhile true; do sleep 0.05; done\n")
      let reader = try reader()
      let session = try await TmuxSession(
        columns: 110, rows: 32, environment: ["EDITOR": "exec /bin/bash \(home.path("editor"))", "VISUAL": ""],
        home: home)
      try await session.run("\(Checkout.apus) \(server.url)")
      try await session.wait(for: "1 Query")
      try await session.type("C-p")
      try await session.send("editor")
      try await session.wait(for: "$EDITOR")
      try await session.type("Enter")
      let path = try #require(await reader.nextLine())
      #expect(access(path, F_OK) == 0)
      let shell = try await session.state("#{pane_pid}")
      let children = try await ChildProcess.run("/usr/bin/env", ["ps", "--ppid", shell, "-o", "pid="])
      let explorer = try #require(children.output.split(whereSeparator: \.isWhitespace).first.flatMap { pid_t($0) })
      #expect(kill(explorer, signal) == 0)
      // The pipe closes with the editor, and the shell responds when the explorer has ended.
      #expect(await reader.nextLine() == nil)
      try await session.run("echo ended")
      try await session.wait("the explorer's end") { $0.split(separator: "\n").contains("ended") }
      if signal == SIGKILL {
        _ = await (try ChildProcess(Checkout.apus, ["themes"], environment: home.asHome)).outcome()
      }
      #expect(access(path, F_OK) != 0)
    }
  }
#endif
