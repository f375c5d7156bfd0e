import Foundation

/// A real terminal: a shell in tmux with a separate socket.
package final class TmuxSession: Sendable {
  package struct TimedOut: Error, CustomStringConvertible {
    package let description: String
  }

  private let socket = "apus-test-\(UUID().uuidString)"
  /// The user's folders, empty at first.
  package let home: TemporaryFolder

  /// Opens a terminal of `columns` × `rows` with a plain shell in it.
  package init(columns: Int, rows: Int, environment: [String: String] = [:], home: TemporaryFolder? = nil) async throws
  {
    let home = try home ?? TemporaryFolder()
    self.home = home
    var words = ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
    for (name, value) in environment.merging(
      ["LC_ALL": "C.UTF-8", "PS1": "$ "].merging(home.asHome) { $1 }, uniquingKeysWith: { given, _ in given })
    {
      words += ["-e", "\(name)=\(value)"]
    }
    try await tmux(words + ["--", "/bin/bash", "--norc", "--noprofile"])
    try await tmux(["set", "-g", "status", "off"])
    try await tmux(["set", "-s", "set-clipboard", "on"])
    try await wait(for: "$")
  }

  deinit { try? ChildProcess("/usr/bin/env", ["tmux", "-L", socket, "kill-server"]).waitBlocking() }

  /// Types keys, named as in tmux (`F5`, `C-q`, `Enter`) or as text.
  package func type(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

  /// Answers a question on the screen. An answer within 400 ms does not count, because the user cannot have read it.
  package func answer(_ key: String) async throws {
    try await readQuestion()
    try await type(key)
  }

  /// Lets the time pass in which an answer does not count.
  package func readQuestion() async throws { try await Task.sleep(for: .milliseconds(600)) }

  /// Sends bytes like the terminal, such as mouse events.
  package func send(_ bytes: String) async throws { try await tmux(["send-keys", "-l", bytes]) }

  /// Pastes text as a terminal with bracketed paste does.
  package func paste(_ text: String) async throws { try await send("\u{1B}[200~\(text)\u{1B}[201~") }

  /// Types a command line and Enter.
  package func run(_ line: String) async throws {
    try await tmux(["send-keys", "-l", line])
    try await type("Enter")
  }

  package func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Returns the text that a program copied last by a control sequence.
  package func clipboard() async throws -> String { try await tmux(["show-buffer"]) }

  /// Returns the lines on the screen; with `styles`, including colors and attributes as escape sequences.
  package func screen(styles: Bool = false) async throws -> String {
    try await tmux(["capture-pane", "-p"] + (styles ? ["-e"] : []))
  }

  /// Returns a tmux variable such as `#{alternate_on}`.
  package func state(_ format: String) async throws -> String {
    try await tmux(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
  }

  /// Polls the screen until it contains a text.
  @discardableResult
  package func wait(for text: String) async throws -> String {
    try await wait("'\(text)' to appear") { $0.contains(text) }
  }

  /// Polls the screen until a condition holds, for at most a minute.
  @discardableResult
  package func wait(_ what: String, until condition: (String) -> Bool) async throws -> String {
    let deadline = ContinuousClock.now + .seconds(60)
    var screen = ""
    while ContinuousClock.now < deadline {
      screen = try await self.screen()
      if condition(screen) { return screen }
    }
    throw TimedOut(description: "waited in vain for \(what); the screen is:\n\(screen)")
  }

  @discardableResult
  private func tmux(_ words: [String]) async throws -> String {
    let outcome = try await ChildProcess.run("/usr/bin/env", ["tmux", "-L", socket] + words)
    guard outcome.exitCode == 0 else { throw TimedOut(description: "tmux \(words): \(outcome.errors)") }
    return outcome.output
  }
}
