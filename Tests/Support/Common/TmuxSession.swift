import Foundation

/// A real terminal: a shell in tmux on a socket of its own, typed into and looked at.
package final class TmuxSession: Sendable {
  package struct TimedOut: Error, CustomStringConvertible {
    package let description: String
  }

  private let socket = "apus-test-\(UUID().uuidString)"
  /// The person's folders, empty at first.
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

  /// Types keys, each by tmux's name for it (`F5`, `C-q`, `Enter`) or as a text.
  package func type(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

  /// Sends bytes as the terminal would: what a mouse does, say.
  package func send(_ bytes: String) async throws { try await tmux(["send-keys", "-l", bytes]) }

  /// Pastes, as a terminal does that brackets what is pasted.
  package func paste(_ text: String) async throws { try await send("\u{1B}[200~\(text)\u{1B}[201~") }

  /// Types a line of a command and Enter.
  package func run(_ line: String) async throws {
    try await tmux(["send-keys", "-l", line])
    try await type("Enter")
  }

  package func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What a program copied last by the terminal's sequence for that.
  package func clipboard() async throws -> String { try await tmux(["show-buffer"]) }

  /// What is on the screen, a line each; with `styles`, its colours and attributes as escape sequences.
  package func screen(styles: Bool = false) async throws -> String {
    try await tmux(["capture-pane", "-p"] + (styles ? ["-e"] : []))
  }

  /// What tmux knows of the terminal's state, such as `#{alternate_on}`.
  package func state(_ format: String) async throws -> String {
    try await tmux(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
  }

  /// Looks at the screen again and again until `text` is on it.
  @discardableResult
  package func wait(for text: String) async throws -> String {
    try await wait("'\(text)' to appear") { $0.contains(text) }
  }

  /// Looks at the screen again and again until `condition` holds; gives up after a minute.
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
