import ApusTestSupport
import Testing

/// Long output goes through the user's pager, but only on a terminal.
@Suite(.timeLimit(.minutes(3))) struct PagerTests {
  /// A terminal in which `apus` is the program under test.
  private func terminal(_ environment: [String: String] = [:]) async throws -> TmuxSession {
    let session = try await TmuxSession(
      columns: 100, rows: 40, environment: environment.merging(["NO_COLOR": ""]) { $1 })
    try await session.run("apus() { \(Checkout.apus) \"$@\"; }; clear")
    return session
  }

  @Test func `help is shown by the configured pager`() async throws {
    let session = try await terminal(["PAGER": "sed 's/^/other: /'", "APUS_PAGER": "sed 's/^/paged: /'"])
    try await session.run("apus help exit-codes; echo the code is $?")
    try await session.wait(for: "paged:   143   terminated")
    try await session.wait(for: "the code is 0")
    // Output into a pipe is not paged.
    try await session.run("clear; apus help exit-codes | grep -c paged; echo end")
    try await session.wait("the end") { $0.hasPrefix("0\nend\n") }
  }

  @Test func `an empty pager, cat and a missing pager disable paging`() async throws {
    let session = try await terminal(["PAGER": "sed 's/^/other: /'"])
    for (number, pager) in ["", "cat", "no-such-pager"].enumerated() {
      try await session.run("clear; APUS_PAGER='\(pager)' apus help exit-codes; echo end \(number)")
      try await session.wait(for: "\nend \(number)\n")
      let screen = try await session.screen()
      #expect(screen.contains("\n  143   terminated (SIGTERM)\n"), "\(screen)")
    }
  }

  @Test func `less exits if the output fits`() async throws {
    let session = try await terminal(["APUS_PAGER": "cat >/dev/null; echo less has $LESS, lv has $LV", "LV": "-x"])
    try await session.run("apus help")
    try await session.wait(for: "less has FRX, lv has -x")
  }

  /// The file may belong to a project: it provides values but cannot run commands.
  @Test func `a file of variables cannot set the pager`() async throws {
    let server = try ScriptedServer([.json("{\"data\":{\"a\":\"b\"}}")])
    let session = try await terminal(["PAGER": "cat"])
    try session.home.write("x.env", "APUS_PAGER='echo run by a file'\nTOKEN=t\n")
    try await session.run(
      "apus query \(server.url) -q '{ a }' --output pretty --env-file \(session.home.path("x.env")); echo end"
    )
    let screen = try await session.wait(for: "\nend\n")
    #expect(screen.contains("\"a\": \"b\"") && !screen.contains("run by a file"), "\(screen)")
  }

  @Test func `a pretty result is paged with its colors`() async throws {
    let server = try ScriptedServer([.json("{\"data\":{\"a\":\"b\"}}"), .json("{\"data\":{\"a\":\"b\"}}")])
    let session = try await terminal(["APUS_PAGER": "cat -v | sed 's/^/paged: /'"])
    try await session.run("apus query \(server.url) -q '{ a }' --output pretty")
    try await session.wait(for: "paged: }")
    let screen = try await session.screen()
    #expect(screen.contains("paged:   ^[[34m\"data\"^[[0m: {"), "\(screen)")
    try await session.run("clear; apus query \(server.url) -q '{ a }'")
    try await session.wait("the result by itself") { $0.hasPrefix("{\"data\":{\"a\":\"b\"}}\n") }
  }
}
