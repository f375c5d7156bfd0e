import ApusTestSupport
import Foundation
import Testing

/// External events: the explorer is stopped, or a second one is started.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ExplorerChaosTests {
  private let home: TemporaryFolder
  private let server: ChildProcess
  private let url: String

  init() async throws {
    home = try TemporaryFolder()
    server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    url = try #require(await server.nextLine())
  }

  private func open() async throws -> TmuxSession {
    let session = try await TmuxSession(columns: 110, rows: 32, home: home)
    try await session.run("\(Checkout.apus) \(url)")
    try await session.wait("the schema") { $0.contains("types") && $0.contains("1 Query") }
    return session
  }

  /// A stopped explorer cannot restore the terminal: the shell writes over its screen and changes the modes.
  @Test func `after SIGSTOP and SIGCONT the screen is complete and keys work`() async throws {
    let session = try await open()
    let shell = try await session.state("#{pane_pid}")
    let children = try await ChildProcess.run("/usr/bin/env", ["ps", "--ppid", shell, "-o", "pid="])
    let explorer = try #require(children.output.split(whereSeparator: \.isWhitespace).first.flatMap { pid_t($0) })
    let before = try await session.screen()
    #expect(kill(explorer, SIGSTOP) == 0)
    try await session.wait(for: "Stopped")
    try await session.run("fg")
    // The screen may be captured while it is drawn line by line.
    try await session.wait("the explorer as it was") { $0 == before }
    try await session.send("xyz")
    try await session.wait("a key") { $0.contains("xyz") }
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") }
    #expect(try await session.state("#{alternate_on} #{mouse_any_flag}") == "0 0")
  }

  @Test func `two explorers on one endpoint do not lose each other's tabs`() async throws {
    let first = try await open()
    let second = try await open()
    try await second.wait(for: "Another explorer is open here, so this one has separate tabs")
    for (session, name) in [(first, "FromTheFirst"), (second, "FromTheSecond")] {
      try await session.type("C-t")
      try await session.send("query \(name) ")
      try await session.wait(for: "query \(name)")
    }
    for session in [second, first] {
      try await session.type("C-q")
      try await session.wait("the shell") { !$0.contains("1 Query") }
    }
    let again = try await open()
    try await again.wait("the first tab") { $0.contains("FromTheFirst") && !$0.contains("FromTheSecond") }
    let beside = try await open()
    try await beside.wait("the second tab") { $0.contains("FromTheSecond") && !$0.contains("FromTheFirst") }
    for session in [again, beside] { try await session.type("C-q") }
  }
}
