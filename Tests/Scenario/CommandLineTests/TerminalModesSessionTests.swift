import ApusJSON
import ApusTestSupport
import Testing

/// The explorer in a terminal with rare capabilities, and the state of the terminal afterwards.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TerminalModesSessionTests {
  /// Returns the report of `Tests/Support/Servers/terminal.py` after the steps, each a JSON object.
  private func report(
    _ steps: [String], home: TemporaryFolder? = nil, environment: [String: String] = [:], _ words: String...
  ) async throws -> JSONValue {
    let home = try home ?? TemporaryFolder()
    let variables = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "EDITOR": "true", "SWIFT_BACKTRACE": "enable=no"]
      .merging(home.asHome) { $1 }.merging(environment) { $1 }
    let outcome = try await ChildProcess.run(
      "/usr/bin/env",
      ["-u", "TMUX", "-u", "STY"] + variables.map { "\($0.key)=\($0.value)" } + [
        "python3", "\(Checkout.servers)/terminal.py", "[\(steps.joined(separator: ","))]", Checkout.apus,
      ] + (words.isEmpty ? ["demo", "--delay-scale", "0"] : words))
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    return try JSONDocument(parsing: outcome.output).root
  }

  private static let asFound = #"{"stack":[],"modes":[]}"#
  /// Keys as this terminal sends them: F5, Ctrl-Q, Ctrl-O.
  private static let (run, quit) = (#"{"keys":"\u001b[15~"}"#, #"{"keys":"\u001b[113;5u"}"#)
  private static let (suspend, edit) = (#"{"signal":"TSTP"}"#, #"{"keys":"\u001b[111;5u"}"#)
  /// Text that appears only after a run: a key in the footer.
  private static let complete = #"{"wait":"\u25cf complete"}"#
  /// The first frame appears before the terminal has responded; the modes are set after that.
  private static let modes = #"{"modes":true}"#
  private static let (start, end) = (#"{"wait":"Migration"}"#, #"{"ended":true}"#)

  @Test func `terminal modes are used and restored`() async throws {
    let report = try await report([Self.start, Self.modes, Self.run, Self.complete, Self.quit, Self.end])
    #expect(report["end"] == (try JSONDocument(parsing: Self.asFound).root), "\(report)")
    #expect(report["deepest"] == 1 && report["frames"] == true && report["exit"] == 0, "\(report)")
    #expect(report["errors"]?.count == 0, "\(report)")
  }

  @Test func `terminal modes are restored after a stop, an editor and a crash`() async throws {
    let found = try JSONDocument(parsing: Self.asFound).root
    let stopped = try await report(
      [
        Self.start, Self.modes, Self.suspend, #"{"stopped":true}"#, Self.start, Self.modes, Self.edit, Self.start,
        Self.quit, Self.end,
      ])
    #expect(stopped["stops"]?[0] == found && stopped["end"] == found && stopped["deepest"] == 1, "\(stopped)")
    #expect(stopped["errors"]?.count == 0 && stopped["exit"] == 0, "\(stopped)")
    for signal in ["SEGV", "ABRT", "TERM", "HUP"] {
      let crashed = try await report([Self.start, Self.modes, #"{"signal":"\#(signal)"}"#, Self.end])
      #expect(crashed["end"] == found && crashed["deepest"] == 1, "\(signal): \(crashed)")
    }
  }

  @Test func `a terminal that does not reply causes no delay`() async throws {
    let report = try await report([#"{"mute":true}"#, Self.start, #"{"keys":"\u0011"}"#, Self.end])
    #expect(report["deepest"] == 0 && report["frames"] == false && report["exit"] == 0, "\(report)")
    #expect(report["end"] == (try JSONDocument(parsing: Self.asFound).root), "\(report)")
  }

  /// The terminal responds to the queries of the start after the user has already pressed Ctrl-Q.
  @Test func `late responses of the terminal do not reach the shell`() async throws {
    let report = try await report(
      [#"{"late":0.4}"#, Self.start, #"{"keys":"\u0011"}"#, Self.end, #"{"typed":"ls"}"#])
    #expect(report["typed"] == "ls" && report["exit"] == 0, "\(report)")
    #expect(report["end"] == (try JSONDocument(parsing: Self.asFound).root), "\(report)")
  }

  /// A connection that delays everything by more than a second, so that the responses come after the first keys.
  @Test(arguments: [true, false])
  func `responses that arrive after more than a second are neither typed nor left`(isUsed: Bool) async throws {
    let used = [Self.modes, Self.run, Self.complete]
    let report = try await report(
      [#"{"late":1.4}"#, Self.start] + (isUsed ? used : []) + [#"{"keys":"\u0011"}"#, Self.end, #"{"typed":"ls"}"#])
    #expect(report["typed"] == "ls" && report["exit"] == 0, "\(report)")
    #expect(report["end"] == (try JSONDocument(parsing: Self.asFound).root), "\(report)")
  }

  @Test func `a run that ends without focus sends a notification`() async throws {
    let home = try TemporaryFolder()
    try home.write("config/config.yml", "notifyAfter: 0\n")
    let away = #"{"keys":"\u001b[O"}"#
    let steps = [
      Self.start, Self.run, Self.complete, away, Self.run, #"{"notified":1}"#, Self.quit, Self.end,
    ]
    let report = try await report(steps, home: home)
    let reported = report["notifications"] ?? .null
    #expect(
      reported.count == 1 && reported[0]?.string?.hasPrefix("9;Apus: query Migration is complete after ") == true,
      "\(report)")
    let other = try await self.report(steps, home: home, environment: ["VTE_VERSION": "7200"])
    #expect(other["notifications"]?[0]?.string?.hasPrefix("777;notify;Apus;query Migration is ") == true, "\(other)")
    try home.write("config/config.yml", "hints: false\n")
    let silent = try await self.report(steps.filter { !$0.contains("notified") }, home: home)
    #expect(silent["notifications"]?.count == 0, "\(silent)")
  }
}
