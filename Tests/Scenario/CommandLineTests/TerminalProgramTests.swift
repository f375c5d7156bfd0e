import ApusTestSupport
import Foundation
import Testing

/// The explorer in several terminal programs: keys, pasted text, mouse events and new sizes reach it, and afterwards the
/// shell finds the terminal as it was, without unread input. The explorer's log lists the events.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TerminalProgramTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// The command that runs the explorer and describes the terminal.
  private var words: [String] {
    [
      "\(Checkout.servers)/terminal_report.sh", home.path(""), Checkout.apus, "demo", "--delay-scale", "0", "--log",
      home.path("log"),
    ]
  }

  /// Waits until the explorer's log has a line with this text after its time.
  private func logged(_ text: String) async throws {
    try await waitUntil { try read("log").contains(" \(text)") }
  }

  private func read(_ name: String) throws -> String {
    FileManager.default.fileExists(atPath: home.path(name)) ? try home.read(name) : ""
  }

  private func expectTerminalAsBefore() async throws {
    try await waitUntil { try !read("after").isEmpty }
    #expect(try read("after") == read("before"))
    #expect(try read("code") == "0\n")
  }

  /// A terminal program that runs in tmux, or tmux itself.
  enum Program: Sendable {
    case tmux, screen
    /// The console of the Linux kernel, whose keys are sent to the program.
    case console

    var prefix: String {
      switch self {
      case .tmux: ""
      case .screen: "screen -c /dev/null "
      case .console: "TERM=linux "
      }
    }
  }

  private static func finds(_ name: String) -> Bool {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  @Test(arguments: [Program.tmux, .console])
  func `tmux and the console work and are restored`(program: Program) async throws {
    try await expectSession(in: program)
  }

  @Test(.enabled(if: finds("screen"), "GNU screen is not installed"))
  func `GNU screen works and is restored`() async throws { try await expectSession(in: .screen) }

  private func expectSession(in program: Program) async throws {
    let session = try await TmuxSession(columns: 100, rows: 30, home: home)
    let flags = "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag} #{keypad_cursor_flag} #{wrap_flag}"
    let before = try await session.state(flags)
    try await session.run(program.prefix + words.joined(separator: " "))
    try await logged("schemaLoaded")

    if program == .console { try await session.send("\u{1B}[[E") } else { try await session.type("F5") }
    try await logged("command runOperation")
    try await session.type("M-3")
    try await logged("command focusResponse")
    if program != .console {
      #expect(try await session.state("#{mouse_any_flag}") == "1")
      try await session.send("\u{1B}[<0;5;5M\u{1B}[<0;5;5m")
      try await logged("mouse")
      try await session.type("M-1")
      try await session.paste("{ __typename }")
      try await logged("paste of 14 bytes")
    } else {
      #expect(try await session.state("#{mouse_any_flag}") == "0")
    }
    for (columns, rows) in [(60, 15), (10, 3), (100, 30)] {
      try await session.resize(columns: columns, rows: rows)
      try await logged("resize \(columns)×\(rows)")
    }
    try await session.wait("the layout") { $0.contains("1 Query") && $0.contains("5 Cache") }

    try await session.type("C-q")
    try await expectTerminalAsBefore()
    // The console has no second screen to return to.
    if program != .console { try await session.wait("the shell") { !$0.contains("1 Query") } }
    #expect(try await session.state(flags) == before)
  }

  @Test(
    .enabled(if: ["Xvfb", "xterm", "xdotool"].allSatisfy(finds), "Xvfb, xterm or xdotool is not installed"))
  func `xterm works with its standard settings and is restored`() async throws {
    let server = try ChildProcess(
      "/usr/bin/env", ["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"])
    let display = try #require(await server.nextLine(), "Xvfb does not start")
    let variables = home.asHome.merging(["DISPLAY": ":\(display)", "LC_ALL": "C.UTF-8"]) { $1 }
    func desktop(_ words: String...) async throws {
      let outcome = try await ChildProcess.run("/usr/bin/env", ["xdotool"] + words, environment: variables)
      try #require(outcome.exitCode == 0, "xdotool \(words): \(outcome.errors)")
    }
    let terminal = try ChildProcess(
      "/usr/bin/env", ["-u", "TMUX", "-u", "STY", "xterm", "-geometry", "100x30+0+0", "-e"] + words,
      environment: variables)
    try await logged("schemaLoaded")

    // The terminal gets the keys of the window at the pointer. Alt works once the terminal has reported its modes.
    try await desktop("mousemove", "300", "100")
    while try !read("log").contains("command focusResponse") { try await desktop("key", "alt+3") }
    try await desktop("key", "F5")
    try await logged("command runOperation")
    try await desktop("click", "1")
    try await logged("mouse")
    // With Shift, xterm itself selects text, and pastes it.
    try await desktop("keydown", "shift", "click", "--repeat", "2", "1", "key", "Insert", "keyup", "shift")
    try await logged("paste of")
    for (columns, rows) in [("60", "15"), ("10", "3"), ("100", "30")] {
      try await desktop("search", "--class", "xterm", "windowsize", "--usehints", columns, rows)
      try await logged("resize \(columns)×\(rows)")
    }
    try await desktop("key", "ctrl+q")
    try await expectTerminalAsBefore()
    _ = await terminal.outcome()
  }

  @Test func `the explorer starts in a tiny terminal and follows many changes of its size`() async throws {
    let session = try await TmuxSession(columns: 10, rows: 3, home: home)
    try await session.run(words.joined(separator: " "))
    try await logged("schemaLoaded")
    for columns in 20...60 { try await session.resize(columns: 2 * columns, rows: columns / 2) }
    try await session.wait("the layout") { $0.contains("1 Query") && $0.contains("5 Cache") }
    try await session.type("C-q")
    try await expectTerminalAsBefore()
  }
}
